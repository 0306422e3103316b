import { sql } from "kysely";
import type { api } from "#contract/api.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import type { UnseenFailures } from "#contract/calls/shell.ts";
import { mayTextConfirmation, unconfirmed } from "#server/audience/person.ts";
import type { Db } from "#server/db/database.ts";
import { inMonthsOf } from "#server/db/months.ts";
import { isFailure } from "#server/features/notifications/attention.ts";
import { needsDecision } from "#server/features/schedules/runs.ts";

/** Of `notifications n`: it failed someone since the person, `users u`, last looked. */
const isUnseenFailure = sql`${isFailure} AND n.updated_at > u.failures_seen_at`;

/**
 * What went wrong since the person last looked: notifications that did not reach someone (failed, bounced, expired or
 * missed), and schedules that need attention, as `listAttention` has them. And who wrote back.
 */
export async function readUnseenFailures(db: Db, userId: number): Promise<UnseenFailures> {
  // To the microsecond, as what it is compared with: a date of JavaScript's would be up to one millisecond before it.
  type Reply = NonNullable<UnseenFailures["firstReply"]>;
  type Row = Omit<UnseenFailures, "firstReply"> & { firstReply: Omit<Reply, "notificationId"> | null };
  const found = await sql<Row>`
    SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "asOf",
      replied.count AS replies, replied.first AS "firstReply", failed.count AS notifications, CASE WHEN failed.count = 1 THEN failed.id END AS "onlyNotification",
      CASE WHEN failed.count = 0 THEN 0 ELSE (
        SELECT count(*) FROM notifications n WHERE ${isFailure} AND n.list_time >= failed.earliest
      ) END AS reach, (
      SELECT count(*) FROM (
        SELECT s.id FROM schedule_occurrences o JOIN schedules s ON s.id = o.schedule_id
        WHERE ${needsDecision} AND o.at > u.schedule_failures_seen_at
        UNION
        SELECT s.id FROM schedules s WHERE s.problem_at > u.schedule_failures_seen_at AND s.deleted_at IS NULL
      ) needing
    ) AS schedules
    FROM users u, LATERAL (
      SELECT count(*) AS count, max(n.id) AS id, min(n.list_time) AS earliest FROM notifications n
      WHERE ${isUnseenFailure}
    ) failed, LATERAL (
      SELECT count(*)::int AS count, (array_agg(jsonb_build_object('deliveryId', e.delivery_id,
        'at', to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) ORDER BY e.at, e.id))[1] AS first
      FROM delivery_events e WHERE e.kind = 'replied' AND e.at > u.replies_seen_at
    ) replied
    WHERE u.id = ${userId}`.execute(db);
  const { firstReply, ...rest } = found.rows[0]!;
  if (!firstReply) return { ...rest, firstReply };
  // Apart, because every page asks this, and would have the deliveries of all months planned for.
  const { deliveryId } = firstReply;
  const of = await sql<{ notificationId: number }>`
    SELECT r.notification_id AS "notificationId" FROM deliveries d JOIN runs r ON r.id = d.run_id
    WHERE ${inMonthsOf(sql`d.run_id`, [deliveryId])} AND d.id = ${deliveryId}`.execute(db);
  const [delivery] = of.rows;
  // Its month may have been archived a moment ago.
  return { ...rest, firstReply: delivery ? { ...firstReply, ...delivery } : null };
}

type Unconfirmed = { email: string | null; phone: string | null; mayText: boolean };

/** Someone's own address and number, each while they have not confirmed that it is theirs; else null. */
export async function readUnconfirmed(db: Db, userId: number): Promise<Unconfirmed> {
  const found = await sql<Unconfirmed>`
    SELECT CASE WHEN ${unconfirmed.email} THEN u.email END AS email,
      CASE WHEN ${unconfirmed.sms} THEN u.phone END AS phone, ${mayTextConfirmation} AS "mayText"
    FROM users u WHERE u.id = ${userId}`.execute(db);
  return found.rows[0] ?? { email: null, phone: null, mayText: false };
}

const seenColumn = {
  notifications: "failures_seen_at",
  schedules: "schedule_failures_seen_at",
  replies: "replies_seen_at",
} as const;

/** Never moves backward, nor past now: what fails later still has to be looked at. */
export async function markFailuresSeen(
  db: Db,
  userId: number,
  { what, until }: BodyOf<typeof api.shell.seen>,
): Promise<void> {
  const column = sql.ref(seenColumn[what]);
  await sql`UPDATE users SET ${column} = greatest(${column}, least(${until}::timestamptz, now()))
    WHERE id = ${userId}`.execute(db);
}

export async function hasSample(db: Db): Promise<boolean> {
  const found = await sql`SELECT FROM sample_rows LIMIT 1`.execute(db);
  return found.rows.length > 0;
}
