import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { roles } from "#contract/calls/auth.ts";
import { standings } from "#contract/homes.ts";
import { fold, sortKey } from "#contract/text/fold.ts";
import { type User, userSorts } from "#contract/calls/users.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

/** Pages of people under every filter, order and search, beside the same worked out by hand. */

let porchlight: TestApp;
let admin: Caller;
let everybody: User[];
let gardeners: { id: number; members: number[] };

const names = ["abel", "Abel", "Ångström", "Lopez", "O'Neil", "lopez-Hill"];
const properties = ["Maple Court", "Harbor House", "Elm", null];

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin", { firstName: "Ann", lastName: "Zeller" });
  const members: number[] = [];
  for (let n = 0; n < 48; n++) {
    const id = await insertPerson(porchlight.db, {
      firstName: names[(n * 5) % names.length] ?? "",
      lastName: names[n % names.length] ?? "",
      role: roles[n % 3] ?? "tenant",
      property: properties[(n >> 2) % 4] ?? null,
      propertyUnit: `${properties[(n >> 2) % 4] ?? ""} ${n}B`,
      phone: n % 4 === 0 ? `+1415555${String(n).padStart(4, "0")}` : null,
    });
    if (n % 3 === 0) members.push(id);
  }
  const group = await porchlight.db
    .insertInto("user_groups")
    .values({ name: "Gardeners" })
    .returning("id")
    .executeTakeFirstOrThrow();
  await porchlight.db
    .insertInto("group_members")
    .values(members.map((user_id) => ({ group_id: group.id, user_id })))
    .execute();
  gardeners = { id: group.id, members };
  everybody = (await list({ pageSize: 100 })).rows;
});
afterAll(() => porchlight.close());

async function list(query: Record<string, string | number>) {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const reply = await porchlight.call({ method: "GET", url: `/api/users?${search.toString()}` }, admin);
  expect(reply.statusCode).toBe(200);
  return { total: Number(reply.headers["x-total-count"]), rows: reply.json<User[]>() };
}

type Question = {
  q?: string;
  role?: User["role"];
  property?: string;
  groupId?: "gardeners";
  sort?: (typeof userSorts)[number];
  direction?: "asc" | "desc";
};

const question: fc.Arbitrary<Question> = fc.record(
  {
    q: fc.constantFrom(
      "",
      "a",
      "b",
      "lop",
      "LOPEZ",
      "abel 1",
      "hill elm",
      "o'n",
      "o’neil",
      "łópez-",
      "(415) 555-00",
      "nobody",
    ),
    role: fc.constantFrom(...roles),
    property: fc.constantFrom("Maple Court", "Elm", "Nowhere"),
    groupId: fc.constant("gardeners" as const),
    sort: fc.constantFrom(...userSorts),
    direction: fc.constantFrom("asc" as const, "desc" as const),
  },
  { requiredKeys: [] },
);

const text = ({ firstName, lastName, username, email, phone, propertyUnit, property, unit }: User) =>
  fold(
    [firstName, lastName, username, email, phone, propertyUnit, property, unit]
      .map((part) => part ?? "")
      .join(" "),
  );

function byHand({ q = "", role, property, groupId, sort = "name", direction = "asc" }: Question): number[] {
  const words = q.startsWith("(415)") ? ["41555500"] : q.split(" ").filter(Boolean).map(fold);
  const found = everybody.filter(
    (person) =>
      words.every((word) => text(person).includes(word)) &&
      (!role || person.role === role) &&
      (!property || person.property === property) &&
      (!groupId || gardeners.members.includes(person.id)),
  );
  // Who has no property comes after everyone who has one.
  const key = (person: User) => [
    ...(sort === "role" ? [person.role] : []),
    ...(sort === "property" ? [person.property === null ? "\u{10ffff}" : sortKey(person.property)] : []),
    ...(sort === "newest" ? [] : [sortKey(person.lastName), sortKey(person.firstName)]),
  ];
  const order = found.toSorted((a, b) => {
    const [one, other] = [key(a), key(b)];
    const place = one.findIndex((part, n) => part !== other[n]);
    if (place >= 0) return (one[place] ?? "") < (other[place] ?? "") ? -1 : 1;
    return sort === "newest" ? b.id - a.id : a.id - b.id;
  });
  return (direction === "desc" ? order.reverse() : order).map(({ id }) => id);
}

