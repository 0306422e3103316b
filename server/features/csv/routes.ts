import { csv } from "#contract/csv.ts";
import { recordAudit } from "#server/db/audit.ts";
import type { Db } from "#server/db/database.ts";
import { checkImport, importPeople } from "#server/features/csv/import-people.ts";
import { countPeople, exportPeople } from "#server/features/csv/write-people.ts";
import { on, type Route } from "#server/http/route.ts";

export function csvRoutes({ db }: { db: Db }): Route[] {
  return [
    on(csv.check, async ({ body, query, user }) => checkImport(db, body, { actor: user, options: query })),

    on(csv.import, async ({ body, query, user, ip }) =>
      importPeople(db, body, { actor: user, options: query, ip }),
    ),

    on(csv.export, async ({ user, ip }) => {
      const total = await countPeople(db);
      // Everybody's contact data has left the house: that is worth a line.
      await recordAudit(db, {
        actor: user,
        ip,
        action: "user.export",
        subject: { type: "user" },
        detail: { people: total },
      });
      return { pages: exportPeople(db), total };
    }),
  ];
}
