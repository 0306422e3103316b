import * as z from "zod";
import type { DeliveryStatus, PersonOutcome } from "#contract/delivery.ts";
import { channels, deliveryStatuses, deliveryStatusMeaning, personOutcomes } from "#contract/delivery.ts";
import { reasons } from "#contract/delivery-reasons.ts";

const counts = z.record(z.enum(deliveryStatuses), z.number());
/** How many deliveries stand where. */
export type DeliveryCounts = z.output<typeof counts>;

export function noCounts(): DeliveryCounts {
  return Object.fromEntries(deliveryStatuses.map((status) => [status, 0])) as DeliveryCounts;
}

export function noOutcomes(): Record<PersonOutcome, number> {
  return Object.fromEntries(personOutcomes.map((outcome) => [outcome, 0])) as Record<PersonOutcome, number>;
}

/** Of deliveries that may still change by themselves; a run with one goes on. */
export const outstandingStatuses = deliveryStatuses.filter(
  (status) => deliveryStatusMeaning[status].group === "waiting",
);

export function outstanding(counts: Readonly<Record<DeliveryStatus, number>>): number {
  return outstandingStatuses.reduce((sum, status) => sum + counts[status], 0);
}

/**
 * Where a run stands. `people`, `outcomes` and `peopleWaiting` count persons; all other numbers are of deliveries: one
 * person on one channel each.
 */
export const runProgress = z.object({
  runId: z.number(),
  notificationId: z.number(),
  state: z.enum(["fanning-out", "sending", "finished", "cancelled"]),
  /** Persons in the audience; grows until `state` leaves "fanning-out". */
  people: z.number(),
  /** Each person once, by the best that became of their messages. */
  outcomes: z.record(z.enum(personOutcomes), z.number()),
  /** Persons with a message that may still change by itself, whatever became of their others. */
  peopleWaiting: z.number(),
  total: z.number(),
  counts,
  byChannel: z.partialRecord(z.enum(channels), counts),
  /** What stands behind waiting, failed and skipped ones; the largest first. */
  reasons: z.array(
    z.object({
      channel: z.enum(channels),
      status: z.enum(deliveryStatuses),
      reason: z.enum(reasons),
      count: z.number(),
      sentence: z.string(),
    }),
  ),
  /** Something goes to the Sandbox instead of to people. */
  simulated: z.boolean(),
  /**
   * Of a run that goes out for real, too: the channels that go to the Sandbox anyway. They count for no one's
   * outcome. Empty where all of it or nothing is simulated.
   */
  simulatedChannels: z.array(z.enum(channels)),
  opened: z.number(),
  clicked: z.number(),
  startedAt: z.iso.datetime({ offset: true }),
  finishedAt: z.iso.datetime({ offset: true }).nullable(),
  /** How long after its planned time it began; 0 when it was not planned or on time. */
  lateSeconds: z.number(),
  /** Deliveries settled a second: in the last half minute while it goes out, afterwards on average; null: unknown. */
  perSecond: z.number().nullable(),
  /** At that rate; null while nothing moves, and when nothing is outstanding or the rate is unknown. */
  secondsLeft: z.number().nullable(),
  /** Why nothing moves although something is outstanding: "waiting for smtp.example.com"; null while something does. */
  stalled: z.string().nullable(),
  /** What an administrator should know about the whole run, in sentences; mostly empty. */
  notes: z.array(z.string()),
});
export type RunProgress = z.output<typeof runProgress>;

/** A run's numbers as the page of its notification shows them. */
export const detailFigures = z.object({
  sent_count: z.number(),
  /** Null, as the two after it, where no provider of it can know. */
  delivered_count: z.number().nullable(),
  opened_count: z.number().nullable(),
  clicked_count: z.number().nullable(),
  failed_count: z.number(),
});

/**
 * How many deliveries stand where, without those that went to the Sandbox while others went out for real: no figure
 * adds the two up.
 */
export function figuresOf({
  counts,
  byChannel,
  simulatedChannels,
}: Pick<RunProgress, "counts" | "byChannel" | "simulatedChannels">): DeliveryCounts {
  const figures = { ...counts };
  for (const channel of simulatedChannels) {
    for (const status of deliveryStatuses) figures[status] -= byChannel[channel]?.[status] ?? 0;
  }
  return figures;
}

/**
 * *Sent*: a provider took it. *Delivered*: a receipt says so; where something was sent and no receipt has ever come,
 * no one knows. No provider of today reports opens or clicks.
 */
export function detailCounts(progress: RunProgress | null): z.output<typeof detailFigures> {
  const counts = progress && figuresOf(progress);
  const sent = counts ? counts.accepted + counts.delivered + counts.bounced : 0;
  const delivered = counts?.delivered ?? 0;
  return {
    sent_count: sent,
    delivered_count: sent > 0 && delivered === 0 ? null : delivered,
    opened_count: null,
    clicked_count: null,
    failed_count: counts ? counts.failed + counts.bounced + counts.expired : 0,
  };
}
