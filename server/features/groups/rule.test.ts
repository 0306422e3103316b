import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Role, roles } from "#contract/calls/auth.ts";
import { type Channel, channels } from "#contract/delivery.ts";
import type { ReachLine } from "#contract/calls/audience.ts";
import type { Group, GroupRule } from "#contract/calls/groups.ts";
import type { User, UserDetail } from "#contract/calls/users.ts";
import { wants } from "#server/audience/person.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

/** A rule is decided in one place: anyone who asks for its people gets the same ones, and those that the words say. */

let porchlight: TestApp;
let admin: Caller;
let everybody: User[];
let reachableOn: Record<Channel, Set<number>>;

const properties = ["Maple Court", "maple court", "Harbor_House", null];
const units = ["4", "4B", "104", "204", "PH", "ph2", "4%", "4_", String.raw`4\B`, null];

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin", { email: "shared@example.com" });
  let n = 0;
  for (const property of properties) {
    for (const unit of units) {
      n += 1;
      await insertPerson(porchlight.db, {
        role: roles[n % 3] as Role,
        property,
        unit,
        email: [null, "not an address", `P${n}@Example.com`, ` padded${n}@example.com `][n % 4] ?? null,
        phone: [null, "+14155550123", "12", `+1415555${String(n).padStart(4, "0")}`][(n >> 1) % 4] ?? null,
        receiveEmail: n % 5 !== 0,
        receiveSms: n % 7 !== 0,
        receivePush: n % 2 === 0,
      });
    }
  }
  await sql`INSERT INTO suppressions (channel, address, reason, source) VALUES
    ('email', 'p2@example.com', 'gone', 'smtp'), ('email', 'padded7@example.com', 'gone', 'smtp'),
    ('sms', '+14155550123', 'gone', 'console')`.execute(porchlight.db);
  await sql`INSERT INTO suppressions (channel, address, reason, source)
    SELECT 'push', id::text, 'gone', 'console' FROM users u WHERE ${wants.push} ORDER BY id LIMIT 2`.execute(
    porchlight.db,
  );
  const gone = await insertPerson(porchlight.db, { property: "Maple Court", unit: "4B" });
  await porchlight.db.updateTable("users").set({ deleted_at: new Date() }).where("id", "=", gone).execute();

  everybody = await all<User>("/api/users?");
  reachableOn = Object.fromEntries(
    await Promise.all(channels.map(async (channel) => [channel, await reached(channel)] as const)),
  ) as typeof reachableOn;
});
afterAll(() => porchlight.close());

async function get<T>(url: string): Promise<T> {
  return (await porchlight.call({ method: "GET", url }, admin)).json<T>();
}
const post = (url: string, body: unknown) => porchlight.call({ method: "POST", url, body }, admin);
const all = <T>(url: string) => get<T[]>(`${url}&pageSize=100`);
const ids = (people: { id: number }[]) => people.map(({ id }) => id).toSorted((a, b) => a - b);

/** As the engine judges it person by person, with its reasons. */
async function reached(channel: Channel): Promise<Set<number>> {
  const everyone = (await get<Group[]>("/api/usergroups")).find(({ name }) => name === "Everyone");
  const question = { recipients: [{ type: "group", id: everyone?.id }], channels: [channel], pageSize: 100 };
  const lines = (await post("/api/audience/reach/list", question)).json<ReachLine[]>();
  // Who shares an address can be reached there, though one message is enough for both.
  return new Set(
    lines.filter(({ reason }) => reason === null || reason === "same-address").map(({ userId }) => userId),
  );
}

/** The rule in other words. */
function fitsByDefinition(person: User, rule: GroupRule): boolean {
  const pattern = rule.unit
    ?.toLowerCase()
    .split("*")
    .map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join(".*");
  return (
    (!rule.roles?.length || rule.roles.includes(person.role)) &&
    (!rule.property || person.property === rule.property) &&
    (!pattern || (person.unit !== null && new RegExp(`^${pattern}$`, "s").test(person.unit.toLowerCase()))) &&
    (!rule.channel || reachableOn[rule.channel].has(person.id))
  );
}

