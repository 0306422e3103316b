import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { migrate, neededBy } from "#server/db/migrate.ts";
import { nextBuild } from "#server/testing/next-build.ts";
import { testDatabase } from "#server/testing/postgres.ts";
import type { TestDatabase } from "#server/testing/postgres.ts";

const own = join(import.meta.dirname, "migrations");

const folders: string[] = [];
let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterEach(() => sql`DELETE FROM migrations WHERE name > '9'`.execute(database.db));
afterAll(async () => {
  await database.close();
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
});

/** The migrations of a later build: this one's and these. */
async function later(added: Record<string, string>): Promise<URL> {
  const { folder, migrations } = await nextBuild(added);
  folders.push(folder);
  return migrations;
}

test("of two processes of a new build that start at once, one migrates, and this build still starts", async () => {
  const folder = await later({ "9001_expand.sql": "ALTER TABLE users ADD COLUMN shoe_size int;" });
  const applied = await Promise.all([migrate(database.db, folder), migrate(database.db, folder)]);
  expect(applied.flat()).toEqual(["9001_expand.sql"]);
  expect(await migrate(database.db)).toEqual([]);
});

test("a build is refused once a newer one has taken away what it needs", async () => {
  const expand = { "9001_expand.sql": "ALTER TABLE users ADD COLUMN hat_size int;" };
  const between = await later(expand);
  await migrate(database.db, between);
  const contract = "-- needs 9001_expand.sql\nALTER TABLE users DROP COLUMN hat_size;";
  await migrate(database.db, await later({ ...expand, "9002_contract.sql": contract }));
  await expect(migrate(database.db)).rejects.toThrow(/newer Porchlight \(it has 9002_contract\.sql\)/);
  expect(await migrate(database.db, between)).toEqual([]);
});

test("a migration that has to wait for a table lets others pass, and goes on when the table is free", async () => {
  const { db } = database;
  const folder = await later({ "9001_busy.sql": "ALTER TABLE user_groups ADD COLUMN color text;" });
  const held = Promise.withResolvers<void>();
  const reading = db.transaction().execute(async (tx) => {
    await sql`SELECT FROM user_groups`.execute(tx);
    await held.promise;
  });
  const migrating = migrate(db, folder);
  const waits = sql`SELECT FROM pg_locks WHERE NOT granted AND relation = 'user_groups'::regclass`;
  await expect.poll(async () => (await waits.execute(db)).rows.length).toBe(1);
  // Behind the one that waits, and done before the reader is.
  expect((await sql`SELECT FROM user_groups`.execute(db)).rows.length).toBeGreaterThan(0);
  held.resolve();
  await reading;
  expect(await migrating).toEqual(["9001_busy.sql"]);
});

// The rule of docs/decisions/0054-rolling-upgrades.md; earlier migrations came before it.
test("a migration that takes something away says which build it needs", async () => {
  const takesAway =
    /\bDROP (TABLE|COLUMN|VIEW|FUNCTION|INDEX|CONSTRAINT)\b|\bRENAME\b|\bSET NOT NULL\b|\bALTER COLUMN \w+ (SET DATA )?TYPE\b|\bADD (CONSTRAINT|CHECK)\b|\bADD COLUMN (?!.*\bDEFAULT\b).*\bNOT NULL\b/i;
  const names = await readdir(own);
  for (const name of names.filter((name) => name > "0054")) {
    const statements = await readFile(join(own, name), "utf8");
    const needed = neededBy(statements);
    if (needed !== null) expect(names, `${name} needs it`).toContain(needed);
    else expect(statements, `${name} begins with "-- needs …"`).not.toMatch(takesAway);
  }
  expect(neededBy("-- needs 0060_new.sql\nDROP TABLE old;")).toBe("0060_new.sql");
});
