import { users } from "#contract/users.ts";
import type { Db } from "#server/db/database.ts";
import { listUsers } from "#server/features/users/queries.ts";
import { on, type Route } from "#server/http/route.ts";

export function usersRoutes({ db }: { db: Db }): Route[] {
  return [on(users.list, async ({ query }) => listUsers(db, query))];
}
