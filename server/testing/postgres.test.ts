import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "kysely";
import { testDatabase, type TestDatabase } from "#server/testing/postgres.ts";

let first: TestDatabase;
let second: TestDatabase;

beforeAll(async () => {
  [first, second] = await Promise.all([testDatabase(), testDatabase()]);
});
afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
});

test("every test database is migrated and knows nothing of the others", async () => {
  await sql`create table note (text text)`.execute(first.db);
  const { rows } = await sql<{ migrated: number; note: string | null }>`
    select (select count(*)::int from migrations) as migrated, to_regclass('note')::text as note`.execute(
    second.db,
  );
  expect(rows[0]?.migrated).toBeGreaterThan(0);
  expect(rows[0]?.note).toBeNull();
});

test("a closed test database is gone, even under an open connection", async () => {
  const third = await testDatabase();
  const name = new URL(third.url).pathname.slice(1);
  await third.close();
  const { rows } = await sql`select from pg_database where datname = ${name}`.execute(first.db);
  expect(rows).toHaveLength(0);
});
