import type { SkipIf } from "#contract/calls/detail-conditions.ts";
import { sql, type QueryResult, type RawBuilder } from "kysely";
import type { Channel } from "#contract/delivery.ts";
import { type Db, isTimeout, transaction } from "#server/db/database.ts";
import { createMonthOf, inMonthsOf } from "#server/db/months.ts";
import { PIPELINED } from "#server/db/pipelined.ts";
import { PREPARED } from "#server/db/prepared.ts";
import { countRowsAtOnce } from "#server/db/refresh-statistics.ts";
import { inAudience, type Audience } from "#server/audience/audience.ts";
import { span, emit } from "#server/telemetry/signals.ts";
import { updateTotals, sharedWeight } from "./run-totals.ts";
import { acceptedBy, type Sandbox } from "./accepted-at-once.ts";
import { priorityOf, timesOf } from "./departure.ts";
import { type NeededField, neededFields } from "#server/audience/details.ts";
import { elapsedMs, linesOfHomes, throughHome, type WholeHomes, wholeHomes } from "./whole-homes.ts";
import { eligibility, nameOf } from "#server/audience/person.ts";

/** The first chunk is small, so that sending begins at once. */
export const FIRST_CHUNK = 500;
const MOST = 5000;
/** How many people are fanned out while someone waits, and the smallest next chunk. */
export const FEW = 50;
/** Cancelling a run, or starting an emergency, waits for at most one chunk. */
const CHUNK_MS = 300;
/** What takes longer is undone and tried with fewer: the disk may have become slow since the last chunk. */
const LONGEST_CHUNK_MS = 900;

/**
 * The size of the next chunk, from how long the last one took the database. What else it waited for, such as a busy
 * process, a smaller one would wait for as well.
 */
export function nextChunk(most: number, ms: number): number {
  return Math.round(Math.min(MOST, Math.max(FEW, most * Math.min(2, CHUNK_MS / Math.max(1, ms)))));
}

export type Run = {
  id: number;
  notificationId: number;
  class: string;
  channels: Channel[];
  simulatedChannels: Channel[];
  audience: Audience;
  cursor: number;
  people: number;
  fields: NeededField[];
  traceparent: string | null;
  /** Each message carries a link that is made when it is sent. */
  passwordLink: boolean;
  /** It is the message by which a person confirms their address. Started at once, so no other process reads this. */
  toConfirm?: boolean;
  /** It goes to an address that has opted out, to confirm just that. */
  answersOptOut: boolean;
  /** Of the people of one home, one gets it. */
  perHome: boolean;
  /** Whom it leaves out. */
  skipIf: SkipIf | null;
  /** A condition on `users u`: the audience, where it has been read already. */
  among?: RawBuilder<boolean>;
};

/** `queued`: there is something new to claim. `ms`: how long its statements took the database. */
type Spread = { runId: number; people: number; queued: boolean; done: boolean; ms: number };

type Which = {
  /** Only this run, in the caller's transaction if there is one, using the addresses of this moment. */
  runId?: number;
  /** The same, for one that the caller's transaction has made. */
  run?: Run;
  /** Only emergencies, in a process that does nothing else. */
  emergency?: boolean;
  sandbox?: Sandbox;
};

/**
 * Creates deliveries for the next people of a run, up to `most`, and records how far it came in the same transaction,
 * so that after a crash another process continues from there. It holds the run for less than a second, except when one
 * person alone takes longer, or in the caller's transaction. Null when no run needs it, or others are working on it.
 */
export async function fanOutSome(db: Db, most: number = MOST, which: Which = {}): Promise<Spread | null> {
  for (let people = most; ; people = Math.ceil(Math.min(people, FIRST_CHUNK) / 8)) {
    try {
      return await fanOutChunk(db, people, which, people > 1 && !db.isTransaction);
    } catch (error) {
      if (people === 1 || db.isTransaction || !isTimeout(error)) throw error;
    }
  }
}

