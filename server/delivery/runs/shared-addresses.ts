import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { inMonthsOf } from "#server/db/months.ts";
import { updateTotals, sharedWeight, weight } from "./run-totals.ts";

/**
 * Of several people with one address, or of one home in a run with one message per home, one gets the message: their
 * delivery holds the address. The others' deliveries
 * are skipped, point to it with `shared_with`, and change with it. Only a transaction that has locked the run changes
 * who shares with whom.
 */

const alone = weight(sql`'skipped'`, sql`'same-address'`);

/** These people no longer share that delivery, so no message goes to that address for them. */
export async function leaveAddresses(
  tx: Db,
  leavers: readonly { holder: number; userId: number }[],
): Promise<void> {
  if (leavers.length === 0) return;
  const holders = leavers.map(({ holder }) => holder);
  await sql`
    WITH reported AS MATERIALIZED (
      SELECT holder, array_agg(user_id) AS users
      FROM unnest(${holders}::bigint[], ${leavers.map(({ userId }) => userId)}::bigint[]) t (holder, user_id)
      GROUP BY holder
    ), held AS (
      UPDATE deliveries d SET sharers = nullif(ARRAY(
        SELECT user_id FROM unnest(d.sharers) user_id WHERE user_id <> ALL(t.users)), '{}')
      FROM reported t WHERE ${inMonthsOf(sql`d.run_id`, holders)} AND d.id = t.holder AND d.id = ANY(${holders}::bigint[])
      RETURNING d.id, d.run_id, d.channel, d.status, t.users
    ), left_alone AS (
      UPDATE deliveries d SET shared_with = NULL
      FROM (SELECT held.*, unnest(users) AS user_id FROM held) h
      WHERE d.run_id = h.run_id AND d.user_id = h.user_id AND d.channel = h.channel AND d.shared_with = h.id
      RETURNING d.run_id, d.user_id, d.counted, h.status
    ), people AS (
      SELECT run_id, user_id, ${alone} - ${sharedWeight(sql`status`)} AS weight FROM left_alone WHERE counted
    ), ${updateTotals({ people: "people" })}
    SELECT`.execute(tx);
}

/** Links these deliveries, skipped because of a shared address, to their holders. */
export async function joinAddresses(
  tx: Db,
  joining: readonly { id: number; holder: number }[],
): Promise<void> {
  if (joining.length === 0) return;
  const [ids, holders] = [joining.map(({ id }) => id), joining.map(({ holder }) => holder)];
  await sql`
    WITH reported AS MATERIALIZED (
      SELECT t.holder, d.id, d.user_id, d.address
      FROM unnest(${ids}::bigint[], ${holders}::bigint[]) t (id, holder)
      JOIN deliveries d ON ${inMonthsOf(sql`d.run_id`, ids)} AND d.id = t.id
    ), held AS (
      UPDATE deliveries d SET sharers = coalesce(d.sharers, '{}') || t.users
      FROM (SELECT holder, address, array_agg(user_id) AS users FROM reported GROUP BY holder, address) t
      -- The holder may have left the address itself: then no message goes there.
      WHERE ${inMonthsOf(sql`d.run_id`, holders)} AND d.id = t.holder AND d.id = ANY(${holders}::bigint[])
        AND d.address = t.address AND d.status <> 'skipped'
      RETURNING d.id, d.status, d.address
    ), joined AS (
      UPDATE deliveries d SET shared_with = h.id
      FROM reported t JOIN held h ON h.id = t.holder AND h.address = t.address
      WHERE ${inMonthsOf(sql`d.run_id`, ids)} AND d.id = t.id
      RETURNING d.run_id, d.user_id, d.counted, h.status
    ), people AS (
      SELECT run_id, user_id, ${sharedWeight(sql`status`)} - ${alone} AS weight FROM joined WHERE counted
    ), ${updateTotals({ people: "people" })}
    SELECT`.execute(tx);
}
