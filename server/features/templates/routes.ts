import { api } from "#contract/api.ts";
import type { Db } from "#server/db/database.ts";
import { listTemplates } from "#server/features/templates/queries.ts";
import { on, type Route } from "#server/http/route.ts";

export function templatesRoutes({ db }: { db: Db }): Route[] {
  return [
    on(api.templates.list, async () => {
      const rows = await listTemplates(db);
      return { rows, total: rows.length };
    }),
  ];
}
