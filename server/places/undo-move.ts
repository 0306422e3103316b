import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import type { Residency } from "./residencies.ts";
import { forgetHome, nameShown, readHomes, writeHomes } from "./store.ts";

type Move = { id: number; before: Residency[]; after: Residency[] };

/** A person's last move if nothing about their homes has changed since; otherwise it can't be undone. */
export async function lastMove(db: Db, personId: number): Promise<Move | null> {
  const { rows } = await sql<Move & { undone: boolean }>`
    SELECT id, before, after, undone_at IS NOT NULL AS undone FROM home_changes
    WHERE person_id = ${personId} ORDER BY id DESC LIMIT 1`.execute(db);
  const [last] = rows;
  if (!last || last.undone) return null;
  const stored = (await readHomes(db, [personId])).get(personId);
  return isDeepStrictEqual(stored, last.after) ? last : null;
}

/** Puts a person's homes back to where they were before their last move, and their details with them. */
export async function undoMove(tx: Db, personId: number, { id, before, after }: Move): Promise<void> {
  const kept = new Set(after.map((one) => one.id));
  // What the move removed gets a new row.
  const back = before.map((one) => (kept.has(one.id) ? one : { ...one, id: 0 }));
  await writeHomes(tx, [{ personId, before: after, after: back }]);
  if (back.some((one) => one.shown)) await nameShown(tx, [personId]);
  else await forgetHome(tx, personId);
  await sql`UPDATE home_changes SET undone_at = now() WHERE id = ${id}`.execute(tx);
}
