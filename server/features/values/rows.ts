import { sql } from "kysely";
import type { RowTrouble, values as calls, ValueRow } from "#contract/calls/values.ts";
import type { QueryOf } from "#contract/endpoint.ts";
import { nameOf } from "#server/audience/person.ts";
import type { Db } from "#server/db/database.ts";
import type { StoredTrouble } from "#server/db/schema.ts";
import { containing, folded } from "#server/db/like.ts";
import type { Page } from "#server/http/route.ts";
import { rowsOf, type StagedValues } from "#server/features/values/staged-values.ts";

const those = {
  "to-fix": sql<boolean>`r.troubles <> '[]'`,
  ready: sql<boolean>`r.troubles IS NULL`,
  all: sql<boolean>`true`,
};

/** One page of the rows, by their numbers, with whom each is for. */
export async function listRows(
  db: Db,
  values: StagedValues,
  { only, q = "", page, pageSize }: QueryOf<typeof calls.rows>,
): Promise<Page<ValueRow>> {
  const search =
    q === "" ? sql<boolean>`true` : sql<boolean>`${folded(sql`r.cells::text`)} LIKE ${containing(q)}`;
  const which = sql<boolean>`${rowsOf(values)} AND ${those[only]} AND ${search}`;
  const [{ rows }, counted] = await Promise.all([
    sql<StoredRow>`
      SELECT r.line, r.cells,
        CASE WHEN r.troubles IS NULL THEN 'ready' WHEN r.troubles = '[]' THEN 'left-out' ELSE 'to-fix' END AS state,
        coalesce(r.troubles, '[]') AS troubles, coalesce(p.people, '[]') AS people, coalesce(p.own, '{}') AS values
      FROM (SELECT * FROM import_rows r WHERE ${which} ORDER BY r.line LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}) r
      LEFT JOIN LATERAL (
        SELECT jsonb_agg(jsonb_build_object('userId', u.id, 'name', ${nameOf("u")}, 'propertyUnit', u.property_unit)
          ORDER BY u.id) AS people, (array_agg(v.field_values) FILTER (WHERE v.field_values IS NOT NULL))[1] AS own
        FROM (SELECT unnest(r.people) AS id
            UNION SELECT user_id FROM person_values WHERE values_id = ${values.id} AND line = r.line) meant
          JOIN users u USING (id)
          LEFT JOIN person_values v ON v.values_id = ${values.id} AND v.line = r.line AND v.user_id = u.id) p ON true
      ORDER BY r.line`.execute(db),
    sql<{ total: number }>`SELECT count(*) AS total FROM import_rows r WHERE ${which}`.execute(db),
  ]);
  return { rows: await nameCandidates(db, rows), total: counted.rows[0]?.total ?? 0 };
}

type StoredRow = Omit<ValueRow, "troubles"> & { troubles: StoredTrouble[] };

/** The rows with their candidates' names. */
async function nameCandidates(db: Db, rows: readonly StoredRow[]): Promise<ValueRow[]> {
  const ids = rows.flatMap(({ troubles }) => troubles.flatMap(({ candidates = [] }) => candidates));
  const { rows: people } = await sql<{ id: number; name: string; propertyUnit: string | null }>`
    SELECT u.id, ${nameOf("u")} AS name, u.property_unit AS "propertyUnit" FROM users u
    WHERE u.id = ANY(${[...new Set(ids)]}::bigint[]) AND u.deleted_at IS NULL`.execute(db);
  const byId = new Map(people.map((one) => [one.id, one]));
  const named = ({ candidates, ...trouble }: StoredTrouble): RowTrouble => ({
    ...trouble,
    ...(candidates && { candidates: candidates.flatMap((id) => byId.get(id) ?? []) }),
  });
  return rows.map((row) => ({ ...row, troubles: row.troubles.map(named) }));
}
