import { describe, expect, test } from "vitest";
import { endpoints } from "#contract/api.ts";
import { auditActionNames, auditActions, type AuditAction } from "#contract/calls/audit-actions.ts";
import { eventOf, sentenceOf } from "#server/features/audit/event.ts";
import type { AuditRow } from "#server/features/audit/read-audit.ts";

const row: AuditRow = {
  id: 1,
  at: new Date("2026-11-25T14:00:00Z"),
  actorId: 7,
  actorName: "Ann Lee",
  actorUsername: "ann.lee",
  actorRole: "admin",
  subjectUsername: null,
  action: "user.update",
  subjectType: "user",
  subjectId: 8,
  subjectName: "Bo Chen",
  exists: true,
  channel: null,
  detail: {},
  ip: "203.0.113.24",
  userAgent: null,
};
const told = (change: Partial<AuditRow>) =>
  eventOf({ ...row, ...change }, { zone: "America/New_York", groups: new Map([[4, "Board"]]) });
const said = (change: Partial<AuditRow>) => sentenceOf(told(change));

/** Everything that any action records. */
const everything = {
  by: "link",
  source: "one-click",
  ended: 2,
  role: "staff",
  username: "bo.chen",
  channel: "sms",
  channels: ["email", "sms"],
  address: "bo@example.com",
  reason: "User unknown",
  blockedAt: "2026-11-20T14:00:00Z",
  groups: { joined: [4], left: [9] },
  groupIds: [4],
  joined: [1, 2],
  left: [3],
  created: 28,
  updated: 3,
  skipped: 1,
  rejected: 1,
  detached: ["schedule 5"],
  missed: 2,
  status: "Scheduled",
  occurrence: "2026-11-24",
  unconfirmed: true,
  includeReached: true,
  secretsReplaced: ["apiKey"],
  companyLogo: "replaced",
  code: "forbidden",
  call: "PUT /api/users/:id",
  changes: { email: ["a@example.com", "b@example.com"], role: ["staff", "admin"], enabled: [false, true] },
};

