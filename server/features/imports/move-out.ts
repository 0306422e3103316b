import { sql } from "kysely";
import { recordAudits } from "#server/db/audit.ts";
import type { Db } from "#server/db/database.ts";
import { note } from "#server/features/imports/note-did.ts";
import type { StagedImport } from "#server/features/imports/staged.ts";
import type { By } from "#server/http/route.ts";
import { type Leaving, moveOut } from "#server/places/move-out.ts";

/**
 * Moves out whom the rows call past tenants and no row is about otherwise, in the last transaction of an import. Returns
 * how many.
 */
export async function moveOutLeaving(tx: Db, { id, name: file }: StagedImport, by: By): Promise<number> {
  const { rows: leaving } = await sql<Leaving>`
    SELECT u.id, p.day::text AS day FROM import_people p JOIN users u ON u.id = p.person_id AND u.deleted_at IS NULL
    WHERE p.import_id = ${id} AND p.kind = 'leaving' ORDER BY u.id FOR NO KEY UPDATE OF u`.execute(tx);
  if (leaving.length === 0) return 0;
  const left = await moveOut(tx, leaving, by.user.id);
  await note(tx, id, new Map(left.map((one) => [one.id, "out"])));
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
  return left.length;
}
