import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertPerson } from "#server/testing/app.ts";
import { testDatabase, type TestDatabase } from "#server/testing/postgres.ts";

/** Which opt-outs from before they belonged to addresses hold for the address now. */

const migration = new URL("migrations/0072_opt_outs_before_addresses.sql", import.meta.url);
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

type Word = [who: "ann" | "partner", source: string, allowed: boolean];

test.each<[what: string, words: Word[], by: string[]]>([
  [
    "STOP, and staff untick and tick texts for a partner",
    [
      ["ann", "texted-stop", false],
      ["partner", "console", false],
      ["partner", "console", true],
    ],
    ["texted-stop"],
  ],
  [
    "STOP, and staff untick texts for the same person",
    [
      ["ann", "texted-stop", false],
      ["ann", "console", false],
    ],
    ["texted-stop"],
  ],
  [
    "STOP, and staff tick texts for the same person",
    [
      ["ann", "texted-stop", false],
      ["ann", "console", true],
    ],
    [],
  ],
  [
    "each turned off, and staff tick texts for the first",
    [
      ["ann", "texted-stop", false],
      ["partner", "profile", false],
      ["ann", "console", true],
    ],
    ["profile"],
  ],
  [
    "each turned off, and staff tick texts for the second",
    [
      ["ann", "texted-stop", false],
      ["partner", "profile", false],
      ["partner", "console", true],
    ],
    ["texted-stop"],
  ],
  [
    "STOP and START, whoever it was recorded for",
    [
      ["ann", "texted-stop", false],
      ["partner", "texted-start", true],
    ],
    [],
  ],
  ["only staff turned it off", [["ann", "console", false]], []],
])("%s", async (_what, words, by) => {
  const { db } = database;
  await sql`DELETE FROM consents`.execute(db);
  await sql`DELETE FROM suppressions`.execute(db);
  await sql`UPDATE users SET phone = NULL`.execute(db);
  const phone = "+14155552671";
  const people = { ann: await insertPerson(db, { phone }), partner: await insertPerson(db, { phone }) };
  for (const [i, [who, source, allowed]] of words.entries()) {
    await sql`INSERT INTO consents (user_id, channel, allowed, source, at)
      VALUES (${people[who]}, 'sms', ${allowed}, ${source}, now() - interval '1 month' + ${i} * interval '1 day')`.execute(
      db,
    );
  }
  await sql.raw(await readFile(migration, "utf8")).execute(db);
  const { rows } = await sql<{ by: string }>`SELECT opted_out_by AS by FROM suppressions`.execute(db);
  expect(rows.map((row) => row.by)).toEqual(by);
});