/** What no one should read: fields and codes as the program spells them, and values that are not there. */
const CODE =
  /[{}_]|undefined|null|NaN|\[object|\b[a-z]+[A-Z]\w*|\b[a-z]+\.[a-z]+\b(?<!\.example\.com|bo\.chen|example\.com)/;

test("an import says how many people and rows", () => {
  const detail = { created: 1142, updated: 1, rejected: 58 };
  expect(told({ action: "user.import", detail }).note).toBe("1,142 added and 1 updated. 58 rows left out.");
});

test("a sent notification says to whom and how", () => {
  const detail = { run: 3, to: "Maple Court", channels: ["email", "sms"] };
  expect(told({ action: "notification.send", detail }).note).toBe(
    "To Maple Court by email and text message.",
  );
});

describe.each(auditActionNames)("%s", (action) => {
  test.each([
    ["with nothing else on record", {}],
    ["with everything", everything],
  ])("is a sentence %s", (_, detail) => {
    for (const more of [
      {},
      { actorId: 8 },
      { actorId: null, actorName: "" },
      { subjectId: null, subjectName: "", exists: false },
    ]) {
      const event = told({ action, detail, ...more });
      const sentence = sentenceOf(event);
      expect(sentence).toMatch(/^(Ann Lee|Someone) [a-z].+\.$/);
      const words = [
        sentence,
        event.note,
        ...event.changes.flatMap(({ label, before, after }) => [label, before ?? "", after ?? ""]),
      ];
      for (const text of words.map((one) => one.replaceAll(/\S+@\S+/g, ""))) expect(text).not.toMatch(CODE);
      if (event.note) expect(event.note).toMatch(/^“?[A-Z\d].*[.!?]”?$/s);
      expect(event.refused).toBe((auditActions[action] as readonly string[]).includes("refusals"));
    }
  });
});

test("one that this build does not know is not shown as a code", () => {
  expect(said({ action: "teapot.boil" })).toBe(
    "Ann Lee did something that this version of Porchlight can't describe.",
  );
});

describe("names what happened", () => {
  test.each<[AuditAction, Partial<AuditRow>, string]>([
    [
      "user.update",
      { detail: { changes: { email: ["a@x.example", "b@x.example"] } } },
      "Ann Lee changed the email of Bo Chen.",
    ],
    [
      "user.update",
      { detail: { changes: { email: ["a", "b"], phone: ["1", "2"] } } },
      "Ann Lee changed Bo Chen.",
    ],
    ["user.update", { detail: { password: "set", changes: {} } }, "Ann Lee set a password for Bo Chen."],
    ["user.set-password", { subjectId: 7, detail: { by: "profile" } }, "Ann Lee set a new password."],
    [
      "user.send-credentials",
      { detail: { channels: ["email", "sms"] } },
      "Ann Lee sent Bo Chen a link to set a password by email and text message.",
    ],
    [
      "user.import",
      { subjectName: "", detail: { created: 28, updated: 3 } },
      "Ann Lee imported 31 people from a CSV file.",
    ],
    [
      "user.import",
      { subjectName: "", detail: { created: 0, updated: 1, file: "Rent Roll.xlsx" } },
      "Ann Lee imported 1 person from “Rent Roll.xlsx”.",
    ],
    ["session.fail", { actorId: null, actorName: "" }, "Someone failed to sign in as Bo Chen."],
    ["session.fail", { actorId: null, actorName: "", subjectName: "" }, "Someone failed to sign in."],
    [
      "two-factor.limit",
      { actorId: null, actorName: "", detail: { codes: 20 } },
      "Someone entered 20 wrong codes for Bo Chen within a week.",
    ],
    [
      "schedule.skip",
      { subjectType: "schedule", subjectName: "Rent", detail: { occurrence: "2026-11-24" } },
      "Ann Lee skipped the run on Tue, Nov 24, 2026 of the schedule Rent.",
    ],
    [
      "account.update",
      {
        subjectType: "account",
        subjectName: "SendGrid",
        detail: { changes: {}, secretsReplaced: ["apiKey"] },
      },
      "Ann Lee replaced the API key of SendGrid.",
    ],
    [
      "account.update",
      { subjectType: "account", subjectName: "SendGrid", detail: { changes: { enabled: [true, false] } } },
      "Ann Lee turned SendGrid off.",
    ],
    [
      "call.refuse",
      { detail: { call: "PUT /api/users/:id", code: "forbidden" } },
      "Ann Lee tried to change a person.",
    ],
    [
      "call.refuse",
      { detail: { call: "GET /api/audit", code: "forbidden" } },
      "Ann Lee tried to see who did what, when and from where, newest first.",
    ],
  ])("%s: %o", (action, more, sentence) => {
    expect(said({ action, ...more })).toBe(sentence);
  });
});

test("every call that can be refused is named by what it is for", () => {
  const sentences = endpoints.map(({ method, path }) =>
    said({
      action: "call.refuse",
      detail: { code: "forbidden", call: `${method} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}` },
    }),
  );
  for (const sentence of sentences) expect(sentence).toMatch(/^Ann Lee tried to [a-z][^{}]+\.$/);
  expect(sentences).not.toContain("Ann Lee tried something that isn't allowed.");
});

test("before and after are in plain words", () => {
  const changes = {
    enabled: [false, true],
    role: ["staff", "admin"],
    channels: [["email"], ["email", "sms"]],
    scheduled_time: [null, "2026-11-25T14:00:00.000Z"],
    time: ["09:00", "14:30"],
    date: ["2026-11-24", "2026-12-01"],
    dayOfWeek: [1, 2],
    audience: [[{ type: "group", id: 1, name: "Everyone" }], []],
    audience_text: ["Everyone", ""],
    template_id: [3, 5],
    content: ["x".repeat(500), "y".repeat(500)],
    rule: [null, { roles: ["tenant"], property: "Elm House" }],
    settings: [
      { host: "a", port: 25 },
      { host: "a", port: 2525 },
    ],
  };
  expect(told({ detail: { changes } }).changes).toEqual([
    { label: "In use", before: "Off", after: "On" },
    { label: "Role", before: "Staff", after: "Administrator" },
    { label: "Channels", before: "Email", after: "Email, SMS" },
    { label: "Scheduled time", before: "none", after: "Wed, Nov 25, 2026, 9:00 AM EST" },
    { label: "Start time", before: "9:00 AM", after: "2:30 PM" },
    { label: "Date", before: "Tue, Nov 24, 2026", after: "Tue, Dec 1, 2026" },
    { label: "Weekday", before: "Monday", after: "Tuesday" },
    { label: "Recipients", before: "Everyone", after: "none" },
    { label: "Template", before: null, after: null },
    { label: "Message", before: null, after: null },
    { label: "Rule", before: "none", after: "Roles: Tenant, Property: Elm House" },
    { label: "Port", before: "25", after: "2525" },
  ]);
});
