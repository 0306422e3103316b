import { dashboard } from "#contract/calls/dashboard.ts";
import type { Db } from "#server/db/database.ts";
import { closeFirstSteps } from "#server/features/dashboard/first-steps.ts";
import { readDashboard } from "#server/features/dashboard/queries.ts";
import { readSetting } from "#server/features/settings/queries.ts";
import { on, type Route } from "#server/http/route.ts";

type DashboardDeps = { db: Db; now: () => Date };

export function dashboardRoutes({ db, now }: DashboardDeps): Route[] {
  return [
    on(dashboard.read, async ({ user }) =>
      readDashboard(db, user.id, { zone: await readSetting(db, "timezone"), now: now() }),
    ),

    on(dashboard.closeFirstSteps, async ({ user }) => {
      await closeFirstSteps(db, user.id);
      return { closed: true as const };
    }),
  ];
}
