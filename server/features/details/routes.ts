import { sql } from "kysely";
import { details } from "#contract/calls/details.ts";
import { isolated } from "#contract/text/isolate.ts";
import type { Detail } from "#contract/text/kept-details.ts";
import type { Db } from "#server/db/database.ts";
import { createDetail, removeDetail, renameDetail } from "#server/features/details/save-detail.ts";
import { on, type Route } from "#server/http/route.ts";

export function detailsRoutes({ db }: { db: Db }): Route[] {
  return [
    on(details.list, async () => listDetails(db)),
    on(details.create, async ({ body, by }) => createDetail(db, body, by)),
    on(details.update, async ({ params: { id }, body, by }) => renameDetail(db, id, body.label, by)),
    on(details.remove, async ({ params: { id }, by }) => ({
      message: `“${isolated(await removeDetail(db, id, by))}” was deleted.`,
    })),
  ];
}

async function listDetails(db: Db) {
  const { rows } = await sql<Detail & { people: number; updatedAt: Date }>`
    SELECT d.id, d.label, d.field, d.kind, coalesce(c.people, 0) AS people, d.updated_at AS "updatedAt"
    FROM details d LEFT JOIN (
      SELECT key, count(*) AS people FROM users u, jsonb_object_keys(u.details) key
      WHERE u.deleted_at IS NULL AND u.details <> '{}' GROUP BY key) c ON c.key = d.id::text
    ORDER BY by_number(fold(d.label)) COLLATE "C", d.id`.execute(db);
  return rows.map((row) => ({ ...row, updatedAt: row.updatedAt.toISOString() }));
}