async function fanOutChunk(db: Db, most: number, which: Which, limited: boolean): Promise<Spread | null> {
  const began = performance.now();
  const spread = await transaction(db, async (tx) => {
    const run = which.run ?? (await nextRun(tx, which));
    if (!run) return null;
    try {
      const options = { parent: run.traceparent, attributes: { "porchlight.run_id": run.id } };
      return await span("fan out", options, () => fanOutNext(tx, run, most, which, limited));
    } catch (error) {
      // For the log.
      throw Object.assign(error as Error, { runId: run.id });
    }
  });
  if (spread) emit("fanOut", { people: spread.people, seconds: (performance.now() - began) / 1000 });
  return spread;
}

async function fanOutNext(tx: Db, run: Run, most: number, which: Which, limited: boolean): Promise<Spread> {
  // Usually it exists, but the scheduler may have been off for months, or the clock wrong.
  await createMonthOf(tx, run.id);
  const limit = async (ms: number) => {
    const left = sql.lit(Math.max(1, Math.round(ms)));
    if (limited) await sql`${PIPELINED}SET LOCAL statement_timeout = ${left}`.execute(tx);
  };
  await limit(LONGEST_CHUNK_MS);
  const chunk = run.people < FIRST_CHUNK ? Math.min(FIRST_CHUNK, most) : most;
  const among = run.among ?? (await inAudience(tx, run.audience));
  const { next, ms: chosen } = await nextPersons(tx, run, among, chunk);
  const done = next.length < chunk;
  const homes = run.perHome ? await wholeHomes(tx, run.id, next, among) : undefined;
  const persons = homes ? homes.fresh.map(({ id }) => id) : next;
  const found = chosen + (homes?.ms ?? 0);
  await limit(LONGEST_CHUNK_MS - found);
  const { queued, ms } =
    persons.length > 0 ? await spread(tx, run, persons, which.sandbox, homes) : { queued: false, ms: 0 };
  await sql`${PIPELINED}
      UPDATE runs SET fanout_cursor = ${next.at(-1) ?? run.cursor}, people = people + ${persons.length},
        state = ${done ? "sending" : "fanning-out"}
      WHERE id = ${run.id}`.execute(tx);
  if (persons.length >= FIRST_CHUNK) await countRowsAtOnce(tx);
  return { runId: run.id, people: persons.length, queued, done, ms: found + ms };
}

/**
 * Picks an open run, emergencies first, in turn, so that one that fails holds up no other. Its lock still allows
 * counting. Cancelling the run waits for the chunk and then sees all of it.
 */
async function nextRun(tx: Db, { runId, emergency }: Which): Promise<Run | undefined> {
  const { rows } = await sql<Run>`${PREPARED}
    SELECT r.id, r.notification_id AS "notificationId", r.class, r.channels, r.simulated_channels AS "simulatedChannels", r.audience,
      r.fanout_cursor AS cursor, r.people, r.traceparent,
      ${neededFields(sql`v.compiled`)} AS fields,
      v.compiled ? 'passwordLink' AS "passwordLink", r.answers_opt_out AS "answersOptOut",
      r.per_home AS "perHome", r.skip_if AS "skipIf"
    FROM runs r JOIN content_versions v ON v.id = r.content_version_id
    WHERE r.state = 'fanning-out' ${runId === undefined ? sql`` : sql`AND r.id = ${runId}`}
      ${emergency ? sql`AND r.class = 'emergency'` : sql``}
    ORDER BY r.class <> 'emergency', random() LIMIT 1 FOR NO KEY UPDATE OF r SKIP LOCKED`.execute(tx);
  return rows[0];
}

async function nextPersons(
  tx: Db,
  run: Run,
  among: RawBuilder<boolean>,
  most: number,
): Promise<{ next: number[]; ms: number }> {
  const { rows } = await sql<{ id: number; ms: number }>`
    SELECT u.id, ${elapsedMs} AS ms FROM users u WHERE u.id > ${run.cursor} AND ${among}
    ORDER BY u.id LIMIT ${most}`.execute(tx);
  return { next: rows.map(({ id }) => id), ms: rows.at(-1)?.ms ?? 0 };
}

type Placed = Pick<Spread, "queued" | "ms">;

