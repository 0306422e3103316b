import { integrations } from "#contract/integrations.ts";
import type { Db } from "#server/db/database.ts";
import { checkAccount } from "#server/delivery/check-account.ts";
import type { Transports } from "#server/delivery/open-transports.ts";
import { on, type Route } from "#server/http/route.ts";

export function integrationsRoutes({ db, transports }: { db: Db; transports: Transports }): Route[] {
  return [on(integrations.check, async ({ params: { id } }) => checkAccount(db, id, transports))];
}
