/** The words of delivery, one table for browser and server: channels, states, outcomes. Reasons: delivery-reasons.ts */

/** Append only: a channel's place in this list is how a person's channels are stored. */
export const channels = ["email", "sms", "push"] as const;
export type Channel = (typeof channels)[number];

/** What a message is addressed to. Only a device needs nothing on file. */
export type AddressKind = "email" | "phone" | "device";

/** How a message reads: with a subject and formatted text, as plain text, or as a title and a line. */
export type WrittenAs = "email" | "sms" | "push";

type ChannelMeaning = {
  /** As a type and beside its icon. */
  label: string;
  /** Where it is chosen. */
  choice: string;
  /** After "by" in a sentence. */
  spoken: string;
  /** After "turned off". */
  switched: string;
  /** What goes out on it. */
  one: string;
  many: string;
  address: AddressKind;
  writtenAs: WrittenAs;
  /** Whether people are on it until they or staff say otherwise. */
  onByDefault: boolean;
};

export const channelMeaning = {
  email: {
    label: "Email",
    choice: "Email",
    spoken: "email",
    switched: "email",
    one: "email",
    many: "emails",
    address: "email",
    writtenAs: "email",
    onByDefault: true,
  },
  sms: {
    label: "SMS",
    choice: "SMS",
    spoken: "text message",
    switched: "text messages",
    one: "text",
    many: "texts",
    address: "phone",
    writtenAs: "sms",
    onByDefault: true,
  },
  push: {
    label: "Push",
    choice: "Web Push",
    spoken: "web push",
    switched: "web push",
    one: "push message",
    many: "push messages",
    address: "device",
    writtenAs: "push",
    onByDefault: false,
  },
} as const satisfies Record<Channel, ChannelMeaning>;

export const writtenAs = (channel: Channel): WrittenAs => channelMeaning[channel].writtenAs;
export const addressKind = (channel: Channel): AddressKind => channelMeaning[channel].address;

/** A table with an entry for each channel. */
export function forEachChannel<Entry>(entry: (channel: Channel) => Entry): Record<Channel, Entry> {
  return Object.fromEntries(channels.map((channel) => [channel, entry(channel)])) as Record<Channel, Entry>;
}

/** What a person chose for a channel: "You don't get notices by text message." */
export function consentSentence(channel: Channel, allowed: boolean): string {
  return `You ${allowed ? "get" : "don't get"} notices by ${channelMeaning[channel].spoken}.`;
}

/** Decides priority and how long a message may still go out: see `expiryHours`. */
export const messageClasses = ["emergency", "transactional", "general"] as const;
export type MessageClass = (typeof messageClasses)[number];

/** After so many hours a message that could not go out is dropped. An emergency is stale on every channel alike. */
export const expiryHours: Record<MessageClass, Record<Channel, number>> = {
  emergency: { email: 0.5, sms: 0.5, push: 0.5 },
  transactional: { email: 24, sms: 12, push: 24 },
  general: { email: 24, sms: 12, push: 24 },
};

/** States of one delivery: one person on one channel in one run. */
export const deliveryStatuses = [
  "queued",
  "sending",
  "accepted",
  "delivered",
  "bounced",
  "failed",
  "uncertain",
  "skipped",
  "cancelled",
  "expired",
] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/**
 * `group` is what a status counts as on a screen. `waiting` may still change by itself; `reached` got it, as
 * far as the channel can tell; `unreached` did not, and someone may want to act; `left-out` was stopped by us.
 */
export const deliveryStatusMeaning: Record<
  DeliveryStatus,
  { label: string; group: "waiting" | "reached" | "unreached" | "left-out"; sentence: string }
> = {
  queued: { label: "Waiting", group: "waiting", sentence: "Waiting to be sent." },
  sending: { label: "Sending", group: "waiting", sentence: "Being sent." },
  accepted: { label: "Sent", group: "reached", sentence: "The provider accepted it." },
  delivered: { label: "Delivered", group: "reached", sentence: "It arrived." },
  bounced: { label: "Bounced", group: "unreached", sentence: "The provider accepted it, then it bounced." },
  failed: { label: "Failed", group: "unreached", sentence: "It couldn't be sent." },
  uncertain: {
    label: "Unconfirmed",
    group: "waiting",
    sentence: "It went out, but the provider never answered.",
  },
  skipped: { label: "Skipped", group: "unreached", sentence: "Nothing was sent." },
  cancelled: { label: "Cancelled", group: "left-out", sentence: "It was cancelled before it went out." },
  expired: {
    label: "Expired",
    group: "unreached",
    sentence: "It couldn't be sent in time, so it was dropped.",
  },
};

/**
 * What became of a person of a run: the best of what became of their messages, from the best down. What went to the
 * Sandbox counts only where all of the run did. Anyone who shares an address gets what became of the message that goes
 * there, and is `shared` once it is out. `run_people.tally` stores this order.
 */
export const personOutcomes = [
  "delivered",
  "sent",
  "shared",
  "waiting",
  "unconfirmed",
  "cancelled",
  "failed",
  "skipped",
  "opted-out",
] as const;
export type PersonOutcome = (typeof personOutcomes)[number];

/**
 * `reached` on at least one channel, `missed` on each that could be used, `open` while neither is certain, `excluded`:
 * opted out, or taken off before it went out.
 */
export const personOutcomeMeaning: Record<PersonOutcome, "reached" | "open" | "missed" | "excluded"> = {
  delivered: "reached",
  sent: "reached",
  shared: "reached",
  waiting: "open",
  unconfirmed: "open",
  cancelled: "excluded",
  failed: "missed",
  skipped: "missed",
  "opted-out": "excluded",
};

/** How many people came to outcomes of this meaning. */
export function peopleOf(
  outcomes: Readonly<Record<PersonOutcome, number>>,
  meaning: (typeof personOutcomeMeaning)[PersonOutcome],
): number {
  return personOutcomes
    .filter((outcome) => personOutcomeMeaning[outcome] === meaning)
    .reduce((sum, outcome) => sum + outcomes[outcome], 0);
}

export const notificationStatuses = [
  "Draft",
  "Scheduled",
  "Recurring",
  "Sending",
  "Delivered",
  "Partially Delivered",
  "Failed",
  "Cancelled",
] as const;
export type NotificationStatus = (typeof notificationStatuses)[number];
