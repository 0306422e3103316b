import { api } from "#contract/api.ts";
import type { Db } from "#server/db/database.ts";
import { loadSample } from "#server/features/sample/load-sample.ts";
import { removeSample } from "#server/features/sample/remove-sample.ts";
import { readRemoval } from "#server/features/sample/rows.ts";
import { on, type Route } from "#server/http/route.ts";

export function sampleRoutes({ db, now }: { db: Db; now: () => Date }): Route[] {
  return [
    on(api.sample.read, async () => ({ loaded: await readRemoval(db) })),

    on(api.sample.load, async ({ by }) => {
      await loadSample(db, by, now());
      return { message: "The sample property is loaded." };
    }),

    on(api.sample.remove, async ({ by }) => {
      await removeSample(db, by);
      return { message: "The sample property is removed." };
    }),
  ];
}
