import { audience } from "#contract/calls/audience.ts";
import type { NotificationRow } from "#contract/calls/notifications.ts";
import { useRead } from "#web/api/use-read.ts";

/** How many people each unsent row is for, by id: one call for all of them. */
export function usePlannedPeople(rows: readonly NotificationRow[] | undefined): ReadonlyMap<number, number> {
  const notificationIds = (rows ?? [])
    .filter(({ status }) => status === "Draft" || status === "Scheduled" || status === "Recurring")
    .map(({ id }) => id);
  const { data } = useRead(
    audience.planned,
    { body: { notificationIds } },
    { enabled: notificationIds.length > 0, fresh: true },
  );
  return new Map(data?.map(({ notificationId, people }) => [notificationId, people]));
}
