import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { PREPARED } from "#server/db/prepared.ts";
import type { Change } from "./record.ts";

/** A delivery that is about to be sent. */
export type Beginning = { id: number; runId: number };

/** One commit of the journal. `at`: when `begun` began, by the database's clock. */
export type JournalEntry = { entry: number; at: Date; begun: number[] };

/**
 * Writes down what is about to be sent, and how what was sent before has ended. Committed when it returns. `begun` lacks
 * what was cancelled; undefined: the lease is over, and nothing was written.
 */
export async function writeJournal(
  db: Db,
  token: number,
  { begins, ended = [] }: { begins: readonly Beginning[]; ended?: readonly Change[] },
): Promise<JournalEntry | undefined> {
  const { rows } = await sql<JournalEntry>`${PREPARED}
    SELECT entry, at, begun FROM begin_deliveries(${token}, ${begins.map(({ id }) => id)}::bigint[],
      ${begins.map(({ runId }) => runId)}::bigint[], ${JSON.stringify(ended)}::json)`.execute(db);
  return rows[0];
}

/** What a worker that is gone has left in its journal. `open`: begun and not ended. */
export type Left = { token: number; upTo: number; open: { id: number; at: Date }[]; ended: Change[] };

/**
 * Ends the leases that have run out, for good, and returns what their workers left in their journals. It waits for what
 * is being written at this moment, and nothing is afterwards.
 */
export async function endLeases(db: Db): Promise<Left[]> {
  await sql`
    WITH over AS (
      SELECT token FROM workers WHERE lease_until < now() AND lease_until > '-infinity' ORDER BY token FOR UPDATE
    )
    UPDATE workers w SET lease_until = '-infinity' FROM over WHERE w.token = over.token`.execute(db);
  const { rows } = await sql<JournalEntry & { token: number; ended: Change[] }>`
    SELECT token, id AS entry, at, begun, ended FROM worker_journal j
    WHERE NOT EXISTS (SELECT FROM workers w WHERE w.token = j.token AND w.lease_until > '-infinity')
    ORDER BY token, id`.execute(db);
  return [...Map.groupBy(rows, ({ token }) => token)].map(([token, entries]) => {
    const ended = entries.flatMap((entry) => entry.ended);
    const known = new Set(ended.map(({ id }) => id));
    const open = entries.flatMap(({ at, begun }) => begun.map((id) => ({ id, at })));
    return { token, upTo: entries.at(-1)!.entry, open: open.filter(({ id }) => !known.has(id)), ended };
  });
}