const rule: fc.Arbitrary<GroupRule> = fc.record(
  {
    roles: fc.uniqueArray(fc.constantFrom(...roles), { maxLength: 3 }),
    property: fc.constantFrom("Maple Court", "maple court", "Harbor_House", "Nowhere", ""),
    unit: fc.oneof(
      fc.constantFrom("4*", "*04", "4b", "PH*", "*", "4%", "4_", String.raw`4\*`, "", "**", "*4*B*"),
      fc.stringMatching(/^[4bBpPhH0*%_]{1,4}$/),
    ),
    channel: fc.constantFrom(...channels),
  },
  { requiredKeys: [] },
);

test("the people of a rule are the same wherever they are asked for", async () => {
  const made = (await post("/api/usergroups", { name: "By rule", rule: {} })).json<Group>();
  await fc.assert(
    fc.asyncProperty(rule, async (rule) => {
      const expected = ids(everybody.filter((person) => fitsByDefinition(person, rule)));
      const body = { name: "By rule", rule };
      const saved = (
        await porchlight.call({ method: "PUT", url: `/api/usergroups/${made.id}`, body }, admin)
      ).json<Group>();
      const tried = (await post("/api/usergroups/try-rule", rule)).json<{
        userCount: number;
        first: User[];
      }>();
      const reach = await post("/api/audience/reach", {
        recipients: [{ type: "group", id: made.id }],
        channels: ["email"],
      });
      expect(ids(await all<User>(`/api/usergroups/${made.id}/members?`))).toEqual(expected);
      expect(ids(await all<User>(`/api/users?groupId=${made.id}`))).toEqual(expected);
      const listed = (await get<Group[]>("/api/usergroups")).find(({ id }) => id === made.id);
      const counts = [
        saved.userCount,
        listed?.userCount,
        tried.userCount,
        reach.json<{ people: number }>().people,
      ];
      expect(counts).toEqual(counts.map(() => expected.length));
      expect(tried.first.every(({ id }) => expected.includes(id))).toBe(true);
      expect(tried.first).toHaveLength(Math.min(10, expected.length));
    }),
    { numRuns: 60 },
  );
});

test("a person's page names the groups of the rules that fit", async () => {
  const rules: GroupRule[] = [
    { channel: "email" },
    { unit: "4*" },
    { roles: ["staff"], property: "Maple Court" },
  ];
  const groups = await Promise.all(
    rules.map(async (rule, n) => (await post("/api/usergroups", { name: `Page ${n}`, rule })).json<Group>()),
  );
  for (const person of everybody.slice(0, 15)) {
    const expected = groups
      .filter((_, n) => fitsByDefinition(person, rules[n] ?? {}))
      .map(({ name }) => name);
    const detail = await get<UserDetail>(`/api/users/${person.id}`);
    expect(detail.groups.map(({ name }) => name).filter((name) => name.startsWith("Page "))).toEqual(
      expected,
    );
  }
});

test.each(channels)("whom %s reaches is what the engine judges", async (channel) => {
  expect(ids(await all<User>(`/api/users?reachable=${channel}`))).toEqual(
    [...reachableOn[channel]].toSorted((a, b) => a - b),
  );
  expect(reachableOn[channel].size).toBeGreaterThan(3);
  expect(reachableOn[channel].size).toBeLessThan(everybody.length);
});

test("whom nothing reaches are the others", async () => {
  const nobody = everybody.filter(({ id }) => channels.every((channel) => !reachableOn[channel].has(id)));
  expect(nobody.length).toBeGreaterThan(0);
  expect(ids(await all<User>("/api/users?reachable=nothing"))).toEqual(ids(nobody));
});
