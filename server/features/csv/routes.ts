import { csv } from "#contract/calls/csv.ts";
import type { Db } from "#server/db/database.ts";
import { refreshStatistics } from "#server/db/refresh-statistics.ts";
import { checkImport, importPeople } from "#server/features/csv/import-people.ts";
import { countPeople, exportPeople } from "#server/features/csv/write-people.ts";
import { on, type Route } from "#server/http/route.ts";

export function csvRoutes({ db }: { db: Db }): Route[] {
  return [
    on(
      csv.check,
      async ({ body, query, user }) =>
        (await checkImport(db, body, { actorId: user.id, options: query })).result,
    ),

    on(csv.import, async ({ body, query, by }) => {
      const { result } = await importPeople(db, body, { by, options: query });
      await refreshStatistics(db, ["users", "user_groups"]);
      return result;
    }),

    on(csv.export, async () => ({ pages: exportPeople(db), total: await countPeople(db) })),
  ];
}
