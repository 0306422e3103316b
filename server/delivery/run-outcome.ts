import type { DeliveryStatus, NotificationStatus, PersonOutcome } from "#contract/delivery.ts";
import { deliveryStatuses, deliveryStatusMeaning, peopleOf } from "#contract/delivery.ts";
import type { DeliveryCounts } from "#contract/run-progress.ts";

export function noCounts(): DeliveryCounts {
  return Object.fromEntries(deliveryStatuses.map((status) => [status, 0])) as DeliveryCounts;
}

/** Statuses that may still change on their own; a run that has one continues. */
export const outstandingStatuses = deliveryStatuses.filter(
  (status) => deliveryStatusMeaning[status].group === "waiting",
);

export function outstanding(counts: Readonly<Record<DeliveryStatus, number>>): number {
  return outstandingStatuses.reduce((sum, status) => sum + counts[status], 0);
}

/** The notification's status when its run has nothing outstanding. */
export function statusOf(
  outcomes: Readonly<Record<PersonOutcome, number>>,
): Extract<NotificationStatus, "Delivered" | "Partially Delivered" | "Failed"> {
  if (peopleOf(outcomes, "reached") === 0) return "Failed";
  return peopleOf(outcomes, "missed") === 0 ? "Delivered" : "Partially Delivered";
}
