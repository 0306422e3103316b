import { sql } from "kysely";
import { channels, messageClasses, type Channel, type MessageClass } from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";
import { inMonthsOf } from "#server/db/months.ts";
import { priorityOf } from "#server/delivery/runs/departure.ts";
import { openMonths } from "#server/delivery/open-months.ts";

export type State = {
  queue: { channel: Channel; class: MessageClass; status: string; count: number }[];
  oldest: { channel: Channel; class: MessageClass; age: number }[];
  accounts: { channel: Channel; account_id: number; account: string; accepts: number }[];
  single: Record<
    "fanOutRuns" | "fanOutAge" | "receipts" | "receiptsAge" | "schedulerLag" | "workers" | "clockOffset",
    number
  >;
};

/** A backlog beyond this is counted no further. */
const MOST_RECEIPTS = 10_000;

const age = (of: ReturnType<typeof sql>) =>
  sql`greatest(0, coalesce(extract(epoch FROM now() - ${of}), 0))::float8`;

/**
 * The state of the whole installation, ages in seconds. Cheap at any size: it reads counters of open runs and the ends
 * of partial indexes, and counts no table.
 */
export async function readState(db: Db): Promise<State> {
  const queue = await sql<State["queue"][number]>`
    SELECT c.channel, r.class, c.status, sum(c.count)::int AS count FROM runs r JOIN run_counts c ON c.run_id = r.id
    WHERE r.state IN ('fanning-out', 'sending') AND c.status IN ('queued', 'sending', 'uncertain')
    GROUP BY c.channel, r.class, c.status`.execute(db);
  // One look into the index of what is ready for each combination, in each month that can have something.
  const inOpenMonths = inMonthsOf(sql`d.run_id`, await openMonths(db));
  const classes = messageClasses.map((name) => sql`(${name}, ${priorityOf(name)}::int)`);
  const oldest = await sql<State["oldest"][number]>`
    SELECT c.channel, k.class, ${age(sql`min(d.due_at)`)} AS age
    FROM unnest(${channels}::text[]) c (channel), (VALUES ${sql.join(classes)}) k (class, priority),
      (VALUES (true), (false)) s (simulated)
      LEFT JOIN LATERAL (
        SELECT due_at FROM deliveries d
        WHERE d.status = 'queued' AND d.channel = c.channel AND d.simulated = s.simulated AND d.priority = k.priority
          AND ${inOpenMonths}
          -- What someone paused by turning its accounts off is not late.
          AND EXISTS (SELECT FROM accounts a WHERE a.enabled AND a.channel = c.channel AND a.simulated = s.simulated)
        ORDER BY due_at LIMIT 1) d ON true
    GROUP BY c.channel, k.class`.execute(db);
  const accounts = await sql<State["accounts"][number]>`
    SELECT channel, id AS account_id, name AS account, (state = 'ok')::int AS accepts
    FROM accounts WHERE enabled`.execute(db);
  const asked = Date.now();
  const single = await sql<State["single"] & { now: Date }>`
    SELECT clock_timestamp() AS now,
      (SELECT count(*) FROM workers WHERE lease_until > now())::int AS workers,
      fan_out.runs AS "fanOutRuns", fan_out.age AS "fanOutAge", waiting.receipts, waiting.age AS "receiptsAge",
      ${age(sql`least(
        (SELECT min(scheduled_time) FROM notifications WHERE status = 'Scheduled'),
        (SELECT min(next_run_at) FROM schedules WHERE active AND deleted_at IS NULL),
        (SELECT min(dates_at) FROM schedules WHERE active AND deleted_at IS NULL))`)} AS "schedulerLag"
    FROM (SELECT count(*)::int AS runs, ${age(sql`min(created_at)`)} AS age
        FROM runs WHERE state = 'fanning-out') fan_out,
      (SELECT count(*)::int AS receipts, ${age(sql`min(retry_at)`)} AS age
        FROM (SELECT retry_at FROM receipts WHERE processed_at IS NULL AND retry_at <= now()
          ORDER BY retry_at LIMIT ${MOST_RECEIPTS}) r) waiting`.execute(db);
  const { now, ...figures } = single.rows[0]!;
  const clockOffset = ((asked + Date.now()) / 2 - now.getTime()) / 1000;
  return {
    queue: queue.rows,
    oldest: oldest.rows,
    accounts: accounts.rows,
    single: { ...figures, clockOffset },
  };
}
