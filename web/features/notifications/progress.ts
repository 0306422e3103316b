import { isolated } from "#contract/text/isolate.ts";
import { messages, people } from "#contract/text/count-text.ts";
import {
  addressKind,
  channelMeaning,
  channels,
  deliveryStatusMeaning,
  deliveryStatuses,
  peopleOf,
  personOutcomes,
  type Channel,
  type DeliveryStatus,
  type NotificationStatus,
  type PersonOutcome,
} from "#contract/delivery.ts";
import { type Reason, sharingReasons } from "#contract/delivery-reasons.ts";
import { figuresOf, type DeliveryCounts, type RunProgress } from "#contract/run-progress.ts";
import { numberText } from "#contract/text/locale.ts";
import type { DeliveryPart } from "#web/domain/delivery-bar.tsx";

/**
 * How many messages are in each group of `deliveryStatusMeaning`. People who share someone else's have
 * no message of their own.
 */
type GroupCounts = Record<
  (typeof deliveryStatusMeaning)[keyof typeof deliveryStatusMeaning]["group"],
  number
>;

export function groupCounts(progress: Pick<RunProgress, "counts" | "reasons">): GroupCounts {
  const groups: GroupCounts = { waiting: 0, reached: 0, unreached: 0, "left-out": 0 };
  for (const status of deliveryStatuses) {
    groups[deliveryStatusMeaning[status].group] += progress.counts[status];
  }
  for (const reason of sharingReasons) groups.unreached -= countOf(progress, reason);
  return groups;
}

/** People whom no message reached or may still reach, although they have not turned it off. */
export function missedPeople({ outcomes }: Pick<RunProgress, "outcomes">): number {
  return peopleOf(outcomes, "missed");
}

/** Messages that did not arrive and may be retried, also of people who were reached on another channel. */
export function undeliveredMessages(progress: Pick<RunProgress, "counts" | "reasons">): number {
  return (
    groupCounts(progress).unreached -
    (["opted-out", "person-removed", "settled"] as const).reduce(
      (sum, reason) => sum + countOf(progress, reason),
      0,
    )
  );
}

/** Whether people and messages of this run differ in number. */
export function onSeveralChannels({ byChannel }: Pick<RunProgress, "byChannel">): boolean {
  return Object.keys(byChannel).length > 1;
}

const NO_RECEIPT = "Sent, no receipt";

const statusLabel = (status: DeliveryStatus) =>
  // Beside what was sent in all, of which these are a part.
  status === "accepted" ? NO_RECEIPT : deliveryStatusMeaning[status].label;

const OPTED_OUT = "Turned off";

/** What was skipped though nothing was wrong, by the name of its person's outcome. */
const skippedLabel: Partial<Record<Reason, string>> = {
  "opted-out": OPTED_OUT,
  "same-address": "Covered",
  "same-home": "Same home",
  "person-removed": statusLabel("cancelled"),
  settled: "Left out",
};

export type MessageRow = { label: string; counts: Partial<Record<Channel, number>> };

/** Messages by what became of them, in the words that the bar has for people. Only rows that count something. */
export function messageRows({
  byChannel,
  reasons,
}: Pick<RunProgress, "byChannel" | "reasons">): MessageRow[] {
  const rows = new Map<string, MessageRow["counts"]>();
  const add = (label: string, channel: Channel, count: number) =>
    rows.set(label, { ...rows.get(label), [channel]: (rows.get(label)?.[channel] ?? 0) + count });
  for (const status of deliveryStatuses) {
    for (const channel of channels) {
      const counts = byChannel[channel];
      if (counts) add(statusLabel(status), channel, counts[status]);
    }
  }
  for (const { channel, status, reason, count } of reasons) {
    const label = status === "skipped" && skippedLabel[reason];
    if (!label) continue;
    add(statusLabel("skipped"), channel, -count);
    add(label, channel, count);
  }
  return [...rows]
    .filter(([, counts]) => Object.values(counts).some((count) => count > 0))
    .map(([label, counts]) => ({ label, counts }));
}

/** "65 delivered, 3 failed": a channel's messages, without those that their people have turned off. */
export function channelText(progress: Pick<RunProgress, "byChannel" | "reasons">, channel: Channel): string {
  const delivered = ({ label }: MessageRow) => Number(label === statusLabel("delivered"));
  return messageRows(progress)
    .sort((a, b) => delivered(b) - delivered(a))
    .flatMap(({ label, counts: { [channel]: count = 0 } }) => {
      if (count <= 0 || label === OPTED_OUT) return [];
      return [`${numberText(count)} ${label === NO_RECEIPT ? "sent" : label.toLowerCase()}`];
    })
    .join(", ");
}

/** "17 people have push turned off", for each channel where someone has. */
export function turnedOff({ reasons }: Pick<RunProgress, "reasons">): string[] {
  return channels.flatMap((channel) => {
    const count = reasons
      .filter((one) => one.channel === channel && one.reason === "opted-out")
      .reduce((sum, one) => sum + one.count, 0);
    if (count === 0) return [];
    const what = addressKind(channel) === "device" ? "push" : channelMeaning[channel].switched;
    return [`${people(count)} ${count === 1 ? "has" : "have"} ${what} turned off`];
  });
}

/** Whether the numbers may still change on their own. */
export function isRunning(progress: Pick<RunProgress, "state"> | null): boolean {
  return progress?.state === "fanning-out" || progress?.state === "sending";
}

type RunNumbers = {
  /** Messages that this run sends: all except those that cannot be sent to anyone. */
  toSend: number;
  /** Of those, how many are neither waiting nor being sent. */
  done: number;
  /** Not handed to a provider yet. */
  queued: number;
  /** Out of our hands: accepted by a provider, being sent, or sent without an answer. Cancelling keeps these. */
  gone: number;
  failed: number;
};

