import { sql, type RawBuilder } from "kysely";
import type { Db } from "#server/db/database.ts";
import { PIPELINED } from "#server/db/pipelined.ts";

/**
 * Deliveries, their attempts and events, and the people of runs are partitioned by month. The ids of a run and of its
 * deliveries begin with the month in which the run began (202611000000042), or with 0 if they are from before that.
 */

export const IDS_PER_MONTH = 1_000_000_000;

/** The month with which a run's or a delivery's id begins, in SQL. */
export const monthOfId = (id: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`${id} / ${sql.lit(IDS_PER_MONTH)}`;

/** A condition that is true of the ids that begin with this month, a number or an expression in SQL. */
export function beginsWith(
  key: RawBuilder<unknown>,
  month: number | RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (typeof month !== "number") {
    const ids = sql.lit(IDS_PER_MONTH);
    return sql`${key} BETWEEN ${month} * ${ids} AND (${month} + 1) * ${ids} - 1`;
  }
  const first = month * IDS_PER_MONTH;
  return sql`${key} BETWEEN ${sql.lit(first)} AND ${sql.lit(first + IDS_PER_MONTH - 1)}`;
}

/**
 * A condition that is true of everything with these ids. It names their months, so that PostgreSQL plans for those
 * partitions alone, and then looks a row up by its id. Naming a run beside an id is worse: until a new table has been
 * analyzed, the index of runs looks as good as the id's, and all of a run is read for each row.
 * @param key the column a table is partitioned by, `run_id` or `delivery_id`
 * @param ids of runs or deliveries; null: not known
 */
export function inMonthsOf(key: RawBuilder<unknown>, ids: readonly number[] | null): RawBuilder<unknown> {
  if (ids === null) return sql`true`;
  const months = [...new Set(ids.map((id) => Math.floor(id / IDS_PER_MONTH)))];
  if (months.length === 0) return sql`false`;
  return sql`(${sql.join(
    months.map((month) => beginsWith(key, month)),
    sql` OR `,
  )})`;
}

/** Creates the partitions of the month in which this run began, unless they exist. */
export async function createMonthOf(tx: Db, runId: number): Promise<void> {
  await sql`${PIPELINED}SELECT create_month(${Math.floor(runId / IDS_PER_MONTH)}::bigint)`.execute(tx);
}

/** Creates the partitions of this month and the next, unless they exist. */
export async function createMonthsAhead(db: Db): Promise<void> {
  await sql`SELECT create_month(month_of(now())), create_month(month_of(now() + interval '1 month'))`.execute(
    db,
  );
}

/** A statement that looks in all months locks the tables and indexes of each. */
const LOCKS_PER_MONTH = 10;
/** PostgreSQL lets one transaction take more than its share if others leave room. */
const SHARES = 4;

/** What the operator of the server should know before it runs out of locks; null if it has enough for its months. */
export async function warningOfFewLocks(db: Db): Promise<string | null> {
  const { rows } = await sql<{ months: number; locks: number }>`
    SELECT count(*) AS months, current_setting('max_locks_per_transaction')::int AS locks
    FROM pg_inherits WHERE inhparent = 'deliveries'::regclass`.execute(db);
  const { months, locks } = rows[0]!;
  if (months * LOCKS_PER_MONTH <= SHARES * locks) return null;
  return (
    `The database holds messages of ${months} months, and its max_locks_per_transaction is ${locks}. Set it to ` +
    `${SHARES * locks} and restart PostgreSQL. Otherwise it will refuse statements with "out of shared memory".`
  );
}
