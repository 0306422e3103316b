import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Channel } from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";
import type { Audience } from "#server/audience/audience.ts";
import { inAudience } from "#server/audience/audience.ts";
import { lifetime, priorityOf } from "./expiry.ts";
import { judged, personName, personValuesSql } from "#server/audience/person.ts";
import { countMoves } from "./run-counts.ts";

const CHUNK = 5000;
/** The first are few, so that sending begins at once. */
const FIRST_CHUNK = 500;

type Run = {
  id: number;
  class: string;
  channels: Channel[];
  audience: Audience;
  cursor: number;
  fields: string[];
};

export type Spread = { runId: number; done: boolean };

/**
 * Spreads the next few thousand persons of some run into deliveries, and notes how far it came in the same
 * transaction: whoever goes on after a crash begins there. Null when no run wants it, or others are at it.
 */
export function fanOutSome(db: Db, most: number = CHUNK): Promise<Spread | null> {
  return db.transaction().execute(async (tx) => {
    const run = await nextRun(tx);
    if (!run) return null;
    const chunk = run.cursor === 0 ? Math.min(FIRST_CHUNK, most) : most;
    const persons = await spread(tx, run, chunk);
    return { runId: run.id, done: persons < chunk };
  });
}

/**
 * Any of the open ones, emergencies first: in turn, so that one that cannot be spread holds up no other. Its lock
 * lets counting go on; who wants to cancel the run waits for the chunk, and finds all of it.
 */
async function nextRun(tx: Db): Promise<Run | undefined> {
  const { rows } = await sql<Run>`
    SELECT r.id, r.class, r.channels, r.audience, r.fanout_cursor AS cursor,
      ARRAY(SELECT jsonb_array_elements_text(v.compiled -> 'fields')) AS fields
    FROM runs r JOIN content_versions v ON v.id = r.content_version_id
    WHERE r.state = 'fanning-out'
    ORDER BY r.class <> 'emergency', random() LIMIT 1 FOR NO KEY UPDATE OF r SKIP LOCKED`.execute(tx);
  return rows[0];
}

/** One statement a chunk. Doing a chunk again changes nothing: the rows are there. Returns the persons in it. */
async function spread(tx: Db, run: Run, chunk: number): Promise<number> {
  const among = await inAudience(tx, run.audience);
  const { rows } = await sql<{ persons: number }>`
    WITH persons AS MATERIALIZED (
      SELECT u.id FROM users u WHERE u.id > ${run.cursor} AND ${among} ORDER BY u.id LIMIT ${chunk}
    ), lines AS MATERIALIZED (
      SELECT u.id AS user_id, c.channel, a.address, j.reason, j.detail, ${personName} AS name, u.property_unit,
        ${personValuesSql(run.fields)} AS field_values
      FROM ${judged(run.channels, run.fields)}
      WHERE u.id IN (SELECT id FROM persons)
    ), placed AS (
      INSERT INTO deliveries (${columns})
      SELECT ${values(run, sql`CASE WHEN l.reason IS NULL THEN 'queued' ELSE 'skipped' END`)}, l.reason, l.detail
      FROM lines l ORDER BY l.user_id
      -- Of several persons with one address only the first finds it free, in whichever chunk they are.
      ON CONFLICT DO NOTHING
      RETURNING run_id, user_id, person_name, address, channel, status, reason
    ), sharing AS (
      INSERT INTO deliveries (${columns})
      SELECT ${values(run, sql`'skipped'`)}, 'same-address', coalesce(here.person_name, earlier.person_name)
      FROM lines l
      LEFT JOIN placed here ON here.status = 'queued' AND here.channel = l.channel AND here.address = l.address
      LEFT JOIN deliveries earlier ON earlier.run_id = ${run.id} AND earlier.channel = l.channel
        AND earlier.address = l.address AND earlier.status <> 'skipped'
      WHERE NOT EXISTS (SELECT FROM placed p WHERE p.user_id = l.user_id AND p.channel = l.channel)
      ON CONFLICT DO NOTHING
      RETURNING run_id, channel, status, reason
    ), moves AS (
      SELECT run_id, channel, NULL::text AS was_status, NULL::text AS was_reason, status, reason FROM placed
      UNION ALL
      SELECT run_id, channel, NULL, NULL, status, reason FROM sharing
    ), counted AS (${countMoves("moves")}), noted AS (
      UPDATE runs SET fanout_cursor = coalesce(p.last, fanout_cursor), people = people + p.count,
        state = CASE WHEN p.count < ${chunk} THEN 'sending' ELSE state END
      FROM (SELECT max(id) AS last, count(*) AS count FROM persons) p
      WHERE runs.id = ${run.id}
    )
    SELECT count(*) AS persons FROM persons`.execute(tx);
  return rows[0]?.persons ?? 0;
}

const columns = sql`run_id, user_id, channel, address, priority, expires_at, field_values, person_name, person_unit,
  status, reason, detail`;

function values(run: Run, status: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${run.id}::bigint, l.user_id, l.channel, l.address, ${priorityOf(run.class)}::int,
    now() + ${lifetime(run.class, sql`l.channel`)}, l.field_values, l.name, l.property_unit, ${status}`;
}
