import * as z from "zod";
import { archived } from "#contract/calls/archive.ts";
import {
  channels,
  deliveryStatuses,
  deliveryStatusMeaning,
  personOutcomes,
  type DeliveryStatus,
  type PersonOutcome,
} from "#contract/delivery.ts";
import { reasons } from "#contract/delivery-reasons.ts";

const deliveryCounts = z.record(z.enum(deliveryStatuses), z.number());
/** The number of deliveries by status. */
export type DeliveryCounts = z.output<typeof deliveryCounts>;

export function noCounts(): DeliveryCounts {
  return Object.fromEntries(deliveryStatuses.map((status) => [status, 0])) as DeliveryCounts;
}

export function noOutcomes(): Record<PersonOutcome, number> {
  return Object.fromEntries(personOutcomes.map((outcome) => [outcome, 0])) as Record<PersonOutcome, number>;
}

/** Statuses that may still change without anyone doing anything. A run with such a delivery is not finished. */
export const outstandingStatuses = deliveryStatuses.filter(
  (status) => deliveryStatusMeaning[status].group === "waiting",
);

export function outstanding(counts: Readonly<Record<DeliveryStatus, number>>): number {
  return outstandingStatuses.reduce((sum, status) => sum + counts[status], 0);
}

/**
 * The progress of a run. `people`, `outcomes` and `peopleWaiting` count people. All other numbers count deliveries, each
 * one person on one channel.
 */
export const runProgress = z.object({
  runId: z.number(),
  notificationId: z.number(),
  state: z.enum(["fanning-out", "sending", "finished", "cancelled"]),
  /** People in the audience. Grows while `state` is "fanning-out". */
  people: z.number(),
  /** Each person once, by the best outcome of their messages. */
  outcomes: z.record(z.enum(personOutcomes), z.number()),
  /** People with a message that is still waiting, whatever the outcome of their others. */
  peopleWaiting: z.number(),
  total: z.number(),
  counts: deliveryCounts,
  byChannel: z.partialRecord(z.enum(channels), deliveryCounts),
  /** Why messages are waiting, failed or skipped, largest number first. */
  reasons: z.array(
    z.object({
      channel: z.enum(channels),
      status: z.enum(deliveryStatuses),
      reason: z.enum(reasons),
      count: z.number(),
      sentence: z.string(),
    }),
  ),
  /** At least one channel goes to the Sandbox instead of to people. */
  simulated: z.boolean(),
  /**
   * The channels that go to the Sandbox in a run that also has real ones. They do not count toward anyone's outcome.
   * Empty if the whole run or none of it is simulated.
   */
  simulatedChannels: z.array(z.enum(channels)),
  opened: z.number(),
  clicked: z.number(),
  /** Where the deliveries and people are; null: in the database. */
  archived: archived.nullable(),
  startedAt: z.iso.datetime({ offset: true }),
  finishedAt: z.iso.datetime({ offset: true }).nullable(),
  /** How long after its scheduled time it started; 0 if it was on time or not scheduled. */
  lateSeconds: z.number(),
  /** Deliveries settled per second: over the last half minute while sending, on average afterwards; null: unknown. */
  perSecond: z.number().nullable(),
  /** The time left at that rate; null if nothing moves, nothing is outstanding, or the rate is unknown. */
  secondsLeft: z.number().nullable(),
  /** Why nothing moves although messages are outstanding: "waiting for smtp.example.com"; null otherwise. */
  stalled: z.string().nullable(),
  /** Sentences that an administrator should read about the whole run; usually none. */
  notes: z.array(z.string()),
});
export type RunProgress = z.output<typeof runProgress>;

/**
 * The channels whose provider has accepted messages of a finished run and reported no arrival. `all`: no channel that
 * sent for real has a receipt.
 */
export const noReceipts = z.object({ channels: z.array(z.enum(channels)), all: z.boolean() });

export function channelsWithoutReceipts(progress: RunProgress): z.output<typeof noReceipts> {
  if (progress.state === "fanning-out" || progress.state === "sending") return { channels: [], all: false };
  const real = channels.filter(
    (channel) =>
      !(progress.simulated && progress.simulatedChannels.length === 0) &&
      !progress.simulatedChannels.includes(channel),
  );
  const count = (channel: (typeof channels)[number], status: "accepted" | "delivered") =>
    progress.byChannel[channel]?.[status] ?? 0;
  const sent = real.filter((channel) => count(channel, "accepted") + count(channel, "delivered") > 0);
  const silent = sent.filter((channel) => count(channel, "delivered") === 0);
  return { channels: silent, all: silent.length === sent.length };
}

/** All that was or would be sent goes to the Sandbox: no one can be reached on a channel that has an account. */
export const sandboxOnly = z.boolean();

/** A run's numbers on its notification's page. */
export const detailFigures = z.object({
  sent_count: z.number(),
  /** Null, like the next two, if no provider of the run can tell. */
  delivered_count: z.number().nullable(),
  opened_count: z.number().nullable(),
  clicked_count: z.number().nullable(),
  failed_count: z.number(),
});

/**
 * The number of deliveries by status, without Sandbox deliveries in a run that also has real ones, because no figure may
 * mix the two.
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
 * *Sent*: a provider accepted it. *Delivered*: a receipt says so. If something was sent and no receipt ever arrived, it
 * is unknown. Opens and clicks are known once a provider has reported one.
 */
export function detailCounts(progress: RunProgress | null): z.output<typeof detailFigures> {
  const counts = progress && figuresOf(progress);
  const sent = counts ? counts.accepted + counts.delivered + counts.bounced : 0;
  const delivered = counts?.delivered ?? 0;
  return {
    sent_count: sent,
    delivered_count: sent > 0 && delivered === 0 ? null : delivered,
    opened_count: progress?.opened || null,
    clicked_count: progress?.clicked || null,
    failed_count: counts ? counts.failed + counts.bounced + counts.expired : 0,
  };
}
