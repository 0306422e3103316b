import { api } from "#contract/api.ts";
import type { Db } from "#server/db/database.ts";
import { loadSample } from "#server/features/sample/load-sample.ts";
import { on, type Route } from "#server/http/route.ts";

export function sampleRoutes({ db, now }: { db: Db; now: () => Date }): Route[] {
  return [
    on(api.sample.load, async ({ user, ip }) => {
      await loadSample(db, { user, ip }, now());
      return { message: "The sample property is loaded." };
    }),
  ];
}
