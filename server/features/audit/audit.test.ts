import Papa from "papaparse";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AuditEvent } from "#contract/calls/audit.ts";
import type { SavedUser } from "#contract/calls/users.ts";
import { recordAudit, recordAuditOnce, recordAudits } from "#server/db/audit.ts";
import { hashPassword } from "#server/features/auth/password.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let admin: Caller;
let staff: Caller;
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

beforeAll(async () => {
  porchlight = await testApp({ now: () => new Date() });
  admin = await porchlight.signedIn("admin", { firstName: "Ann", lastName: "Lee" });
  staff = await porchlight.signedIn("staff", { firstName: "Jonah", lastName: "Reyes" });
});
afterAll(() => porchlight.close());
beforeEach(async () => {
  await porchlight.db.deleteFrom("audit").execute();
});

type Method = "GET" | "POST" | "PUT" | "DELETE";
const call = (method: Method, url: string, body?: unknown, as: Caller | null = admin) =>
  porchlight.call(
    { method, url, headers: { "user-agent": BROWSER }, ...(body !== undefined && { body }) },
    as,
  );
const list = async (query = "") => {
  const reply = await call("GET", `/api/audit${query}`);
  expect([reply.statusCode, reply.body]).toEqual([200, reply.body]);
  return reply.json<AuditEvent[]>();
};
const sentence = ({ actor, parts }: AuditEvent) => `${actor.name} ${parts.map(({ text }) => text).join("")}`;
const sentences = async (query = "") => (await list(query)).map(sentence);

const bo = {
  username: "bo.chen",
  firstName: "Bo",
  lastName: "Chen",
  email: "bo@example.com",
  role: "tenant",
  password: "four ripe figs!",
};
const added = async (change: object = {}) =>
  (await call("POST", "/api/users", { ...bo, ...change })).json<SavedUser>();

test("half a character, which PostgreSQL can't store, doesn't stop what is on record", async () => {
  const subject = { type: "user", id: staff.userId };
  const detail = { address: "half \ud83c", changes: { firstName: ["\udfe0 half", "whole 🏠"] } };
  const entry = { by: null, action: "user.block-address", subject, detail } as const;
  await recordAudit(porchlight.db, entry);
  await recordAudits(porchlight.db, [entry]);
  await recordAuditOnce(porchlight.db, { ...entry, action: "user.unblock-address" });
  const { rows } = await sql`SELECT detail FROM audit`.execute(porchlight.db);
  const stored = { address: "half \ufffd", changes: { firstName: ["\ufffd half", "whole 🏠"] } };
  expect(rows).toEqual([{ detail: stored }, { detail: stored }, { detail: stored }]);
});

test("who changed what, before and after, when, from where, and a link to it while it exists", async () => {
  const { id } = await added({ username: "bo.1" });
  await call("PUT", `/api/users/${id}`, {
    ...bo,
    username: "bo.1",
    password: "",
    email: "chen@example.com",
    receiveSms: false,
  });
  const [changed, preferences, created] = await list();
  expect(changed).toMatchObject({
    actor: { id: admin.userId, name: "Ann Lee", role: "admin" },
    changes: [{ label: "Email", before: "bo@example.com", after: "chen@example.com" }],
    refused: false,
    ip: "127.0.0.1",
    device: "Firefox on Linux",
  });
  expect([changed, preferences, created].map((event) => sentence(event!))).toEqual([
    "Ann Lee changed the email of Bo Chen.",
    "Ann Lee changed the notification preferences of Bo Chen.",
    "Ann Lee added Bo Chen.",
  ]);
  expect(preferences?.changes).toEqual([{ label: "SMS", before: "On", after: "Off" }]);
  expect(changed?.parts[1]).toEqual({
    text: "Bo Chen",
    named: true,
    thing: { type: "user", id, channel: null },
  });
  await call("DELETE", `/api/users/${id}`);
  expect((await list()).flatMap(({ parts }) => parts).filter(({ thing }) => thing !== null)).toEqual([]);
});

