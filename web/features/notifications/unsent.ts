import type { Channel } from "#contract/delivery.ts";
import type { NotificationRow } from "#contract/notifications.ts";
import type { ListFilter } from "#web/features/notifications/list-query.ts";

/** A notification that so far lives in this browser only. */
export type UnsentNotification = {
  /** 100 to 10099: a server's notification may have the same number. */
  localId: number;
  clientKey: string;
  title: string;
  channels: Channel[];
  recipients: string;
  /** When it was kept here. ISO 8601. */
  keptAt: string;
  /** When it is to go out; null: as soon as the server answers. */
  plannedFor: string | null;
  /** Why the server would not take it, in its own words; null while it only waits for the server. */
  refusal: string | null;
  /** It is on its way to the server at this moment. */
  underWay: boolean;
};

export const UNSENT_LABEL = "Not yet sent";

/**
 * The list as a person should see it: what this browser still keeps stands first, on the first page, and stands
 * in for the server's row of the same client key. `total` counts both.
 */
export function mergeUnsent(
  server: { rows: readonly NotificationRow[]; total: number },
  unsent: readonly UnsentNotification[],
  filter: ListFilter,
): { unsent: UnsentNotification[]; rows: NotificationRow[]; total: number } {
  const kept = unsent.filter((one) => matches(one, filter));
  const keys = new Set(kept.map((one) => one.clientKey));
  const rows = server.rows.filter((row) => row.clientKey === null || !keys.has(row.clientKey));
  const hidden = server.rows.length - rows.length;
  return {
    unsent: filter.page === 1 ? kept : [],
    rows,
    total: server.total - hidden + kept.length,
  };
}

/** As the server searches: title, recipients or status, without regard to case. */
function matches(one: UnsentNotification, { q, status, channel, time }: ListFilter): boolean {
  // It has no status of the server’s, and no time at which it goes.
  if (status !== undefined || time !== undefined) return false;
  if (channel !== undefined && !one.channels.includes(channel)) return false;
  return `${one.title} ${one.recipients} ${UNSENT_LABEL}`.toLowerCase().includes(q.toLowerCase());
}
