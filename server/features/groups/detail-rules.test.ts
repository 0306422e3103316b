import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DetailCondition } from "#contract/calls/detail-conditions.ts";
import type { Group } from "#contract/calls/groups.ts";
import { comparisonsOf } from "#contract/text/detail-conditions.ts";
import type { Detail, DetailKind } from "#contract/text/kept-details.ts";
import { fold } from "#contract/text/fold.ts";
import { fromStored, toStored } from "#server/db/stored-rule.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

/** Groups of those whose details meet a condition, at the moment someone asks. */

let porchlight: TestApp;
let staff: Caller;
let today: string;
const details = {} as Record<DetailKind, Detail>;
const valueOf = new Map<number, Partial<Record<DetailKind, string>>>();

const dayFrom = (days: number) => Temporal.PlainDate.from(today).add({ days }).toString();

beforeAll(async () => {
  porchlight = await testApp();
  staff = await porchlight.signedIn("staff");
  // Nearly a day ahead of here or behind, and not about to be another day.
  const zone = ["Pacific/Kiritimati", "Etc/GMT+12"].find(
    (one) => Temporal.Now.zonedDateTimeISO(one).hour < 23,
  )!;
  await sql`INSERT INTO settings (key, value, data_type) VALUES ('timezone', ${zone}, 'string')
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`.execute(porchlight.db);
  today = (await ask("GET", "/api/clock")).json.today;
  for (const [kind, label] of Object.entries({
    text: "Storage",
    number: "Pets",
    amount: "Balance",
    date: "Lease review",
  }))
    details[kind as DetailKind] = (await ask("POST", "/api/details", { label, kind })).json;
  await keep({});
  for (const number of ["0", "-0.5", "9", "10", "12.25", "100"]) await keep({ number });
  for (const amount of ["0.00", "-12.50", "9.99", "10.00", "1234567.89"]) await keep({ amount });
  for (const text of ["S-12", "s-12", "Élan", "12"]) await keep({ text });
  for (const days of [-400, -1, 0, 1, 89, 90, 91]) await keep({ date: dayFrom(days) });
});
afterAll(() => porchlight.close());

async function ask(method: "GET" | "POST" | "PUT" | "DELETE", url: string, body?: object) {
  const reply = await porchlight.call({ method, url, ...(body && { body }) }, staff);
  return { status: reply.statusCode, json: reply.json() };
}

async function keep(values: Partial<Record<DetailKind, string>>): Promise<void> {
  const id = await insertPerson(porchlight.db, {});
  const own = Object.entries(values).map(([kind, value]) => [details[kind as DetailKind].id, value]);
  await sql`UPDATE users SET details = ${JSON.stringify(Object.fromEntries(own))} WHERE id = ${id}`.execute(
    porchlight.db,
  );
  valueOf.set(id, values);
}

/** The same, read as people would. */
function isMet({ kind, is, value }: DetailCondition, own: string | undefined): boolean {
  if (is === "missing") return own === undefined;
  if (own === undefined) return false;
  if (is === "on-file") return true;
  if (is === "past") return own < today;
  if (is === "within-days") return own >= today && own <= dayFrom(Number(value));
  const [a, b] =
    kind === "text"
      ? [fold(own), fold(value)]
      : kind === "date"
        ? [own, value]
        : [Number(own), Number(value)];
  switch (is) {
    case "is":
      return a === b;
    case "is-not":
      return a !== b;
    case "over":
    case "after":
      return a > b;
    case "under":
    case "before":
      return a < b;
    case "at-least":
      return a >= b;
    default:
      return a <= b;
  }
}

const compared: Record<DetailKind, readonly string[]> = {
  text: ["S-12", "elan"],
  number: ["0", "9", "10", "-1"],
  amount: ["0", "10", "9.99", "-12.5"],
  date: [],
};
const condition = (kind: DetailKind, is: DetailCondition["is"], value = "") => ({
  detail: details[kind].id,
  kind,
  is,
  value,
});

test.each(["text", "number", "amount", "date"] as const)(
  "finds people by a %s as people read it",
  async (kind) => {
    const values = kind === "date" ? [today, dayFrom(1)] : compared[kind];
    const asked = comparisonsOf(kind).flatMap((is) => {
      if (is === "missing" || is === "on-file" || is === "past") return [condition(kind, is)];
      return (is === "within-days" ? ["0", "90"] : values).map((value) => condition(kind, is, value));
    });
    for (const one of asked) {
      const { status, json } = await ask("POST", "/api/usergroups/try-rule", {
        roles: ["tenant"],
        details: [one],
      });
      const expected = [...valueOf.values()].filter((own) => isMet(one, own[kind])).length;
      expect([one, status, json.userCount]).toEqual([one, 200, expected]);
    }
  },
);

test("a group of them is counted, listed and written to as it is then, and says what it needs", async () => {
  const rule = {
    roles: ["tenant"],
    details: [condition("amount", "over", "0.00"), condition("amount", "under", "1000.00")],
  };
  const { json: group } = await ask("POST", "/api/usergroups", { name: "Owing", rule });
  expect(group).toMatchObject({ userCount: 2, rule });
  const listed = (await ask("GET", "/api/usergroups")).json as Group[];
  expect(listed.find(({ id }) => id === group.id)?.userCount).toBe(2);
  expect((await ask("GET", `/api/usergroups/${group.id}/members`)).json).toHaveLength(2);
  const question = { recipients: [{ type: "group", id: group.id }], channels: ["email"] };
  expect((await ask("POST", "/api/audience/reach", question)).json.people).toBe(2);
  await keep({ amount: "3.00" });
  expect((await ask("POST", "/api/audience/reach", question)).json.people).toBe(3);
  // While a group needs it, a detail stays.
  const refused = await ask("DELETE", `/api/details/${details.amount.id}`);
  expect(refused).toMatchObject({ status: 409, json: { fields: { [`group.${group.id}`]: "Owing" } } });
});

test("a condition names a detail that is there, a comparison of its kind and a value", async () => {
  const refused = async (one: object) =>
    (await ask("POST", "/api/usergroups", { name: "Wrong", rule: { details: [one] } })).json.fields;
  expect(await refused({ ...condition("amount", "over", "0"), detail: 99_999 })).toMatchObject({
    "rule.details.0.detail": expect.stringContaining("no longer exists"),
  });
  expect(await refused({ ...condition("text", "over", "0") })).toMatchObject({
    "rule.details.0.is": expect.any(String),
  });
  for (const one of [
    condition("amount", "over"),
    condition("amount", "over", "1.999"),
    condition("date", "is", "May"),
  ])
    expect(await refused(one)).toMatchObject({ "rule.details.0.value": expect.any(String) });
});

test("an older build reads it as a rule for no one", () => {
  const rule = { property: "Elm House", details: [condition("amount", "over", "0")] };
  const { newer, ...seen } = toStored(rule);
  expect(seen).toMatchObject({ roles: [], property: "Elm House" });
  expect(newer?.details).toEqual(rule.details);
  expect(fromStored(toStored(rule))).toEqual(rule);
});
