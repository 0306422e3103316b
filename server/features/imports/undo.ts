import { sql } from "kysely";
import {
  type importResults,
  type KeptReason,
  UNDO_HOURS,
  type UndoProgress,
} from "#contract/calls/import-results.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { nameOf } from "#server/audience/person.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import type { UndoState } from "#server/db/schema.ts";
import { keptReason, undoable } from "#server/features/imports/kept-reason.ts";
import { findFinished, undoneUntil, undoOf } from "#server/features/imports/read-result.ts";
import { undoPeople } from "#server/features/imports/undo-people.ts";
import { holdPlaces } from "#server/features/places/save-property.ts";
import { actorNow } from "#server/features/people/who-may-change.ts";
import type { SessionBy } from "#server/http/route.ts";

const SHOWN = 200;

type Counted = { kind: string; reason: KeptReason | null; people: number };

/** What undoing an import would do. Only reads. */
export async function checkUndo(
  db: Db,
  id: number,
  actorId: number,
): Promise<ReplyOf<typeof importResults.checkUndo>> {
  await findFinished(db, id);
  const reason = keptReason(await actorNow(db, actorId));
  const counted = await sql<Counted>`
    SELECT kind, reason, count(*) AS people FROM (
      SELECT p.kind, ${reason} AS reason FROM import_people p LEFT JOIN users u ON u.id = p.person_id
      WHERE p.import_id = ${id} AND p.undone IS NULL AND ${undoable}) x GROUP BY kind, reason`.execute(db);
  const sum = (which: (one: Counted) => boolean) =>
    counted.rows.filter(which).reduce((all, { people }) => all + people, 0);
  const free = (kinds: readonly string[]) => sum((one) => one.reason === null && kinds.includes(one.kind));
  const staying = await sql<{ id: number; name: string; reason: KeptReason }>`
    SELECT * FROM (
      SELECT p.person_id AS id, coalesce(${nameOf("u")}, '') AS name, ${reason} AS reason
      FROM import_people p LEFT JOIN users u ON u.id = p.person_id
      WHERE p.import_id = ${id} AND p.undone IS NULL AND ${undoable}) x
    WHERE reason IS NOT NULL ORDER BY id LIMIT ${SHOWN}`.execute(db);
  return {
    removed: free(["new"]),
    movedBack: free(["out"]),
    restored: free(["changed", "same"]),
    kept: sum((one) => one.reason !== null),
    people: sum(() => true),
    staying: staying.rows,
  };
}

/** People per call. */
const CHUNK = 500;

/** Undoes an import for the next people, so that one that was interrupted goes on where it was. */
export async function undoNext(db: Db, id: number, by: SessionBy): Promise<UndoProgress> {
  return transaction(db, async (tx) => {
    await holdPlaces(tx);
    const found = await findFinished(tx, id, true);
    const state = found.undo ?? (await begun(tx, id, found.finished_at));
    if (state.done) return undoOf(state);
    const actor = await actorNow(tx, by.user.id);
    const { rows: next } = await sql<{ id: number }>`
      SELECT p.person_id AS id FROM import_people p
      WHERE p.import_id = ${id} AND ${undoable} AND p.person_id > ${state.after} ORDER BY p.person_id LIMIT ${CHUNK}`.execute(
      tx,
    );
    const ids = next.map((one) => one.id);
    const undone = await undoPeople(tx, found, { ids, actor, by });
    const reached: UndoState = {
      removed: state.removed + undone.removed,
      restored: state.restored + undone.restored,
      movedBack: state.movedBack + undone.movedBack,
      kept: state.kept + undone.kept,
      people: state.people,
      after: ids.at(-1) ?? state.after,
      done: ids.length < CHUNK,
    };
    await sql`UPDATE imports SET undo = ${JSON.stringify(reached)} WHERE id = ${id}`.execute(tx);
    if (reached.done) {
      const { after: _, done: __, people: ___, ...counts } = reached;
      await recordAudit(tx, {
        by,
        action: "user.undo-import",
        subject: { type: "user" },
        detail: { ...counts, file: found.name, importId: id },
      });
    }
    return undoOf(reached);
  });
}

async function begun(tx: Db, id: number, finishedAt: Date): Promise<UndoState> {
  if (undoneUntil(finishedAt) <= new Date()) throw refusal("import-undo-over", { hours: UNDO_HOURS });
  const { rows } = await sql<{ people: number }>`
    SELECT count(*) AS people FROM import_people p WHERE p.import_id = ${id} AND ${undoable}`.execute(tx);
  return { removed: 0, restored: 0, movedBack: 0, kept: 0, people: rows[0]!.people, after: 0, done: false };
}