/** One statement per chunk. Repeating a chunk changes nothing, because the rows exist. */
async function spread(
  tx: Db,
  run: Run,
  persons: readonly number[],
  sandbox?: Sandbox,
  homes?: WholeHomes,
): Promise<Placed> {
  // The joins below read one chunk, but the planner expects a few rows whatever its statistics say and would compare
  // each row with every other. Index lookups are therefore LATERAL with OFFSET 0.
  await sql`${PIPELINED}SET LOCAL enable_nestloop = off`.execute(tx);
  // Before PostgreSQL 18, that makes a plan look so expensive that it is compiled first, which takes seconds.
  await sql`${PIPELINED}SET LOCAL jit = off`.execute(tx);
  const statement = spreadStatement(run, persons, sandbox, homes);
  const { rows } = await (persons.length <= FEW ? planOnce(tx, statement) : statement.execute(tx));
  await sql`${PIPELINED}SET LOCAL enable_nestloop TO DEFAULT`.execute(tx);
  return rows[0]!;
}

/** Planning takes longer than a small chunk. A large one needs a plan for its size. */
async function planOnce<Row>(tx: Db, statement: RawBuilder<Row>): Promise<QueryResult<Row>> {
  // Otherwise PostgreSQL plans it for its values each time, because it does not count the time that planning takes.
  await sql`${PIPELINED}SET LOCAL plan_cache_mode = force_generic_plan`.execute(tx);
  const result = await sql<Row>`${PREPARED}${statement}`.execute(tx);
  await sql`${PIPELINED}SET LOCAL plan_cache_mode TO DEFAULT`.execute(tx);
  return result;
}

