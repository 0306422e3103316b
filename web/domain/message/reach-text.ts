import { homes, messages, people } from "#contract/text/count-text.ts";
import { filesNote } from "#contract/calls/attachments.ts";
import type { Reach } from "#contract/calls/audience.ts";
import { channelMeaning, type Channel } from "#contract/delivery.ts";
import type { Reason } from "#contract/delivery-reasons.ts";
import { numberText } from "#contract/text/locale.ts";

/** From this many people on, the number has to be typed before sending. */
export const VERY_MANY = 1000;

/**
 * "48 people, 87 messages.", or "9 people, 6 homes: 6 messages." with one message per home, and "1 person won't get this
 * message." The last is empty if everyone is reached.
 */
export function reachSentences({ reached, homes: of, messages: sent, unreachable }: Reach): [string, string] {
  const nothing = `${people(unreachable.total)} won't get this message.`;
  const who = of === null ? `${people(reached)},` : `${people(reached)}, ${homes(of)}:`;
  return [`${who} ${messages(sent)}.`, unreachable.total > 0 ? nothing : ""];
}

/** `filesNote`, and how many get the message without the files. */
export function filesSentence(channels: readonly Channel[], reach: Reach | undefined): string {
  const note = filesNote(channels);
  // With one message per home, those whose home gets the email aren't without them.
  const counted = reach?.homes === null && channels.includes("email");
  const without = counted ? reach.reached - reach.byChannel.email.willGet : 0;
  if (note === "" || without <= 0) return note;
  return `${note} ${people(without)} ${without === 1 ? "gets" : "get"} the message without them.`;
}

type ChannelReason = { channel: Channel; reason: Reason; sentence: string };

/** "no phone number", for people left out under the heading of their channel. */
export function leftOutPhrase(group: ChannelReason): string {
  if (group.reason === "opted-out") return "turned it off";
  if (group.reason === "not-turned-on") return "haven't turned it on";
  if (group.reason === "channel-off") return "turned off in Settings";
  if (group.reason === "suppressed") return "address blocked";
  if (group.reason === "same-address") return "same address as another recipient";
  if (group.reason === "same-home") return "reached through someone in the same home";
  return phrase(group);
}

/** "no email, SMS turned off" */
export function reasonPhrase(reasons: readonly ChannelReason[]): string {
  return reasons.map((one) => phrase(one)).join(", ");
}

// Short phrases for what can be known before sending. Anything else uses the whole sentence.
function phrase({ channel, reason, sentence }: ChannelReason): string {
  const label = channelMeaning[channel].choice;
  switch (reason) {
    case "no-email":
      return "no email";
    case "no-phone":
      return "no phone number";
    case "invalid-email":
      return "email address not valid";
    case "unconfirmed-email":
      return "email address not confirmed";
    case "unconfirmed-phone":
      return "phone number not confirmed";
    case "invalid-phone":
      return "phone number not valid";
    case "no-device":
      return "notifications not turned on";
    case "opted-out":
      return `${label} turned off`;
    case "not-turned-on":
      return `${label} not turned on`;
    case "channel-off":
      return `${label} turned off in Settings`;
    case "suppressed":
      return `${label} address blocked`;
    case "same-address":
      return `${label} address shared with another recipient`;
    default:
      return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");
  }
}

/** "1 part", "3 parts" of a text message. */
export const partsText = ({ parts }: { parts: number }) =>
  parts === 1 ? "1 part" : `${numberText(parts)} parts`;
