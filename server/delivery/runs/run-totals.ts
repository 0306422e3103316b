import { sql, type RawBuilder } from "kysely";
import {
  deliveryStatuses,
  deliveryStatusMeaning,
  personOutcomes,
  type DeliveryStatus,
  type PersonOutcome,
} from "#contract/delivery.ts";

/**
 * The totals of a run: `run_counts` counts its deliveries, `run_people` holds each person's outcome, `run_outcomes`
 * counts those. A statement that changes deliveries changes all three, with `updateTotals`.
 */

const SHARDS = 16;

type Moves = {
  /**
   * Names a CTE with a row for each delivery that moved: run_id, user_id, channel, was_status, was_reason (null for a
   * new delivery), status, reason, counted, and sharers as the row has them now.
   */
  moves?: string;
  /**
   * Names a CTE with run_id, user_id, weight: what persons gain or lose otherwise. A delivery that shares another's
   * address moves with that one, so it belongs here, and stands among `moves` with `counted` false.
   */
  people?: string;
  /** Of the worker that moves them: workers don't wait for each other's counters. Everyone else shares the first shard. */
  token?: number | undefined;
};

/**
 * The CTEs that update the totals beside the deliveries; they follow those they name. Every statement locks deliveries
 * first, then people in one order, then counters, so that no two statements deadlock. A transaction of several such
 * statements locks all its people before the first.
 */
export function updateTotals({ moves, people, token }: Moves): RawBuilder<unknown> {
  const shard = sql`${token === undefined ? 0 : 1 + (token % (SHARDS - 1))}::smallint`;
  const weights = [
    ...(moves === undefined ? [] : [weightsOf(sql.table(moves))]),
    ...(people === undefined ? [] : [sql`SELECT run_id, user_id, weight FROM ${sql.table(people)}`]),
  ];
  return sql`people_moved AS (
      INSERT INTO run_people AS p (user_id, run_id, tally, moved)
      SELECT user_id, run_id, sum(weight), sum(weight) FROM (${sql.join(weights, sql` UNION ALL `)}) m
      GROUP BY run_id, user_id HAVING sum(weight) <> 0 ORDER BY run_id, user_id
      ON CONFLICT (user_id, run_id) DO UPDATE SET tally = p.tally + excluded.tally, moved = excluded.moved
      RETURNING p.run_id, p.tally - p.moved AS was, p.tally
    ), outcomes_counted AS (
      INSERT INTO run_outcomes AS c (run_id, outcome, waiting, shard, count)
      SELECT run_id, ${outcomeOf(sql`tally`)}, ${isWaiting(sql`tally`)}, ${shard}, sum(n) FROM (
        SELECT run_id, was AS tally, -1 AS n FROM people_moved WHERE was <> 0
        UNION ALL
        SELECT run_id, tally, 1 FROM people_moved
      ) m
      GROUP BY 1, 2, 3 HAVING sum(n) <> 0 ORDER BY 1, 2, 3
      ON CONFLICT (run_id, outcome, waiting, shard) DO UPDATE SET count = c.count + excluded.count
    )${moves === undefined ? sql`` : sql`, counted AS (${countMoves(sql.table(moves), shard)})`}`;
}

function weightsOf(moves: RawBuilder<unknown>): RawBuilder<unknown> {
  const gain = (of: typeof weight) =>
    sql`${of(sql`status`, sql`reason`)} - coalesce(${of(sql`was_status`, sql`was_reason`)}, 0)`;
  return sql`
    SELECT run_id, user_id, ${gain(weight)} AS weight FROM ${moves} WHERE counted
    UNION ALL
    SELECT run_id, unnest(sharers), ${gain(sharedWeight)} FROM ${moves} WHERE counted AND sharers IS NOT NULL`;
}

function countMoves(moves: RawBuilder<unknown>, shard: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    INSERT INTO run_counts AS c (run_id, channel, status, reason, shard, count)
    SELECT run_id, channel, status, reason, ${shard}, sum(n) FROM (
      SELECT run_id, channel, was_status AS status, coalesce(was_reason, '') AS reason, -1 AS n
      FROM ${moves} WHERE was_status IS NOT NULL
      UNION ALL
      SELECT run_id, channel, status, coalesce(reason, ''), 1 FROM ${moves}
    ) m
    GROUP BY run_id, channel, status, reason HAVING sum(n) <> 0
    ORDER BY run_id, channel, status, reason
    ON CONFLICT (run_id, channel, status, reason, shard) DO UPDATE SET count = c.count + excluded.count`;
}

/** A run's counters with its shards summed: channel, status, reason, count. Rows that add up to zero are left out. */
export function countsOf(runId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`SELECT channel, status, reason, sum(count)::int AS count FROM run_counts
    WHERE run_id = ${runId} GROUP BY channel, status, reason HAVING sum(count) <> 0`;
}

/** How many people of a run had each outcome: outcome, waiting (a message of theirs may still change), count. */
export function outcomesOf(runId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`SELECT outcome, waiting, sum(count)::int AS count FROM run_outcomes
    WHERE run_id = ${runId} GROUP BY outcome, waiting HAVING sum(count) <> 0`;
}

/** The position of this outcome's digit in a tally, from the right. */
const digit = (outcome: PersonOutcome) => personOutcomes.length - 1 - personOutcomes.indexOf(outcome);
const one = (outcome: PersonOutcome) => sql.lit(16 ** digit(outcome));

const outcomeOfStatus: Record<Exclude<DeliveryStatus, "skipped">, PersonOutcome> = {
  queued: "waiting",
  sending: "waiting",
  accepted: "sent",
  delivered: "delivered",
  bounced: "failed",
  failed: "failed",
  uncertain: "unconfirmed",
  cancelled: "cancelled",
  expired: "failed",
};

/** What a delivery adds to its person's tally; null for no status. */
export function weight(status: RawBuilder<unknown>, reason: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(CASE ${status} ${whens((known) =>
    known === "skipped"
      ? sql`CASE ${reason} WHEN 'opted-out' THEN ${one("opted-out")} WHEN 'person-removed' THEN ${one("cancelled")}
          WHEN 'settled' THEN ${one("cancelled")}
          ELSE ${one("skipped")} END`
      : one(outcomeOfStatus[known]),
  )} END)::bigint`;
}

/** What a delivery to a shared address adds: by the status of the message that goes there. */
export function sharedWeight(status: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(CASE ${status} ${whens((known) => {
    if (known === "skipped") return one("skipped");
    return one(deliveryStatusMeaning[known].group === "reached" ? "shared" : outcomeOfStatus[known]);
  })} END)::bigint`;
}

function whens(then: (status: DeliveryStatus) => RawBuilder<unknown>): RawBuilder<unknown> {
  return sql.join(
    deliveryStatuses.map((status) => sql`WHEN ${sql.lit(status)} THEN ${then(status)}`),
    sql` `,
  );
}

const namesByDigit = personOutcomes.toReversed();

/** The best outcome in a tally: its leading digit. */
export function outcomeOf(tally: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${sql.lit(`{${namesByDigit.join(",")}}`)}::text[])[length(to_hex(${tally}))]`;
}

const waitingDigits = 15 * (16 ** digit("waiting") + 16 ** digit("unconfirmed"));

function isWaiting(tally: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${tally} & ${sql.lit(waitingDigits)}) <> 0`;
}
