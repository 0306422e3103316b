import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "#server/db/database.ts";
import { migrate } from "#server/db/migrate.ts";
import { Fleet } from "#server/testing/fleet.ts";
import { type Build, nextBuild } from "#server/testing/next-build.ts";
import { testDatabase } from "#server/testing/postgres.ts";
import type { TestDatabase } from "#server/testing/postgres.ts";

let database: TestDatabase;
let fleet: Fleet;
let next: Build;

beforeAll(async () => {
  database = await testDatabase();
  fleet = await Fleet.open(database.db, database.url, 25);
  next = await nextBuild({
    "9001_expand.sql": "ALTER TABLE notifications ADD COLUMN color text NOT NULL DEFAULT 'green';",
    "9002_expand_more.sql": "ALTER TABLE deliveries ADD COLUMN color text;",
  });
});
afterAll(async () => {
  await fleet.close();
  await rm(next.folder, { recursive: true });
  await database.close();
});

/** Two processes of the next build start at the same moment. */
async function upgrade(): Promise<string[]> {
  const pools = [connect(database.url, { max: 1 }), connect(database.url, { max: 1 })];
  const applied = await Promise.all(pools.map((db) => migrate(db, { folder: next.migrations })));
  await Promise.all(pools.map((db) => db.destroy()));
  return applied.flat().toSorted();
}

// The large one, with processes of the next build: npm run fleet.
test("one each of two web, two worker and two scheduler processes dies under load, the schema grows, and nothing is lost", async () => {
  // The first one builds the web app if need be.
  await fleet.start("web");
  const roles = ["web", "worker", "worker", "scheduler", "scheduler"] as const;
  await Promise.all(roles.map((role) => fleet.start(role)));

  const changes = async () => {
    await fleet.arrivals(40);
    const dying = (["worker", "web", "scheduler"] as const).map((role) => fleet.serving(role)[1]!);
    for (const member of dying) fleet.kill(member);
    expect(await upgrade()).toEqual(["9001_expand.sql", "9002_expand_more.sql"]);
    // This is the build before now, and finds a newer schema when it starts.
    await Promise.all(dying.map(({ role }) => fleet.start(role)));
    const stopped = [fleet.serving("web")[0]!, fleet.serving("worker")[0]!];
    expect(await Promise.all(stopped.map((member) => fleet.stop(member)))).toEqual([0, 0]);
  };
  await fleet.load({ clients: 4, messages: 12, over: changes() });
  await fleet.finished();

  const { twice, inDoubt, repeatedRequests: _, ...ledger } = await fleet.ledger();
  expect(ledger).toEqual({ promised: 12, failedRequests: [], wronglyStored: [], lost: 0, imbalance: [] });
  expect(twice).toBeLessThanOrEqual(inDoubt);
}, 240_000);
