import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "#server/testing/postgres.ts";
import { channelMeaning, channels } from "#contract/delivery.ts";
import { isHomeField, selfFilledFields } from "#contract/text/message-fields.ts";
import { addPerson } from "#server/delivery/testing/scene.ts";
import { channelSet, eligibility, personValuesSql } from "./person.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const person = { first: "", last: "", email: null, phone: null, unit: null, property: null };

test.each([
  [
    "all of them",
    {
      first: " Ann ",
      last: "Lee",
      email: "ann@example.com",
      phone: "+14155550100",
      unit: "Straße 4B",
      property: "Straße",
    },
    {
      tenant_name: "Ann Lee",
      first_name: "Ann",
      last_name: "Lee",
      email: "ann@example.com",
      phone: "+14155550100",
      property_unit: "Straße 4B",
      property_name: "Straße",
    },
  ],
  [
    "none that isn't on file, but an empty last name",
    { first: "Cher", last: " ", email: " ", unit: " " },
    { tenant_name: "Cher", first_name: "Cher", last_name: "" },
  ],
  [
    "the last name as the first, if there is no other",
    { first: " ", last: "Lee" },
    { tenant_name: "Lee", first_name: "Lee", last_name: "" },
  ],
  ["no name", {}, { last_name: "" }],
])("a person's fields are %s", async (_what, some, values) => {
  const { first, last, email, phone, unit, property } = { ...person, ...some };
  const { rows } = await sql<{ values: object }>`
    SELECT ${personValuesSql(selfFilledFields.filter((field) => !isHomeField(field)))} AS values
    FROM (SELECT ${first}::text AS first_name, ${last}::text AS last_name, ${email}::text AS email,
      ${phone}::text AS phone, ${unit}::text AS property_unit, ${property}::text AS property) u`.execute(
    database.db,
  );
  expect(rows).toEqual([{ values }]);
});

test("people start on the channels that the contract says, and a channel keeps its place in the list", async () => {
  const id = await addPerson(database.db);
  const stored = await database.db.selectFrom("users").select("channels").where("id", "=", id).execute();
  const onByDefault = channels.filter((channel) => channelMeaning[channel].onByDefault);
  expect(stored).toEqual([{ channels: channelSet(onByDefault) }]);
  // What these places mean is on disk: a further channel goes behind them.
  expect(channels.slice(0, 3)).toEqual(["email", "sms", "push"]);
});

test("a prepared statement has one text, whatever sets of values there are", () => {
  const textFor = (values: number, field: string) =>
    sql`SELECT FROM ${eligibility(["email"], ["first_name", { field, values }])}`.compile(database.db).sql;
  expect(textFor(1, "amount")).toBe(textFor(2, "slot"));
});