test("a save that changes nothing is no event", async () => {
  const { id } = await added({ username: "bo.2" });
  await call("PUT", `/api/users/${id}`, { ...bo, username: "bo.2", password: "" });
  expect(await sentences()).toEqual(["Ann Lee added Bo Chen."]);
});

test("sign-ins, refusals and recipients who turn a channel off by a link", async () => {
  const { db } = porchlight;
  const passwordHash = await hashPassword("four ripe figs!");
  const id = await insertPerson(db, { firstName: "Cy", lastName: "Day", username: "cy.day", passwordHash });
  const login = (password: string) => call("POST", "/api/auth/login", { username: "cy.day", password }, null);
  await login("not this one");
  await login("four ripe figs!");
  await call("PUT", "/api/settings", { siteName: "Mine" }, staff);
  const { preferences_token: token } = await db
    .selectFrom("users")
    .select("preferences_token")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  await porchlight.app.inject({
    method: "POST",
    url: `/u/${token}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: "channel=email&allowed=false",
  });
  expect(await sentences()).toEqual([
    "Someone changed the notification preferences of Cy Day.",
    "Jonah Reyes tried to store some settings.",
    "Cy Day signed in.",
    "Someone failed to sign in as Cy Day.",
  ]);
  expect((await list()).map(({ refused }) => refused)).toEqual([false, true, false, true]);
  expect(await sentences("?kind=refusals")).toHaveLength(2);
  expect(await sentences("?kind=sign-ins")).toHaveLength(2);
});

test("no password and no secret is in a sentence or in the export", async () => {
  const { id } = await added({ username: "bo.3" });
  await call("PUT", `/api/users/${id}`, {
    ...bo,
    username: "bo.3",
    role: "staff",
    password: "five ripe figs!",
  });
  const settings = { apiKey: "SG.secret-figs", fromEmail: "a@example.com", fromName: "Maple" };
  const made = await call("POST", "/api/integrations", { channel: "email", kind: "sendgrid", settings });
  const { id: account } = made.json<{ id: number }>();
  await call("PUT", `/api/integrations/${account}`, {
    settings: { ...settings, apiKey: "SG.other-figs", fromName: "Elm" },
  });
  expect(await sentences()).toEqual([
    "Ann Lee changed the from name of SendGrid.",
    "Ann Lee set up SendGrid.",
    "Ann Lee changed the role of Bo Chen.",
    "Ann Lee added Bo Chen.",
  ]);
  expect((await list()).map(({ note }) => note).join(" ")).toContain("The API key was replaced.");
  const { body } = await call("GET", "/api/audit/export.csv");
  for (const text of [body, JSON.stringify(await list())]) expect(text).not.toContain("figs");
});

describe("the filters", () => {
  const record = (change: object) =>
    recordAudit(porchlight.db, {
      by: { user: { id: admin.userId, firstName: "Ann", lastName: "Lee" }, ip: "203.0.113.9" },
      action: "template.create",
      subject: { type: "template" },
      ...change,
    });

  test("find by person, kind, and words in names, addresses and IP addresses", async () => {
    await record({ detail: { name: "Rent 100%" } });
    await record({
      by: { user: { id: staff.userId, firstName: "Jonah", lastName: "Reyes" }, ip: "203.0.113.9" },
      detail: { name: "Rent 1000" },
    });
    await record({
      action: "user.unblock-address",
      subject: { type: "user" },
      detail: { address: "dana@example.com", blockedAt: "2026-11-20T14:00:00Z", reason: "Gone." },
    });
    expect(await sentences(`?person=${staff.userId}`)).toEqual([
      "Jonah Reyes created the template Rent 1000.",
    ]);
    expect(await sentences("?kind=people")).toEqual(["Ann Lee unblocked dana@example.com."]);
    expect(await sentences("?q=100%25")).toEqual(["Ann Lee created the template Rent 100%."]);
    expect(await sentences("?q=DANA@")).toHaveLength(1);
    expect(await sentences("?q=203.0.113")).toHaveLength(3);
    // Two letters are looked for where words begin.
    expect(await sentences("?q=JO")).toEqual(["Jonah Reyes created the template Rent 1000."]);
    expect(await sentences("?q=on")).toEqual([]);
    expect(await sentences(`?person=${admin.userId}&kind=messages&q=rent`)).toHaveLength(1);
    expect(await sentences("?kind=settings")).toEqual([]);
    expect((await call("GET", "/api/audit?kind=teapots")).statusCode).toBe(400);
  });

  test("periods begin with a day of the organization's zone", async () => {
    const here = Temporal.Now.zonedDateTimeISO("America/New_York").startOfDay();
    for (const days of [0, 6, 7, 29, 30]) {
      await record({ detail: { name: `${days} days` } });
      const at = new Date(here.subtract({ days }).epochMilliseconds);
      await sql`UPDATE audit SET at = ${at} WHERE subject_name = ${`${days} days`}`.execute(porchlight.db);
    }
    const found = async (time: string) => (await list(`?time=${time}`)).length;
    expect([
      await found("today"),
      await found("7-days"),
      await found("30-days"),
      await found("12-months"),
    ]).toEqual([1, 2, 4, 5]);
  });

  test("page by page, newest first, with the total", async () => {
    for (let n = 0; n < 5; n++) await record({ detail: { name: `No. ${n}` } });
    const reply = await call("GET", "/api/audit?page=2&pageSize=2");
    expect(reply.headers).toMatchObject({
      "x-total-count": "5",
      link: '</api/audit?page=3&pageSize=2>; rel="next"',
    });
    expect(reply.json<AuditEvent[]>().map(sentence)).toEqual([
      "Ann Lee created the template No. 2.",
      "Ann Lee created the template No. 1.",
    ]);
  });
});

describe("the export", () => {
  type Line = Record<string, string>;
  const exported = async (query = "", as = admin) => {
    const reply = await call("GET", `/api/audit/export.csv${query}`, undefined, as);
    return {
      ...reply,
      lines: Papa.parse<Line>(reply.body.replace("\uFEFF", ""), { header: true, skipEmptyLines: true }).data,
    };
  };

  test("holds what the filter finds, and nothing that a spreadsheet calculates", async () => {
    const { id } = await added({ username: "bo.4", firstName: "=1+1", lastName: "Chen" });
    await call("PUT", `/api/users/${id}`, {
      ...bo,
      username: "bo.4",
      firstName: "=1+1",
      password: "",
      role: "staff",
    });
    await call("GET", "/api/csv/export");
    const { lines } = await exported("?kind=people");
    expect(
      lines.map((line) => [line["Who"], line["What happened"], line["Changes"], line["Browser"]]),
    ).toEqual([
      ["Ann Lee", "Ann Lee changed the role of =1+1 Chen.", "Role: Tenant → Staff", "Firefox on Linux"],
      ["Ann Lee", "Ann Lee added =1+1 Chen.", "", "Firefox on Linux"],
    ]);
    await sql`UPDATE audit SET actor_name = '=HYPERLINK("x")'`.execute(porchlight.db);
    expect((await exported("?kind=people")).lines[0]?.["Who"]).toBe(`'=HYPERLINK("x")`);
  });

  test("of many pages misses none and repeats none", async () => {
    await sql`INSERT INTO audit (actor_name, action, subject_type, detail, at)
      SELECT 'Ann Lee', 'template.create', 'template', jsonb_build_object('name', 'No. ' || n), now() - n / 7 * interval '1 microsecond'
      FROM generate_series(1, 2500) n`.execute(porchlight.db);
    const { lines } = await exported("?q=No.");
    expect(new Set(lines.map((line) => line["What happened"])).size).toBe(2500);
    expect(lines).toHaveLength(2500);
  });

  test("is on record itself, limited, and an administrator's", async () => {
    for (let n = 0; n < 20; n++) expect((await exported("?kind=settings")).statusCode).toBe(200);
    expect((await exported()).statusCode).toBe(429);
    expect((await exported("", staff)).statusCode).toBe(403);
    const said = await sentences("?kind=exports");
    expect(said).toHaveLength(20);
    expect(said[0]).toBe("Ann Lee exported the audit log.");
  });
});
