import { fold } from "#contract/fold.ts";
import type { Channel } from "#contract/delivery.ts";
import type { NotificationRow } from "#contract/notifications.ts";
import type { ListFilter } from "#web/features/notifications/list-query.ts";

/** A notification that so far exists only in this browser. */
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
  /** Why the server refused it, in its own words; null while it only waits for the server. */
  refusal: string | null;
  /** While it waits: what was answered to the last try; null if nothing was. */
  obstacle: string | null;
  /** It is being sent to the server right now. */
  underWay: boolean;
};

export const UNSENT_LABEL = "Not yet sent";

/**
 * The list as a person should see it: what this browser still keeps comes first, on the first page, and replaces the
 * server's row of the same client key. `total` counts both.
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

/** Like the server's search: title, recipients or status, ignoring case. */
function matches(one: UnsentNotification, { q, status, channel, time }: ListFilter): boolean {
  // It has no status from the server, and no time.
  if (status !== undefined || time !== undefined) return false;
  if (channel !== undefined && !one.channels.includes(channel)) return false;
  return fold(`${one.title} ${one.recipients} ${UNSENT_LABEL}`).includes(fold(q));
}
