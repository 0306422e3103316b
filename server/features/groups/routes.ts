import { groups } from "#contract/groups.ts";
import type { Db } from "#server/db/database.ts";
import { listGroups } from "#server/features/groups/queries.ts";
import { on, type Route } from "#server/http/route.ts";

export function groupsRoutes({ db }: { db: Db }): Route[] {
  return [
    on(groups.list, async ({ query: { q } }) => {
      const rows = await listGroups(db, q);
      return { rows, total: rows.length };
    }),
  ];
}
