import { schedules } from "#contract/schedules.ts";
import type { Db } from "#server/db/database.ts";
import { listUpcoming } from "#server/features/schedules/upcoming.ts";
import { readSetting } from "#server/features/settings/queries.ts";
import { on, type Route } from "#server/http/route.ts";

export function schedulesRoutes({ db, now }: { db: Db; now: () => Date }): Route[] {
  return [
    on(schedules.upcoming, async ({ query }) =>
      listUpcoming(db, { ...query, zone: await readSetting(db, "timezone"), now: now() }),
    ),
  ];
}
