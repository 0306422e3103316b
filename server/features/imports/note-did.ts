import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import type { Did } from "#server/features/csv/import-people.ts";
import type { Leaving } from "#server/places/move-out.ts";

/** From the weakest to the strongest: of someone whom several rows are about, the strongest stays. */
const strengths = ["leaving", "seen", "same", "changed", "out", "new"] as const;
export type NotedKind = (typeof strengths)[number];

/** Notes to whom an import did something, in the transaction that did it. */
export async function noteDid(tx: Db, importId: number, did: Did): Promise<void> {
  const kinds = new Map<number, NotedKind>([
    ...did.mentioned.map((id) => [id, "seen"] as const),
    ...did.unchanged.map((id) => [id, "same"] as const),
    ...did.updated.map((id) => [id, "changed"] as const),
    ...did.created.map((id) => [id, "new"] as const),
  ]);
  await note(tx, importId, kinds);
  await noteLeaving(tx, importId, did.leaving);
  const joined = Map.groupBy(did.joined, ({ userId }) => userId);
  if (joined.size > 0)
    await sql`
      UPDATE import_people p SET joined = coalesce(p.joined, '{}') || ARRAY(SELECT jsonb_array_elements_text(x.groups)::bigint)
      FROM unnest(${[...joined.keys()]}::bigint[], ${[...joined.values()].map((own) => JSON.stringify(own.map(({ groupId }) => groupId)))}::jsonb[])
        AS x (id, groups)
      WHERE p.import_id = ${importId} AND p.person_id = x.id`.execute(tx);
}

/** Notes who is to be moved out once all rows are imported, unless one of them is about that person otherwise. */
async function noteLeaving(tx: Db, importId: number, leaving: readonly Leaving[]): Promise<void> {
  if (leaving.length === 0) return;
  await note(tx, importId, new Map(leaving.map(({ id }) => [id, "leaving"])));
  await sql`
    UPDATE import_people p SET day = x.day
    FROM unnest(${leaving.map(({ id }) => id)}::bigint[], ${leaving.map(({ day }) => day)}::date[]) AS x (id, day)
    WHERE p.import_id = ${importId} AND p.person_id = x.id`.execute(tx);
}

export async function note(tx: Db, importId: number, kinds: ReadonlyMap<number, NotedKind>): Promise<void> {
  if (kinds.size === 0) return;
  const strength = (kind: string) => sql`array_position(${[...strengths]}::text[], ${sql.ref(kind)})`;
  await sql`
    INSERT INTO import_people AS p (import_id, person_id, kind)
    SELECT ${importId}::bigint, id, kind FROM unnest(${[...kinds.keys()]}::bigint[], ${[...kinds.values()]}::text[]) AS x (id, kind)
    ON CONFLICT (import_id, person_id) DO UPDATE SET
      kind = CASE WHEN ${strength("excluded.kind")} > ${strength("p.kind")} THEN excluded.kind ELSE p.kind END,
      at = CASE WHEN excluded.kind IN ('changed', 'out', 'new') OR ${strength("excluded.kind")} > ${strength("p.kind")} THEN excluded.at ELSE p.at END`.execute(
    tx,
  );
}
