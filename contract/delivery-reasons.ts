import { type Channel, channelMeaning } from "#contract/delivery.ts";
import { isolated } from "#contract/text/isolate.ts";
import { fieldText } from "#contract/text/message-fields.ts";

/** Why a delivery has its status. */
export const reasons = [
  // nothing was sent
  "no-email",
  "no-phone",
  "invalid-email",
  "invalid-phone",
  "unconfirmed-email",
  "unconfirmed-phone",
  "no-device",
  "not-turned-on",
  "opted-out",
  "channel-off",
  "suppressed",
  "same-address",
  "same-home",
  "missing-field",
  "person-removed",
  "settled",
  // waiting
  "retrying",
  "throttled",
  "provider-paused",
  "handed-back",
  // did not arrive
  "no-such-address",
  "unsubscribed",
  "mailbox-full",
  "refused",
  "content-refused",
  "undelivered",
  "gave-up",
  "crashed",
  "expired",
  "unconfirmed",
  "cancelled",
] as const;
export type Reason = (typeof reasons)[number];

/** Why someone shares another person's message: nothing of their own is sent, and its outcome is theirs. */
export const sharingReasons = ["same-address", "same-home"] as const satisfies readonly Reason[];
export const sharesMessage = (reason: Reason | null): reason is (typeof sharingReasons)[number] =>
  sharingReasons.some((one) => one === reason);

/**
 * `sentence` is for people; `{channel}` is replaced by the channel, `{message}` by what is sent on it, and `{address}` by
 * what the channel sends to. `named` is used instead if the detail is known, with `{detail}` in its place. `next` says what to do about it; empty if there is
 * nothing to do.
 */
export const reasonMeaning: Record<Reason, { sentence: string; named?: string; next: string }> = {
  "no-email": {
    sentence: "No email address on file.",
    next: "Add an email address, then retry.",
  },
  "no-phone": {
    sentence: "No phone number on file.",
    next: "Add a phone number, then retry.",
  },
  "invalid-email": {
    sentence: "The email address is not valid.",
    next: "Correct the email address, then retry.",
  },
  "invalid-phone": {
    sentence: "The phone number is not valid.",
    next: "Correct the phone number, with its country code, then retry.",
  },
  "unconfirmed-email": {
    sentence: "They entered this email address themselves and haven't confirmed it yet.",
    next: "Ask them to use the link that we sent there. If you know the address is theirs, confirm it under Edit, then retry.",
  },
  "unconfirmed-phone": {
    sentence: "They entered this phone number themselves and haven't confirmed it yet.",
    next: "Ask them to use the link that we texted there. If you know the number is theirs, confirm it under Edit, then retry.",
  },
  "no-device": {
    sentence: "They haven't turned on notifications on any device.",
    next: "Ask them to turn on notifications, then retry.",
  },
  "not-turned-on": {
    sentence: "They haven't turned on {channel}.",
    next: "Ask them to turn it on, then retry.",
  },
  "opted-out": {
    sentence: "They have turned off {channel}.",
    named: "This {address} gets no {channel}. {detail}",
    next: "Turn {channel} on only if they ask.",
  },
  "channel-off": {
    sentence: "Your organization has turned off {channel}.",
    next: "An administrator can turn it on in Settings. Then retry.",
  },
  suppressed: {
    sentence: "This {address} is blocked because an earlier message bounced or was refused.",
    named: "This {address} is blocked: {detail}",
    next: "Ask for another {address}, save it, then retry.",
  },
  "same-address": {
    sentence: "Covered by the {message} to someone with the same {address}.",
    named: "Covered by {detail}'s {message}.",
    next: "",
  },
  "same-home": {
    sentence: "Reached through someone else in the same home.",
    named: "Reached through {detail} (same home).",
    next: "",
  },
  "missing-field": {
    sentence: "A detail used in the message is missing for this person.",
    named: "No {detail} is on file, and the message needs it.",
    next: "Fill it in, then retry.",
  },
  "person-removed": {
    sentence: "The person was removed before the message went out.",
    next: "",
  },
  settled: {
    sentence: "The schedule leaves them out.",
    named: "The schedule leaves them out: {detail}.",
    next: "",
  },
  retrying: {
    sentence: "The last attempt didn't get through. We'll retry automatically.",
    next: "",
  },
  throttled: {
    sentence: "The provider asked us to slow down. We'll send this as soon as we can.",
    next: "",
  },
  "provider-paused": {
    sentence: "The provider isn't accepting messages right now. This one is waiting.",
    next: "Check the provider's message in Integrations. We'll send this automatically once it's fixed.",
  },
  "handed-back": {
    sentence: "Sending was interrupted. Another process will take over.",
    next: "",
  },
  "no-such-address": {
    sentence: "The {address} doesn't exist.",
    next: "Correct the {address}, then retry.",
  },
  unsubscribed: {
    sentence: "They unsubscribed, so the provider sends them nothing.",
    next: "To get texts again, they can reply START. To get email again, they must be off the provider's list and unblocked here.",
  },
  "mailbox-full": {
    sentence: "The mailbox is full.",
    next: "Retry later, or write to them on another channel.",
  },
  refused: {
    sentence: "The provider refuses to send to this {address}.",
    next: "Read the provider's answer in the timeline. Ask for another {address} if it keeps happening.",
  },
  "content-refused": {
    sentence: "The provider refused this message.",
    next: "Read the provider's answer in the timeline, change the message and send it as a new notification.",
  },
  undelivered: {
    sentence: "The provider accepted it but couldn't deliver it.",
    next: "Read the provider's answer in the timeline, then retry.",
  },
  "gave-up": {
    sentence: "All attempts failed. We've stopped trying.",
    next: "Read the last answer in the timeline, then retry.",
  },
  crashed: {
    sentence: "Sending was interrupted three times, so we stopped.",
    next: "Retry. If it happens again, check the server's log.",
  },
  expired: {
    sentence: "It couldn't be sent in time, so it was dropped.",
    next: "Retry if it still matters.",
  },
  unconfirmed: {
    sentence: "It went out, but the provider never answered. It may have arrived.",
    next: "Ask them, or retry. They may get it twice.",
  },
  cancelled: {
    sentence: "It was cancelled before it went out.",
    next: "",
  },
};

