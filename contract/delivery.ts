/** Channels, statuses and outcomes, in one table for browser and server. For reasons, see delivery-reasons.ts. */

/** Append-only: a person's channels are stored by their position in this list. */
export const channels = ["email", "sms", "push"] as const;
export type Channel = (typeof channels)[number];

/** What a message is addressed to. No one types a device: its owner signs it up. */
export type AddressKind = "email" | "phone" | "device";

/** How a message reads: with a subject and formatted text, as plain text, or as a title and a line. */
export type WrittenAs = "email" | "sms" | "push";

type ChannelMeaning = {
  /** As a type, and next to its icon. */
  label: string;
  /** Next to its checkbox. */
  choice: string;
  /** After "by" in a sentence. */
  spoken: string;
  /** After "turned off". */
  switched: string;
  /** What is sent on it. */
  one: string;
  many: string;
  address: AddressKind;
  writtenAs: WrittenAs;
  /** What sends it, after "no". */
  account: string;
  /** Whether it is turned on for new people. */
  onByDefault: boolean;
  /** Whether readers recognize a message that arrives twice. An email has the same Message-ID each time. */
  recognizesCopies: boolean;
  /** Whether its recipient can open a one-time link in it. */
  carriesLinks: boolean;
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
    account: "mail account",
    onByDefault: true,
    recognizesCopies: true,
    carriesLinks: true,
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
    account: "text message account",
    onByDefault: true,
    recognizesCopies: false,
    carriesLinks: true,
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
    account: "web push account",
    onByDefault: false,
    recognizesCopies: false,
    carriesLinks: false,
  },
} as const satisfies Record<Channel, ChannelMeaning>;

/** "no mail account is connected", "no mail account or text message account is connected" */
export const noAccount = (...of: readonly Channel[]) =>
  `no ${of.map((channel) => channelMeaning[channel].account).join(" or ")} is connected`;

export const writtenAs = (channel: Channel): WrittenAs => channelMeaning[channel].writtenAs;
export const addressKind = (channel: Channel): AddressKind => channelMeaning[channel].address;

/** Channels whose meaning has this value. */
type ChannelsWith<Key extends keyof ChannelMeaning, Value> = {
  [C in Channel]: (typeof channelMeaning)[C][Key] extends Value ? C : never;
}[Channel];

/** Channels that go to an address someone types. */
export type TypedChannel = Exclude<Channel, ChannelsWith<"address", "device">>;
export const typedChannels = channels.filter(
  (channel): channel is TypedChannel => addressKind(channel) !== "device",
);

/** Channels that a one-time link can be sent on. */
export type LinkChannel = ChannelsWith<"carriesLinks", true>;
export const linkChannels = channels.filter(
  (channel): channel is LinkChannel => channelMeaning[channel].carriesLinks,
);

/** A table with an entry for each channel. */
export function forEachChannel<Entry>(entry: (channel: Channel) => Entry): Record<Channel, Entry> {
  return Object.fromEntries(channels.map((channel) => [channel, entry(channel)])) as Record<Channel, Entry>;
}

/** What a person chose for a channel: "You don't get notices by text message." */
export function consentSentence(channel: Channel, allowed: boolean): string {
  // Push also has to be turned on in a browser, which this choice says nothing about.
  const where = allowed && addressKind(channel) === "device" ? ", in browsers where you turned them on" : "";
  return `You ${allowed ? "get" : "don't get"} notices by ${channelMeaning[channel].spoken}${where}.`;
}

/** What a message is sent for. `classPolicy` says what follows from it. */
export const messageClasses = ["emergency", "transactional", "general"] as const;
export type MessageClass = (typeof messageClasses)[number];

export type ClassPolicy = {
  /** The smaller number goes first. No two classes have the same: a delivery stores its class as this number. */
  priority: number;
  /** A message that could not be sent within this many hours is dropped. */
  validHours: Readonly<Record<Channel, number>>;
  /**
   * When a message without an answer is sent a second time: always, where a missing one is a danger, or only on channels
   * whose readers recognize a copy (`recognizesCopies`), because elsewhere it is a nuisance.
   */
  repeatUnconfirmed: "always" | "if recognized";
};

/** Everything that follows from a message's class. */
export const classPolicy: Readonly<Record<MessageClass, ClassPolicy>> = {
  emergency: {
    priority: 0,
    validHours: { email: 0.5, sms: 0.5, push: 0.5 },
    repeatUnconfirmed: "always",
  },
  transactional: {
    priority: 1,
    validHours: { email: 24, sms: 12, push: 24 },
    repeatUnconfirmed: "if recognized",
  },
  general: {
    priority: 2,
    validHours: { email: 24, sms: 12, push: 24 },
    repeatUnconfirmed: "if recognized",
  },
};

/** Statuses of one delivery: one person on one channel in one run. */
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
 * `group` is what a status counts as on a screen. `waiting`: it may still change without anyone doing anything.
 * `reached`: the message arrived, as far as the channel can tell. `unreached`: it did not, and someone may want to act.
 * `left-out`: we did not send it.
 */
export const deliveryStatusMeaning: Record<
  DeliveryStatus,
  { label: string; group: "waiting" | "reached" | "unreached" | "left-out"; sentence: string }
> = {
  queued: { label: "Waiting", group: "waiting", sentence: "Waiting to be sent." },
  sending: { label: "Sending", group: "waiting", sentence: "Being sent." },
  accepted: { label: "Sent", group: "reached", sentence: "The provider accepted it." },
  delivered: { label: "Delivered", group: "reached", sentence: "Delivered, as the provider confirms." },
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
 * A person's outcome in a run, best first: the best outcome of their messages. Sandbox messages count only if the whole
 * run went to the Sandbox. People who share an address get the outcome of the message that goes there, and `shared` once
 * it is sent. `run_people.tally` stores this order.
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
 * `reached`: on at least one channel. `missed`: on every channel that could be used. `open`: neither is certain yet.
 * `excluded`: opted out, or removed before the message was sent.
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

/** How many people have an outcome with this meaning. */
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
