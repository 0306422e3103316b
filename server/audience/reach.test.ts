import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { reachLine } from "#contract/calls/audience.ts";
import type { Channel } from "#contract/delivery.ts";
import { channelSet } from "#server/audience/person.ts";
import { testDatabase, type TestDatabase } from "#server/testing/postgres.ts";
import type { Audience } from "./audience.ts";
import { reach, reachesAnybody } from "./reach.ts";
import { leftOutByReason, reachPage } from "./reach-page.ts";
import { addGroup, addPerson, clear } from "#server/delivery/testing/scene.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => clear(database.db));
afterAll(() => database.close());

const email: Channel[] = ["email"];

const counted = (reasons: readonly string[]) =>
  Object.fromEntries(
    [...new Set(reasons)].map((one) => [one, reasons.filter((other) => other === one).length]),
  );

async function names(audience: Audience): Promise<string[]> {
  const { rows } = await reachPage(database.db, {
    audience,
    channels: email,
    only: "all",
    page: 1,
    pageSize: 100,
  });
  return rows.map(({ name }) => name).sort();
}

describe("an audience", () => {
  test("is groups by hand, groups by rule and single persons, each living person once", async () => {
    const { db } = database;
    const ann = await addPerson(db, { first_name: "Ann", property: "Maple Court" });
    const bob = await addPerson(db, { first_name: "Bob", property: "Oak Park" });
    const cas = await addPerson(db, { first_name: "Cas", role: "staff", property: null });
    const dee = await addPerson(db, { first_name: "Dee", property: "Oak Park", deleted_at: new Date() });
    const tenants = await addGroup(db, "All Tenants", { roles: ["tenant"] });
    const oak = await addGroup(db, "Oak Park", { roles: ["tenant"], property: "Oak Park" });
    const everyone = await addGroup(db, "Everyone", {});
    const byHand = await addGroup(db, "Board", null, [cas, dee]);
    const group = (id: number) => ({ type: "group" as const, id });
    const user = (id: number) => ({ type: "user" as const, id });

    expect(await names([group(tenants)])).toEqual(["Ann Lee", "Bob Lee"]);
    expect(await names([group(oak)])).toEqual(["Bob Lee"]);
    expect(await names([group(byHand)])).toEqual(["Cas Lee"]);
    expect(await names([group(everyone)])).toEqual(["Ann Lee", "Bob Lee", "Cas Lee"]);
    expect(await names([user(ann), user(dee), user(ann)])).toEqual(["Ann Lee"]);
    expect(await names([group(tenants), group(byHand), user(bob)])).toEqual([
      "Ann Lee",
      "Bob Lee",
      "Cas Lee",
    ]);
    expect(await names([group(9999), user(9999)])).toEqual([]);
    expect(await names([])).toEqual([]);
  });

  test("of a rule group is anyone who fits when it is asked", async () => {
    const { db } = database;
    const tenants = await addGroup(db, "All Tenants", { roles: ["tenant"] });
    const ann = await addPerson(db, { first_name: "Ann" });
    expect(await names([{ type: "group", id: tenants }])).toEqual(["Ann Lee"]);
    await db.updateTable("users").set({ role: "staff" }).where("id", "=", ann).execute();
    expect(await names([{ type: "group", id: tenants }])).toEqual([]);
  });
});

