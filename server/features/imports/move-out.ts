import { sql } from "kysely";
import { recordAudits } from "#server/db/audit.ts";
import type { Db } from "#server/db/database.ts";
import { note } from "#server/features/imports/note-did.ts";
import type { StagedImport } from "#server/features/imports/staged.ts";
import type { By } from "#server/http/route.ts";
import { type Leaving, moveOut } from "#server/places/move-out.ts";

/** People per transaction. */
const CHUNK = 500;

/**
 * Moves out the next of those whom the rows call past tenants, or who aren't in a complete file, and no row is about
 * otherwise, once all rows are imported. Returns how many, and whether there may be more.
 */
export async function moveOutLeaving(
  tx: Db,
  { id, name: file }: StagedImport,
  by: By,
): Promise<{ movedOut: number; more: boolean }> {
  const { rows: leaving } = await sql<Leaving>`
    SELECT u.id, p.day::text AS day, p.properties FROM import_people p JOIN users u ON u.id = p.person_id AND u.deleted_at IS NULL
    WHERE p.import_id = ${id} AND p.kind = 'leaving' ORDER BY u.id LIMIT ${CHUNK} FOR NO KEY UPDATE OF u`.execute(
    tx,
  );
  if (leaving.length === 0) return { movedOut: 0, more: false };
  const left = await moveOut(tx, leaving, by.user.id);
  const out = new Set(left.map((one) => one.id));
  await note(tx, id, new Map(leaving.map((one) => [one.id, out.has(one.id) ? "out" : "seen"])));
  const { rows: units } = await sql<{ id: number; home: string }>`
    SELECT h.id, trim(p.name || ' ' || h.written) AS home FROM units h JOIN properties p ON p.id = h.property_id
    WHERE h.id = ANY(${left.map(({ unitId }) => unitId)}::bigint[])`.execute(tx);
  const names = new Map(units.map((unit) => [unit.id, unit.home]));
  await recordAudits(
    tx,
    left.map((one) => ({
      by,
      action: "residency.move-out" as const,
      subject: { type: "user", id: one.id },
      detail: { by: "import", file, importId: id, home: names.get(one.unitId), day: one.day },
    })),
  );
  return { movedOut: left.length, more: leaving.length === CHUNK };
}