/** What a channel sends to. Property managers would read "address" alone as someone's home. */
export function addressText(channel: Channel): string {
  return { email: "email address", phone: "phone number", device: "address" }[
    channelMeaning[channel].address
  ];
}

/** "No email address or phone number on file." */
export const noneOnFile = (of: readonly Channel[]) => `No ${of.map(addressText).join(" or ")} on file.`;

const forChannel = (text: string, channel: Channel) =>
  text
    .replace("{channel}", channelMeaning[channel].switched)
    .replace("{message}", channelMeaning[channel].one)
    .replace("{address}", addressText(channel));

/** The sentence for a reason, which names the channel or the detail where that matters. */
export function reasonSentence(reason: Reason, channel: Channel, detail: string | null = null): string {
  const { sentence, named } = reasonMeaning[reason];
  if (named === undefined || detail === null || detail === "") return forChannel(sentence, channel);
  return forChannel(named, channel).replace("{detail}", () =>
    reason === "missing-field" ? fieldText(detail) : sharesMessage(reason) ? isolated(detail) : detail,
  );
}

/** The same where it is the reader's own address, for reasons that their profile can change. */
export function ownReasonSentence(reason: Reason | null, channel: Channel): string | null {
  switch (reason) {
    case "no-email":
    case "no-phone":
      return `Your profile has no ${addressText(channel)}. Add one to get a test.`;
    case "invalid-email":
    case "invalid-phone":
      return `The ${addressText(channel)} in your profile is not valid.`;
    case "unconfirmed-email":
    case "unconfirmed-phone":
      return `The ${addressText(channel)} in your profile isn't confirmed yet.`;
    case "no-device":
      return "Turn on notifications in this browser on your profile to get a test.";
    case "opted-out":
    case "not-turned-on":
      return `You have ${forChannel("{channel}", channel)} turned off in your profile.`;
    default:
      return null;
  }
}

/** What to do about a reason; empty if there is nothing to do. */
export const reasonNext = (reason: Reason, channel: Channel) =>
  forChannel(reasonMeaning[reason].next, channel);
