import type { NotificationRow } from "#contract/calls/notifications.ts";
import { mergeUnsent as merge, type Unsent } from "#web/domain/unsent/unsent.ts";
import type { ListFilter } from "#web/features/notifications/list-query.ts";

/** The list with what this browser still keeps (web/domain/unsent), as far as the filters let it through. */
export function mergeUnsent(
  server: { rows: readonly NotificationRow[]; total: number },
  unsent: readonly Unsent[],
  filter: ListFilter,
) {
  return merge(
    server,
    unsent.filter((one) => passes(one, filter)),
    filter,
  );
}

/** It has no status from the server, and no time. */
const passes = ({ channels }: Unsent, { status, channel, time, day }: ListFilter) =>
  status === undefined &&
  (time ?? day) === undefined &&
  (channel === undefined || channels.includes(channel));
