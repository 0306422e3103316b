import type { DeliveryStatus, NotificationStatus } from "#contract/delivery.ts";
import { deliveryStatuses, deliveryStatusMeaning } from "#contract/delivery.ts";
import type { DeliveryCounts } from "#contract/run-progress.ts";

export function noCounts(): DeliveryCounts {
  return Object.fromEntries(deliveryStatuses.map((status) => [status, 0])) as DeliveryCounts;
}

/** Of deliveries that may still change by themselves; a run with one goes on. */
export const outstandingStatuses = deliveryStatuses.filter(
  (status) => deliveryStatusMeaning[status].group === "waiting",
);

export function outstanding(counts: Readonly<Record<DeliveryStatus, number>>): number {
  return outstandingStatuses.reduce((sum, status) => sum + counts[status], 0);
}

/** What a finished run makes of its notification. Skipped persons alone are nobody who got it. */
export function outcomeOf(
  counts: Readonly<Record<DeliveryStatus, number>>,
): Extract<NotificationStatus, "Delivered" | "Partially Delivered" | "Failed"> {
  const got = counts.accepted + counts.delivered;
  const lost = counts.failed + counts.bounced + counts.expired + counts.uncertain + counts.cancelled;
  if (got === 0) return "Failed";
  return lost === 0 ? "Delivered" : "Partially Delivered";
}
