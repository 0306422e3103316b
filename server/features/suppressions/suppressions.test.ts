import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { AuditEvent } from "#contract/calls/audit.ts";
import type { Channel } from "#contract/delivery.ts";
import type { Suppression, SuppressionKind } from "#contract/calls/suppressions.ts";
import type { UserDetail } from "#contract/calls/users.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let admin: Caller;
let staff: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin");
  staff = await porchlight.signedIn("staff", { firstName: "Jonah", lastName: "Reyes" });
});
afterAll(() => porchlight.close());
beforeEach(async () => {
  await porchlight.db.deleteFrom("suppressions").execute();
  await porchlight.db.deleteFrom("audit").execute();
});

const call = (method: "GET" | "POST", url: string, body?: unknown, as: Caller = staff) =>
  porchlight.call({ method, url, ...(body !== undefined && { body }) }, as);
const list = async (query = "") => {
  const reply = await call("GET", `/api/suppressions${query}`);
  expect([reply.statusCode, reply.body]).toEqual([200, reply.body]);
  return reply.json<Suppression[]>();
};
const addresses = async (query: string) => (await list(query)).map(({ address }) => address);
const sentences = async () =>
  (await call("GET", "/api/audit", undefined, admin))
    .json<AuditEvent[]>()
    .map(({ actor, parts, note }) => [`${actor.name} ${parts.map(({ text }) => text).join("")}`, note]);
const lift = (channel: string, address: string, as = staff) =>
  call("POST", "/api/suppressions/lift", { channel, address }, as);
const block = (body: object) =>
  call("POST", "/api/suppressions", { channel: "email", reason: "Asked by phone", ...body });

type Given = { channel?: Channel; address: string; kind?: SuppressionKind; at?: Date };
const suppress = ({ channel = "email", address, kind = "bounce", at = new Date() }: Given) =>
  porchlight.db
    .insertInto("suppressions")
    .values({
      channel,
      address,
      kind,
      reason: "User unknown",
      source: "smtp",
      delivery_id: null,
      created_at: at,
    })
    .execute();

test("says which address, why, since when and whose it is", async () => {
  const ids = await Promise.all(
    ["Ann", "Bea", "Cem", "Dan"].map((firstName) =>
      insertPerson(porchlight.db, { firstName, lastName: "Zeller", email: " Home@Example.com" }),
    ),
  );
  await suppress({ address: "home@example.com", at: new Date("2026-11-20T14:00:00Z") });
  expect(await list()).toEqual([
    {
      channel: "email",
      address: "home@example.com",
      kind: "bounce",
      reason: "User unknown",
      optedOut: false,
      words: null,
      at: "2026-11-20T14:00:00.000Z",
      account: null,
      notification: null,
      by: null,
      people: [
        { id: ids[0], name: "Ann Zeller" },
        { id: ids[1], name: "Bea Zeller" },
        { id: ids[2], name: "Cem Zeller" },
      ],
      peopleTotal: 4,
    },
  ]);
});

test("is searched by address and name, and filtered by channel and reason, latest first", async () => {
  const kim = await insertPerson(porchlight.db, {
    firstName: "Kim",
    lastName: "Sorensen",
    phone: "+15555550188",
  });
  await suppress({ address: "first@example.com", at: new Date("2026-11-01T00:00:00Z") });
  await suppress({
    channel: "sms",
    address: "+15555550188",
    kind: "unsubscribe",
    at: new Date("2026-11-02T00:00:00Z"),
  });
  await suppress({
    channel: "push",
    address: String(kim),
    kind: "complaint",
    at: new Date("2026-11-03T00:00:00Z"),
  });
  expect(await addresses("")).toEqual([String(kim), "+15555550188", "first@example.com"]);
  expect(await addresses("?q=SORENSEN")).toEqual([String(kim), "+15555550188"]);
  // Her number, and what else of hers is blocked.
  expect(await addresses("?q=(555)%20555-0188")).toEqual([String(kim), "+15555550188"]);
  expect(await addresses("?q=s%C3%B8rensen")).toEqual([String(kim), "+15555550188"]);
  expect(await addresses("?q=FIRST@")).toEqual(["first@example.com"]);
  expect(await addresses("?channel=sms")).toEqual(["+15555550188"]);
  expect(await addresses("?kind=complaint")).toEqual([String(kim)]);
  expect(await addresses("?page=2&pageSize=2")).toEqual(["first@example.com"]);
});