export function runNumbers({ total, counts }: Pick<RunProgress, "total" | "counts">): RunNumbers {
  const of = (...statuses: (keyof DeliveryCounts)[]) => statuses.reduce((sum, one) => sum + counts[one], 0);
  const toSend = total - of("skipped");
  const queued = of("queued");
  return {
    toSend,
    queued,
    done: toSend - queued - of("sending"),
    gone: of("sending", "accepted", "delivered", "bounced", "uncertain"),
    failed: of("failed", "bounced", "expired"),
  };
}

/** "3 s left", "2 min left", "1 h 5 min left". Rounded up: no one minds if it takes less. */
export function timeLeft(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds));
  if (whole < 60) return `${whole} s left`;
  const minutes = Math.ceil(whole / 60);
  if (minutes < 60) return `${minutes} min left`;
  const rest = minutes % 60;
  return rest === 0 ? `${minutes / 60} h left` : `${Math.floor(minutes / 60)} h ${rest} min left`;
}

/** Shown beside the numbers of a run under way: how long it takes, or what it waits for. */
export function paceText({ state, stalled, secondsLeft }: RunProgress): string {
  if (stalled !== null) return stalled;
  if (state === "fanning-out") return "finding recipients";
  return secondsLeft === null ? "" : timeLeft(secondsLeft);
}

/** How many deliveries of a run have this reason. */
export function countOf(
  progress: Pick<RunProgress, "reasons">,
  reason: RunProgress["reasons"][number]["reason"],
): number {
  return progress.reasons.filter((one) => one.reason === reason).reduce((sum, { count }) => sum + count, 0);
}

const parts: Record<PersonOutcome, { tone: DeliveryPart["tone"]; label: (people: string) => string }> = {
  delivered: { tone: "good", label: (who) => `Delivered to ${who}` },
  sent: { tone: "sent", label: (who) => `Sent to ${who}, no receipt yet` },
  shared: { tone: "sent", label: (who) => `Someone else's message covers ${who}` },
  waiting: { tone: "waiting", label: (who) => `Waiting for ${who}` },
  unconfirmed: { tone: "waiting", label: (who) => `Unconfirmed for ${who}` },
  cancelled: { tone: "skipped", label: (who) => `Cancelled, or left out: ${who}` },
  failed: { tone: "bad", label: (who) => `Failed for ${who}` },
  skipped: { tone: "bad", label: (who) => `Couldn't be sent to ${who}` },
  "opted-out": { tone: "skipped", label: (who) => `Turned off by ${who}` },
};

/** The delivery bar, by people: delivered, sent, open, stopped, and at the end those who got nothing. */
export function barParts(outcomes: RunProgress["outcomes"]): DeliveryPart[] {
  return personOutcomes.map((outcome) => {
    const { tone, label } = parts[outcome];
    return { tone, count: outcomes[outcome], label: label(people(outcomes[outcome])) };
  });
}

/**
 * Known arrivals, without those in the Sandbox if others were sent for real. `channels` are those with receipts, `sent`
 * is how many they accepted. If there are none, and nothing is under way, no provider reports arrivals: unknown rather
 * than zero.
 */
export function arrivals(progress: RunProgress): {
  delivered: number | null;
  sent: number;
  channels: Channel[];
} {
  const withReceipts = channels.filter(
    (channel) =>
      (progress.byChannel[channel]?.delivered ?? 0) > 0 && !progress.simulatedChannels.includes(channel),
  );
  const sum = (count: (of: DeliveryCounts) => number) =>
    withReceipts.reduce((total, channel) => total + count(progress.byChannel[channel] ?? progress.counts), 0);
  const { accepted, bounced } = figuresOf(progress);
  const unknown = withReceipts.length === 0 && accepted + bounced > 0 && !isRunning(progress);
  return {
    delivered: unknown ? null : sum((of) => of.delivered),
    sent: sum((of) => of.accepted + of.delivered + of.bounced),
    channels: withReceipts,
  };
}

/** Completed quarters of a run, 0 to 4: all that is worth announcing to a screen reader. */
export function quarter(progress: RunProgress): number {
  const { done, toSend } = runNumbers(progress);
  if (!isRunning(progress)) return 4;
  if (progress.state === "fanning-out" || toSend === 0) return 0;
  return Math.min(3, Math.floor((done / toSend) * 4));
}

/** One announcement of a run: "Water shut-off: 24 of 48 messages, 1 failed". */
export function announcement(title: string, status: NotificationStatus, progress: RunProgress): string {
  const { done, toSend, failed } = runNumbers(progress);
  const failures = failed > 0 ? `, ${numberText(failed)} failed` : "";
  const numbers = `${numberText(done)} of ${messages(toSend)}${failures}`;
  return isRunning(progress) ? `${isolated(title)}: ${numbers}` : `${isolated(title)}: ${status}, ${numbers}`;
}

export function messagesOn(channel: Channel, count: number): string {
  return `${numberText(count)} ${channelMeaning[channel][count === 1 ? "one" : "many"]}`;
}

/** A share beside its number; null if there is no whole to be a share of. */
export function percent(part: number, whole: number): string | null {
  if (whole <= 0) return null;
  const share = (part / whole) * 100;
  // Neither "100%" while someone is missing nor "0%" while someone was reached.
  const rounded = part < whole ? Math.min(99, Math.round(share)) : Math.round(share);
  return `${part > 0 ? Math.max(1, rounded) : rounded}%`;
}
