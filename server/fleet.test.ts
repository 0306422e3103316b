import { rm } from "node:fs/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Fleet } from "#server/testing/fleet.ts";
import { type Build, nextBuild } from "#server/testing/next-build.ts";
import { testDatabase, type TestDatabase } from "#server/testing/postgres.ts";

let database: TestDatabase;
let fleet: Fleet;
let next: Build;

beforeAll(async () => {
  database = await testDatabase();
  fleet = await Fleet.open(database.db, database.url, 25);
  const expand = {
    "9001_expand.sql": "ALTER TABLE notifications ADD COLUMN color text NOT NULL DEFAULT 'green';",
    "9002_expand_more.sql": "ALTER TABLE deliveries ADD COLUMN color text;",
  };
  next = await nextBuild(expand, { whole: true });
});
afterAll(async () => {
  await fleet.close();
  await rm(next.folder, { recursive: true });
  await database.close();
});

// The large one, which also contracts: npm run fleet.
test("one each of three web, three worker and two scheduler processes dies under load, the next build takes their places, and nothing is lost", async () => {
  // The first one builds the web app if need be.
  await fleet.start("web");
  const roles = ["web", "worker", "scheduler"] as const;
  await Promise.all([...roles, ...roles, "worker" as const].map((role) => fleet.start(role)));

  const changes = async () => {
    await fleet.arrivals(40);
    for (const member of roles.map((role) => fleet.anyServing(role))) fleet.kill(member);
    // They start at the same moment, and one of them migrates.
    await Promise.all(roles.map((role) => fleet.start(role, next.folder)));
    // This is the build before now, and finds a newer schema when it starts.
    await fleet.start("worker");
    const stopped = [fleet.serving("web")[0]!, fleet.serving("worker")[0]!];
    expect(await Promise.all(stopped.map((member) => fleet.stop(member)))).toEqual([0, 0]);
  };
  await fleet.load({ clients: 4, messages: 12, over: changes() });
  await fleet.finished();

  const { rows } = await sql`SELECT name FROM migrations WHERE name LIKE '9%' ORDER BY name`.execute(
    database.db,
  );
  expect(rows).toEqual([{ name: "9001_expand.sql" }, { name: "9002_expand_more.sql" }]);
  const { twice, inDoubt, repeatedRequests: _, ...ledger } = await fleet.ledger();
  expect(ledger).toEqual({ promised: 12, failedRequests: [], wronglyStored: [], lost: 0, imbalance: [] });
  expect(twice).toBeLessThanOrEqual(inDoubt);
}, 240_000);