function spreadStatement(
  run: Run,
  persons: readonly number[],
  sandbox?: Sandbox,
  homes?: WholeHomes,
): RawBuilder<Placed> {
  // The month, because a plan that is kept doesn't know the run.
  const ofMonth = inMonthsOf(sql`d.run_id`, [run.id]);
  const ofRun = sql`${ofMonth} AND d.run_id = ${run.id}`;
  const columnsOfLines = sql`u.id AS user_id, c.channel, a.address, j.reason, j.detail, ${nameOf("u")} AS name,
        u.property_unit, f.values AS field_values, ${acceptedBy(run, sandbox)} AS account_id`;
  const found = eligibility(run.channels, run.fields, run);
  const lines = homes
    ? linesOfHomes(homes, persons, { columns: columnsOfLines, found, ofRun })
    : sql`SELECT ${columnsOfLines} FROM ${found} WHERE u.id = ANY(${persons}::bigint[])`;
  return sql`
    WITH lines AS MATERIALIZED (
      ${lines}
    ), shared AS MATERIALIZED (
      -- Of several persons with one address the first gets the message.
      SELECT channel, address, min(${homes ? sql`head` : sql`user_id`}) AS first, array_agg(user_id) AS users FROM lines
      WHERE reason IS NULL GROUP BY channel, address HAVING count(*) > 1
    ), placed AS (
      INSERT INTO deliveries (${columns}, sharers, account_id, lease_token, attempts, accepted_at, delivered_at)
      SELECT ${values(
        run,
        sql`CASE WHEN l.reason IS NOT NULL THEN 'skipped'
          WHEN l.account_id IS NOT NULL THEN 'delivered' ELSE 'queued' END`,
      )}, l.reason, l.detail,
        array_remove(s.users, l.user_id), l.account_id,
        ${ifAccepted(sql`${sandbox?.token ?? null}::bigint`)}, (l.account_id IS NOT NULL)::int,
        ${ifAccepted(sql`now()`)}, ${ifAccepted(sql`now()`)}
      FROM lines l
      LEFT JOIN shared s ON l.reason IS NULL AND s.channel = l.channel AND s.address = l.address
      WHERE s.first IS NULL OR s.first = l.user_id
      ORDER BY l.user_id
      -- It has been placed before, or an earlier chunk has somebody with the same address.
      ON CONFLICT DO NOTHING
      RETURNING id, user_id, person_name, channel, address, status, reason, counted, sharers, account_id, lease_token
    ), tried AS (
      INSERT INTO attempts (delivery_id, n, account_id, lease_token, started_at, outcome)
      SELECT id, 1, account_id, lease_token, now(), 'accepted' FROM placed WHERE account_id IS NOT NULL
    ), left_over AS MATERIALIZED (
      SELECT l.user_id, l.channel, l.address FROM lines l
      WHERE l.reason IS NULL AND NOT EXISTS (SELECT FROM placed p
        WHERE p.status <> 'skipped' AND p.channel = l.channel AND p.address = l.address)
    ), late AS MATERIALIZED (
      SELECT l.user_id, l.channel, holder.id AS holder
      FROM left_over l
      LEFT JOIN LATERAL (
        SELECT d.id FROM deliveries d WHERE ${ofRun} AND d.channel = l.channel
          AND d.address = l.address AND d.status <> 'skipped' OFFSET 0) holder ON true
      WHERE NOT EXISTS (SELECT FROM deliveries d
        WHERE ${ofRun} AND d.user_id = l.user_id AND d.channel = l.channel OFFSET 0)
    ), joined AS (
      -- Waits for whoever is moving the holder at this moment, and reads where it stands then.
      UPDATE deliveries d SET sharers = coalesce(d.sharers, '{}') || n.users
      FROM (SELECT holder, array_agg(user_id) AS users FROM late GROUP BY holder) n
      WHERE ${ofMonth} AND d.id = n.holder AND d.id = ANY(ARRAY(SELECT holder FROM late))
      RETURNING d.id, d.person_name, d.status, d.counted, n.users
    ), sharing AS (
      INSERT INTO deliveries (${columns}, shared_with)
      SELECT ${values(run, sql`'skipped'`)},
        ${homes ? throughHome : sql`'same-address', h.person_name`}, h.id
      FROM lines l
      JOIN (
        SELECT p.channel, unnest(p.sharers) AS user_id, p.id, p.person_name FROM placed p
        UNION ALL
        SELECT late.channel, late.user_id, j.id, j.person_name FROM late LEFT JOIN joined j ON j.id = late.holder
      ) h USING (user_id, channel)
      ORDER BY l.user_id
      RETURNING run_id, user_id, channel, status, reason, counted, shared_with
    ), moves AS (
      SELECT ${run.id}::bigint AS run_id, user_id, channel, NULL::text AS was_status, NULL::text AS was_reason, status,
        reason, counted, sharers FROM placed
      UNION ALL
      SELECT run_id, user_id, channel, NULL, NULL, status, reason, counted AND shared_with IS NULL, NULL FROM sharing
    ), people AS (
      SELECT ${run.id}::bigint AS run_id, unnest(users) AS user_id, ${sharedWeight(sql`status`)} AS weight
      FROM joined WHERE counted
    ), ${updateTotals({ moves: "moves", people: "people" })}
    SELECT queued, people, ${elapsedMs} AS ms FROM (
      SELECT EXISTS (SELECT FROM placed WHERE status = 'queued') AS queued,
        -- Only then they are counted.
        (SELECT count(*) FROM people_moved)::int AS people OFFSET 0) whole`;
}

const columns = sql`id, run_id, user_id, channel, address, priority, due_at, expires_at, field_values, person_name, person_unit,
  simulated, counted, status, reason, detail`;

function values(run: Run, status: RawBuilder<unknown>): RawBuilder<unknown> {
  const simulated = sql`l.channel = ANY(${run.simulatedChannels}::text[])`;
  const counted = run.simulatedChannels.length === run.channels.length ? sql`true` : sql`NOT ${simulated}`;
  const { dueAt, expiresAt } = timesOf(run.class, sql`l.channel`);
  return sql`next_delivery_id(${run.id}::bigint), ${run.id}::bigint, l.user_id, l.channel, l.address, ${priorityOf(run.class)}::int,
    ${dueAt}, ${expiresAt}, l.field_values, l.name, l.property_unit, ${simulated}, ${counted},
    ${status}`;
}

const ifAccepted = (value: RawBuilder<unknown>) => sql`CASE WHEN l.account_id IS NOT NULL THEN ${value} END`;
