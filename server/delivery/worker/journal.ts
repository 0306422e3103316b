import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { PREPARED } from "#server/db/prepared.ts";
import type { Change, JournalPart } from "./record.ts";

/** A delivery that is about to be sent. `claim`: how often it was claimed. */
export type Beginning = { id: number; claim: number; runId: number };

/** One commit of the journal. `at`: when `begun` began, by the database's clock. */
export type JournalEntry = { entry: number; at: Date; begun: number[] };

/**
 * Records which messages are about to be sent, and the outcomes of those before them. Committed when it returns. `begun`
 * leaves out what was cancelled; undefined: the lease is over, and nothing was written.
 */
export async function writeJournal(
  db: Db,
  token: number,
  { begins, ended = [] }: { begins: readonly Beginning[]; ended?: readonly Change[] },
): Promise<JournalEntry | undefined> {
  const { rows } = await sql<JournalEntry>`${PREPARED}
    SELECT entry, began AS at, begun FROM begin_deliveries(${token}, ${begins.map(({ id }) => id)}::bigint[],
      ${begins.map(({ claim }) => claim)}::int[], ${begins.map(({ runId }) => runId)}::bigint[],
      ${JSON.stringify(ended)}::json)`.execute(db);
  return rows[0];
}

/** What a worker that is gone has left in its journal. */
type Unsettled = { part: JournalPart; ended: Change[] };

/**
 * Ends the leases that have run out and returns what is left in the journals of workers without one. It waits for
 * entries that are being written at this moment, and nothing is written afterwards.
 */
export async function takeOverJournals(db: Db): Promise<Unsettled[]> {
  await sql`
    WITH over AS (SELECT token FROM workers WHERE lease_until < now() ORDER BY token FOR UPDATE)
    DELETE FROM workers w USING over WHERE w.token = over.token`.execute(db);
  const { rows } = await sql<JournalEntry & { token: number; claims: number[]; ended: Change[] }>`
    SELECT token, id AS entry, at, begun, claims, ended FROM worker_journal j
    WHERE NOT EXISTS (SELECT FROM workers w WHERE w.token = j.token)
    ORDER BY token, id`.execute(db);
  return [...Map.groupBy(rows, ({ token }) => token)].map(([token, entries]) => {
    const ended = entries.flatMap((entry) => entry.ended);
    const known = new Set(ended.map(({ id, claim }) => `${id} ${claim}`));
    const open = entries
      .flatMap(({ at, begun, claims }) => begun.map((id, index) => ({ id, claim: claims[index]!, at })))
      .filter(({ id, claim }) => !known.has(`${id} ${claim}`));
    return { part: { token, after: 0, upTo: entries.at(-1)!.entry, open }, ended };
  });
}