test("staff lift one by its address, on record under the name of whose it is", async () => {
  const userId = await insertPerson(porchlight.db, {
    firstName: "Lou",
    lastName: "Ito",
    email: "lou@example.com",
  });
  await suppress({ address: "lou@example.com", at: new Date("2026-11-20T14:00:00Z") });
  const detail = async () => (await call("GET", `/api/users/${userId}`)).json<UserDetail>();
  expect((await detail()).suppressions).toMatchObject([{ channel: "email", reason: "User unknown" }]);
  expect((await lift("sms", "lou@example.com")).statusCode).toBe(404);
  expect((await lift("email", "lou@example.com")).json()).toEqual({
    message: "We'll use lou@example.com again.",
  });
  expect((await lift("email", "lou@example.com")).statusCode).toBe(404);
  expect((await detail()).suppressions).toEqual([]);
  expect(await list()).toEqual([]);
  expect(await sentences()).toEqual([
    [
      "Jonah Reyes unblocked lou@example.com of Lou Ito.",
      "It was blocked on Fri, Nov 20, 2026, 9:00 AM EST. “User unknown.”",
    ],
  ]);
  const rows = await porchlight.db.selectFrom("audit").select("subject_id").execute();
  expect(rows).toEqual([{ subject_id: userId }]);
});

test("the record of an address that several share names none of them", async () => {
  for (const firstName of ["Ann", "Bea"])
    await insertPerson(porchlight.db, { firstName, email: "both@example.com" });
  await suppress({ address: "both@example.com" });
  await lift("email", "both@example.com");
  expect((await sentences())[0]?.[0]).toBe("Jonah Reyes unblocked both@example.com.");
});

test("an address is blocked by hand as it is stored, with a reason, once, and no message goes to it", async () => {
  const userId = await insertPerson(porchlight.db, {
    firstName: "Moe",
    lastName: "Ray",
    email: "Moe@Example.com",
    phone: "+15555550144",
  });
  expect((await block({ address: "MOE@example.com" })).json()).toEqual({ address: "moe@example.com" });
  const again = await block({ address: "moe@example.com" });
  expect([again.statusCode, again.json()]).toMatchObject([
    409,
    { fields: { address: "This address is already blocked." } },
  ]);
  expect((await block({ channel: "sms", address: "(555) 555-0144" })).json()).toEqual({
    address: "+15555550144",
  });
  const detail = (await call("GET", `/api/users/${userId}`)).json<UserDetail>();
  expect(detail.suppressions).toMatchObject([
    { channel: "email", kind: "manual", reason: "Asked by phone" },
    { channel: "sms", kind: "manual", reason: "Asked by phone" },
  ]);
  expect(await list("?channel=email")).toMatchObject([{ kind: "manual", by: "Jonah Reyes", account: null }]);
  expect(await sentences()).toEqual([
    ["Jonah Reyes blocked +15555550144 of Moe Ray.", "“Asked by phone.”"],
    ["Jonah Reyes blocked moe@example.com of Moe Ray.", "“Asked by phone.”"],
  ]);
  for (const [body, field, sentence] of [
    [{ address: "nowhere" }, "address", "Invalid email address"],
    [{ channel: "sms", address: "12" }, "address", "Phone number is too short. It needs its area code."],
    [{ address: "a@example.com", reason: " " }, "reason", "Reason is required"],
  ] as const) {
    expect((await block(body)).json()).toMatchObject({ fields: { [field]: sentence } });
  }
});

test("an address is unblocked as it was typed to block it, and as a provider wrote it", async () => {
  for (const [channel, typed, stored] of [
    ["email", "Ann@Example.com", "ann@example.com"],
    ["sms", "(415) 555-2671", "+14155552671"],
  ] as const) {
    await block({ channel, address: typed });
    expect((await lift(channel, typed)).json()).toEqual({ message: `We'll use ${stored} again.` });
  }
  await suppress({ channel: "sms", address: "72975" });
  expect((await lift("sms", "72975")).statusCode).toBe(200);
  expect(await list()).toEqual([]);
});
