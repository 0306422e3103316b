import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "#server/testing/postgres.ts";
import type { TestDatabase } from "#server/testing/postgres.ts";
import { personValues } from "#server/delivery/content/fields.ts";
import { channelMeaning, channels } from "#contract/delivery.ts";
import { addPerson } from "#server/delivery/testing/scene.ts";
import { channelSet, personValuesSql } from "./person.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const fields = Object.keys(
  personValues(
    { firstName: "a", lastName: "b", email: "c", phone: "d", propertyUnit: "e", property: "f" },
    "g",
  ),
);
const word = fc.constantFrom("", " ", "Ann", " Lee ", "Straße 4B", "🏠");

test("a person's fields read by SQL are those read by the preview", async () => {
  const person = fc.record({
    firstName: word,
    lastName: word,
    email: fc.option(word),
    phone: fc.option(word),
    propertyUnit: fc.option(word),
    property: fc.option(fc.constantFrom("Maple Court", "Straße")),
  });
  await fc.assert(
    fc.asyncProperty(person, async (p) => {
      const { rows } = await sql<{ values: Record<string, string> }>`
        SELECT ${personValuesSql(fields)} AS values
        FROM (SELECT ${p.firstName}::text AS first_name, ${p.lastName}::text AS last_name, ${p.email}::text AS email,
          ${p.phone}::text AS phone, ${p.propertyUnit}::text AS property_unit, ${p.property}::text AS property) u`.execute(
        database.db,
      );
      const trimmed = (values: object) =>
        Object.fromEntries(Object.entries(values).map(([field, value]) => [field, String(value).trim()]));
      // The site's name stands in for the property's in the run's own values.
      const expected = trimmed(personValues(p, "Site"));
      expect(trimmed({ property_name: "Site", ...rows[0]!.values })).toEqual(expected);
    }),
    { numRuns: 100 },
  );
});

test("people start on the channels that the contract says, and a channel keeps its place in the list", async () => {
  const id = await addPerson(database.db);
  const stored = await database.db.selectFrom("users").select("channels").where("id", "=", id).execute();
  const onByDefault = channels.filter((channel) => channelMeaning[channel].onByDefault);
  expect(stored).toEqual([{ channels: channelSet(onByDefault) }]);
  // What these places mean is on disk: a further channel goes behind them.
  expect(channels.slice(0, 3)).toEqual(["email", "sms", "push"]);
});