describe("reach", () => {
  async function everyone(): Promise<Audience> {
    return [{ type: "group", id: await addGroup(database.db, "Everyone", {}) }];
  }

  test("counts who gets what on every channel, and names who gets nothing and why", async () => {
    const { db } = database;
    await addPerson(db, { first_name: "Both" });
    await addPerson(db, {
      first_name: "Only",
      last_name: "Phone",
      email: null,
      channels: channelSet(["email", "sms", "push"]),
    });
    const lost = await addPerson(db, {
      first_name: "Lost",
      email: "lost@example.com",
      channels: channelSet(["email"]),
      property_unit: "9C",
    });
    await addPerson(db, { first_name: "Odd", email: "not an address", phone: "12" });
    await db
      .insertInto("suppressions")
      .values({
        channel: "email",
        address: "lost@example.com",
        reason: "No such user",
        source: "smtp",
        delivery_id: null,
      })
      .execute();

    const answer = await reach(db, { audience: await everyone(), channels: ["email", "sms"] });
    expect(answer).toMatchObject({
      people: 4,
      reached: 2,
      messages: 3,
      byChannel: {
        email: { willGet: 1, skipped: 3 },
        sms: { willGet: 2, skipped: 2 },
        push: { willGet: 1, skipped: 3 },
      },
    });
    expect(answer.unreachable.total).toBe(2);
    expect(answer.unreachable.first[0]).toEqual({
      userId: lost,
      name: "Lost Lee",
      propertyUnit: "9C",
      reasons: [
        { channel: "email", reason: "suppressed", sentence: "This email address is blocked: No such user" },
        { channel: "sms", reason: "opted-out", sentence: "They have turned off text messages." },
      ],
    });
    expect(answer.unreachable.first[1]?.reasons.map(({ reason }) => reason)).toEqual([
      "invalid-email",
      "invalid-phone",
    ]);
  });

  test("sends one message to an address that two people share, in whatever letters", async () => {
    const { db } = database;
    await addPerson(db, { first_name: "Ann", last_name: "Ash", email: "home@example.com" });
    await addPerson(db, { first_name: "Bob", last_name: "Bay", email: " HOME@example.com" });
    const question = { audience: await everyone(), channels: email };
    expect(await reach(db, question)).toMatchObject({
      people: 2,
      reached: 2,
      messages: 1,
      byChannel: { email: { willGet: 1, skipped: 1 } },
      unreachable: { total: 0, first: [] },
    });
    const { rows } = await reachPage(db, { ...question, only: "skipped", page: 1, pageSize: 25 });
    expect(rows).toMatchObject([
      {
        name: "Bob Bay",
        address: "home@example.com",
        reason: "same-address",
        sentence: "Covered by Ann Ash's email.",
      },
    ]);
  });

  test("skips anyone who lacks a field that the message uses", async () => {
    const { db } = database;
    await addPerson(db, { property_unit: null, property: null });
    const question = { audience: await everyone(), channels: email };
    expect((await reach(db, { ...question, fields: ["first_name", "property_name"] })).messages).toBe(1);
    const answer = await reach(db, { ...question, fields: ["first_name", "property_unit"] });
    expect(answer.messages).toBe(0);
    expect(answer.unreachable.first[0]?.reasons[0]?.sentence).toBe(
      "No property/unit is on file, and the message needs it.",
    );
  });

  test("counts exactly those whom its list shows, line by line", async () => {
    const { db } = database;
    const addresses = ["a@example.com", " A@EXAMPLE.com ", "odd", "no@body", null, "gone@example.com"];
    const phones = ["+12125550100", " +12125550100", "0101", null];
    for (let n = 0; n < 48; n += 1) {
      await addPerson(db, {
        first_name: n % 11 === 0 ? " " : `P${n}`,
        email: addresses[n % addresses.length] ?? null,
        phone: phones[n % phones.length] ?? null,
        property_unit: n % 5 === 0 ? null : "4B",
        channels: channelSet([
          ...(n % 7 === 0 ? [] : (["email"] as const)),
          ...(n % 9 === 0 ? [] : (["sms"] as const)),
          ...(n % 2 === 0 ? (["push"] as const) : []),
        ]),
      });
    }
    await db
      .insertInto("suppressions")
      .values({
        channel: "email",
        address: "gone@example.com",
        reason: "Gone",
        source: "smtp",
        delivery_id: null,
      })
      .execute();
    const audience = await everyone();
    for (const fields of [[], ["property_unit"], ["phone", "first_name"]]) {
      const question = { audience, channels: ["email", "sms", "push"] as Channel[], fields };
      const { rows } = await reachPage(db, { ...question, only: "all", page: 1, pageSize: 1000 });
      const answer = await reach(db, question);
      for (const channel of question.channels) {
        const lines = rows.filter((row) => row.channel === channel);
        expect(answer.byChannel[channel]).toMatchObject({
          willGet: lines.filter(({ reason }) => reason === null).length,
          skipped: lines.filter(({ reason }) => reason !== null).length,
        });
        const leftOut = (await leftOutByReason(db, question)).filter((group) => group.channel === channel);
        expect(Object.fromEntries(leftOut.map(({ reason, people }) => [reason, people]))).toEqual(
          counted(lines.flatMap(({ reason }) => reason ?? [])),
        );
        expect(leftOut.slice(0, -1).map(({ reason }) => reason)).not.toContain("opted-out");
      }
      const reachedIds = rows.filter(({ reason }) => reason === null || reason === "same-address");
      expect(answer.reached).toBe(new Set(reachedIds.map(({ userId }) => userId)).size);
    }
  });

  test("knows without counting whether anyone is reached", async () => {
    const { db } = database;
    const ann = await addPerson(db, {
      email: "ann@example.com",
      channels: channelSet(["email"]),
      property_unit: null,
    });
    const question = { audience: await everyone(), channels: email };
    expect(await reachesAnybody(db, question)).toBe(true);
    expect(await reachesAnybody(db, { ...question, channels: ["sms"] })).toBe(false);
    expect(await reachesAnybody(db, { ...question, channels: [] })).toBe(false);
    expect(await reachesAnybody(db, { ...question, fields: ["property_unit"] })).toBe(false);
    expect(await reachesAnybody(db, { ...question, audience: [] })).toBe(false);
    await db
      .updateTable("users")
      .set({ channels: channelSet(["sms"]) })
      .where("id", "=", ann)
      .execute();
    expect(await reachesAnybody(db, question)).toBe(false);
  });

  test("with no one, or on no channel, reaches no one", async () => {
    expect(await reach(database.db, { audience: [], channels: email })).toMatchObject({
      people: 0,
      messages: 0,
    });
    await addPerson(database.db);
    expect(await reach(database.db, { audience: await everyone(), channels: [] })).toMatchObject({
      people: 1,
      reached: 0,
      messages: 0,
    });
  });

  test("is paged line by line in the order of names, searched and filtered", async () => {
    const { db } = database;
    await addPerson(db, { first_name: "Zoe", last_name: "Ash", channels: channelSet(["email"]) });
    await addPerson(db, { first_name: "Ann", last_name: "bay" });
    await addPerson(db, { first_name: "Max", last_name: "Cox", channels: 0 });
    const question = {
      audience: await everyone(),
      channels: ["email", "sms"] as Channel[],
      page: 1,
      pageSize: 4,
    };
    const page = async (more: Partial<Parameters<typeof reachPage>[1]>) => {
      const { total, rows } = await reachPage(db, { ...question, only: "all", ...more });
      for (const row of rows) expect(reachLine.parse(row)).toEqual(row);
      return [total, ...rows.map(({ name, channel, reason }) => `${name} ${channel} ${reason ?? "gets it"}`)];
    };
    expect(await page({})).toEqual([
      6,
      "Zoe Ash email gets it",
      "Zoe Ash sms opted-out",
      "Ann bay email gets it",
      "Ann bay sms gets it",
    ]);
    expect(await page({ page: 2 })).toEqual([6, "Max Cox email opted-out", "Max Cox sms opted-out"]);
    expect(await page({ page: 3 })).toEqual([6]);
    expect(await page({ only: "skipped" })).toHaveLength(4);
    expect(await page({ only: "unreachable" })).toEqual([
      2,
      "Max Cox email opted-out",
      "Max Cox sms opted-out",
    ]);
    expect(await page({ q: "ANN" })).toEqual([2, "Ann bay email gets it", "Ann bay sms gets it"]);
    await sql`UPDATE users SET other_contacts = 'Home: +13125550100' WHERE last_name = 'bay'`.execute(db);
    expect(await page({ q: "tel:312\u2011555\u20110100" })).toHaveLength(3);
    expect(await page({ q: "%" })).toEqual([0]);
  });
});
