import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { numberFormOf } from "#contract/text/currencies.ts";
import { dateFormOf, setHomeDates } from "#contract/text/home-dates.ts";
import { setHomeNumbers } from "#contract/text/home-numbers.ts";
import { writtenDetail } from "#contract/text/person-details.ts";
import { insertPerson } from "#server/testing/app.ts";
import { type TestDatabase, testDatabase } from "#server/testing/postgres.ts";
import { detailText } from "./details.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
afterEach(() => {
  setHomeNumbers();
  setHomeDates();
});

test.each(["US", "DE", "FR", "IN", "CH", "SE", "JP", "KW"])(
  "in %s the database writes a detail as everything else does",
  async (country) => {
    setHomeNumbers(numberFormOf(country));
    setHomeDates(dateFormOf(country));
    const id = await insertPerson(database.db);
    const cases = [
      ...["0", "7", "-12", "999", "1234", "1234567", "123456789012", "-1234567.5"].flatMap((value) => [
        { kind: "number" as const, value },
        { kind: "amount" as const, value },
      ]),
      { kind: "date" as const, value: "2026-11-05" },
      { kind: "text" as const, value: "S-12" },
    ];
    for (const { kind, value } of cases) {
      await sql`UPDATE users SET details = ${JSON.stringify({ 4: value })} WHERE id = ${id}`.execute(
        database.db,
      );
      const { rows } = await sql<{ text: string }>`
        SELECT ${detailText({ id: 4, field: "x", kind })} AS text FROM users u WHERE u.id = ${id}`.execute(
        database.db,
      );
      expect(rows[0]?.text).toBe(writtenDetail(kind, value));
    }
  },
);
