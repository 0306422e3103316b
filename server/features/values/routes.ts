import { values } from "#contract/calls/values.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import type { Db } from "#server/db/database.ts";
import { refreshStatistics } from "#server/db/refresh-statistics.ts";
import { changeValues, fixValues, uploadValues } from "#server/features/values/change.ts";
import { blankSheet, fileToFix } from "#server/features/values/files.ts";
import { readOverview } from "#server/features/values/overview.ts";
import { listRows } from "#server/features/values/rows.ts";
import { findValues } from "#server/features/values/staged-values.ts";
import { on, type Route } from "#server/http/route.ts";

export function valuesRoutes({ db }: { db: Db }): Route[] {
  const overview = async (id: number, userId: number) => readOverview(db, await findValues(db, id, userId));
  return [
    on(values.upload, async ({ query: { name, fields }, request, user }) => {
      const bytes = request.body as Buffer | undefined;
      if (!Buffer.isBuffer(bytes)) throw refusal("sheet-empty", { name });
      const id = await uploadValues(db, { name, bytes, fields, userId: user.id });
      // They are counted at once, and a plan for a few rows would take long.
      await refreshStatistics(db, ["person_values", "import_rows"]);
      return overview(id, user.id);
    }),
    on(values.read, async ({ params: { id }, user }) => overview(id, user.id)),
    on(values.change, async ({ params: { id }, body, user }) => {
      await changeValues(db, id, body, user.id);
      return overview(id, user.id);
    }),
    on(values.fix, async ({ params: { id }, body, user }) => {
      await fixValues(db, id, body.cells, user.id);
      return overview(id, user.id);
    }),
    on(values.rows, async ({ params: { id }, query, user }) =>
      listRows(db, await findValues(db, id, user.id), query),
    ),
    on(values.toFix, async ({ params: { id }, user }) => fileToFix(db, await findValues(db, id, user.id))),
    on(values.blank, async ({ body }) => blankSheet(db, body)),
  ];
}