test("every page of every question is what is worked out by hand", async () => {
  await fc.assert(
    fc.asyncProperty(question, fc.constantFrom(1, 7, 25, 100), async (asked, pageSize) => {
      const expected = byHand(asked);
      const { groupId, ...plain } = asked;
      const query = { ...plain, ...(groupId && { groupId: gardeners.id }), pageSize };
      const last = Math.ceil(expected.length / pageSize);
      for (const page of new Set([1, 2, Math.max(1, last), last + 1])) {
        const { total, rows } = await list({ ...query, page });
        expect(total).toBe(expected.length);
        expect(rows.map(({ id }) => id)).toEqual(expected.slice((page - 1) * pageSize, page * pageSize));
      }
    }),
    { numRuns: 150 },
  );
});

test.each([
  "Unit 4B",
  "unit 4b",
  "Apt. 4B",
  "#4B",
  "Willow Yard / Unit 4B",
  "Willow Yard, Apt 4B",
  "Willow Yard - 4B",
  "Willow Yard unit",
])("%s finds whom the list shows there, also in a group and among recipients", async (q) => {
  const id = await insertPerson(porchlight.db, {
    propertyUnit: "Willow Yard 4B",
    property: "Willow Yard",
    unit: "4B",
  });
  await porchlight.db.insertInto("group_members").values({ group_id: gardeners.id, user_id: id }).execute();
  const members = await porchlight.call(
    { method: "GET", url: `/api/usergroups/${gardeners.id}/members?q=${encodeURIComponent(q)}` },
    admin,
  );
  const reach = await porchlight.call(
    {
      method: "POST",
      url: "/api/audience/reach/list",
      body: { recipients: [{ type: "user", id }], channels: ["email"], q },
    },
    admin,
  );
  const { rows } = await list({ q });
  await porchlight.db.deleteFrom("users").where("id", "=", id).execute();
  expect(rows.map((row) => row.id)).toContain(id);
  expect(members.json<User[]>().map((row) => row.id)).toContain(id);
  expect(reach.headers["x-total-count"]).toBe("1");
});

test("a home corrected by hand is found by what it was corrected to", async () => {
  const id = await insertPerson(porchlight.db, { propertyUnit: "EH 9", property: "Elm House", unit: "9" });
  const { rows } = await list({ q: "Elm House" });
  await porchlight.db.deleteFrom("users").where("id", "=", id).execute();
  expect(rows.map((row) => row.id)).toEqual([id]);
});

test("a row says where a person lives and what reaches them", async () => {
  const { rows } = await list({ property: "Elm", sort: "newest", pageSize: 1 });
  expect(rows[0]).toMatchObject({ property: "Elm", unit: null, receiveEmail: true, receivePush: false });
});

test("who has moved out or moves in later says so, and is found by it", async () => {
  const { db } = porchlight;
  const during = { past: "[2020-01-01,2021-01-01)", now: "[2020-01-01,)", future: "[2999-01-01,)" };
  const ids: Record<string, number> = {};
  for (const [standing, range] of Object.entries(during)) {
    ids[standing] = await insertPerson(db, { propertyUnit: "Standing House", lastName: "Standing" });
    await sql`UPDATE users SET home_during = ${range} WHERE id = ${ids[standing]}`.execute(db);
  }
  for (const lives of standings) {
    const { rows } = await list({ q: "Standing", lives });
    expect(rows).toEqual([expect.objectContaining({ id: ids[lives], standing: lives })]);
  }
  await db.deleteFrom("users").where("last_name", "=", "Standing").execute();
});

test.each(["role=owner", "reachable=mail", "lives=here", "sort=age", "direction=up", "groupId=x"])(
  "%s is no question",
  async (query) => {
    const reply = await porchlight.call({ method: "GET", url: `/api/users?${query}` }, admin);
    expect(reply.statusCode).toBe(400);
  },
);

test("the properties are counted without deleted people", async () => {
  const gone = await insertPerson(porchlight.db, { property: "Elm" });
  await porchlight.call({ method: "DELETE", url: `/api/users/${gone}` }, admin);
  const reply = await porchlight.call({ method: "GET", url: "/api/properties" }, admin);
  expect(reply.json()).toEqual(
    ["Elm", "Harbor House", "Maple Court"].map((name) => ({
      name,
      people: everybody.filter(({ property }) => property === name).length,
    })),
  );
});

test("for a picker, names that begin with the text come first, then those with such a word", async () => {
  const fits = async (query: Record<string, string>) =>
    (await list({ q: "abel", pageSize: 100, ...query })).rows.map(({ firstName, lastName }) =>
      /^abel/i.test(firstName) ? 0 : /^abel/i.test(lastName) ? 1 : 2,
    );
  const byName = await fits({});
  const sorted = byName.toSorted((a, b) => a - b);
  expect(byName).not.toEqual(sorted);
  expect(await fits({ bestFirst: "true" })).toEqual(sorted);
});
