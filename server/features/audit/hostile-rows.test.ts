import fc from "fast-check";
import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "#contract/api.ts";
import { type AuditAction, auditActionNames } from "#contract/calls/audit-actions.ts";
import { recordAudits } from "#server/db/audit.ts";
import { eventOf, sentenceOf } from "#server/features/audit/event.ts";
import type { AuditRow } from "#server/features/audit/read-audit.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";

/** No row breaks a page, an export, a report, a timeline or a feed, whatever texts it holds. */

const hostile = [
  "2026-99-99T99:99:99Z",
  "constructor",
  `=1+1 {{first_name}} <b>\u202e\u2028${"\u{1f3e0}".repeat(60)}`,
];

/** What people, providers and browsers write. */
const written = {
  users: ["username", "first_name", "last_name", "email", "phone", "property_unit", "property", "unit"],
  user_groups: ["name", "description"],
  notifications: ["title", "subject", "content", "audience_text", "created_by_name", "status_reason"],
  content_versions: ["title", "subject", "content"],
  templates: ["name", "subject", "content"],
  template_versions: ["name", "subject", "content"],
  schedules: ["name", "audience_text", "created_by_name"],
  schedule_occurrences: ["by_name"],
  deliveries: ["person_name", "person_unit", "address", "detail", "provider_message_id"],
  attempts: ["code", "detail"],
  delivery_events: ["detail"],
  suppressions: ["address", "reason"],
  attachments: ["name"],
  sessions: ["ip", "user_agent"],
  accounts: ["name", "state_reason", "updated_by"],
  audit: ["actor_name", "actor_username", "subject_name", "subject_username", "ip", "user_agent"],
};

let porchlight: TestApp;
let admin: Caller;
beforeAll(async () => {
  porchlight = await testApp({ mostRowsRead: 1_000_000 });
  admin = await porchlight.signedIn("admin");
  await porchlight.call({ method: "POST", url: "/api/sample" }, admin);
  const subject = { type: "user", id: admin.userId };
  await recordAudits(
    porchlight.db,
    hostile.flatMap((text) =>
      auditActionNames.map((action) => ({ by: null, action, subject, detail: detailOf(text) })),
    ),
  );
});
afterAll(() => porchlight.close());

/** Everything that any action keeps, as this text. */
function detailOf(text: string): Record<string, unknown> {
  const names =
    "by source channel address reason blockedAt occurrence call code role username factor name to status";
  const fields =
    "lastName scheduled_time date time endTime role constructor settings fieldValues audience rule dayOfWeek";
  return {
    ...Object.fromEntries(names.split(" ").map((name) => [name, text])),
    groups: { joined: text, left: [text] },
    groupIds: [text],
    joined: text,
    channels: [text],
    secretsReplaced: [text],
    changes: {
      ...Object.fromEntries(fields.split(" ").map((field) => [field, [text, `${text}.`]])),
      field_values: [{}, { constructor: text, role: text, time: text }],
    },
  };
}

/** An id of each kind of thing, by the first part of its path. */
async function idsOf(): Promise<Record<string, number>> {
  const newest = async (table: string) => {
    const { rows } = await sql<{ id: number | null }>`SELECT max(id) AS id FROM ${sql.ref(table)}`.execute(
      porchlight.db,
    );
    return rows[0]?.id ?? 1;
  };
  return {
    // The one that went to the fewest people: its printed report takes a page instead of dozens.
    notifications: (
      await sql<{
        id: number;
      }>`SELECT notification_id AS id FROM runs WHERE people > 0 ORDER BY people, id LIMIT 1`.execute(
        porchlight.db,
      )
    ).rows[0]!.id,
    templates: await newest("templates"),
    schedules: await newest("schedules"),
    users: admin.userId,
    usergroups: await newest("user_groups"),
    deliveries: await newest("deliveries"),
  };
}

async function everyPage(): Promise<void> {
  const ids = await idsOf();
  const reads = endpoints.filter(({ method, answer }) => method === "GET" && answer !== "events");
  for (const { path } of reads) {
    const kind = path.split("/")[2] ?? "";
    const at = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      name === "key" ? "siteName" : String(ids[kind] ?? 1),
    );
    const query = path === "/api/schedules/calendar" ? "?from=2026-11-01&to=2026-11-30" : "";
    const reply = await porchlight.call({ method: "GET", url: at + query }, admin);
    expect({ path, status: reply.statusCode }).toEqual({
      path,
      status: expect.toSatisfy((status: number) => status < 500),
    });
  }
  for (const page of ["/manifest.webmanifest", `/u/${"0".repeat(32)}`]) {
    expect((await porchlight.call({ method: "GET", url: page })).statusCode).toBeLessThan(500);
  }
}

test.each(hostile)("every page and export with %j in every text", { timeout: 120_000 }, async (text) => {
  for (const [table, columns] of Object.entries(written)) {
    const set = (names: readonly string[], where: RawBuilder<unknown>) => {
      const parts = names.map((name) => sql`${sql.ref(name)} = ${text}`);
      return sql`UPDATE ${sql.ref(table)} SET ${sql.join(parts)} WHERE ${where}`.execute(porchlight.db);
    };
    // Where each has to differ, one has it. What the database itself refuses can't be there.
    const one = sql`ctid = (SELECT min(ctid) FROM ${sql.ref(table)})`;
    const each = () =>
      columns.map((column) =>
        set([column], sql`true`)
          .catch(() => set([column], one))
          .catch((error: unknown) =>
            expect(error).toMatchObject({ code: expect.stringMatching(/^(23|22)/) }),
          ),
      );
    await set(columns, sql`true`).catch(() => Promise.all(each()));
  }
  await everyPage();
  const listed = await porchlight.call({ method: "GET", url: "/api/audit?pageSize=100&page=2" }, admin);
  expect(listed.json()).toHaveLength(100);
  const exported = await porchlight.call({ method: "GET", url: "/api/audit/export.csv" }, admin);
  expect(exported.body.split("\r\n").length).toBeGreaterThan(hostile.length * auditActionNames.length);
});

describe("an event", () => {
  const row = (action: AuditRow["action"], detail: Record<string, unknown>): AuditRow => ({
    id: 1,
    at: new Date(0),
    actorId: null,
    actorName: "",
    actorUsername: null,
    actorRole: null,
    action,
    subjectType: "user",
    subjectId: 1,
    subjectName: "",
    subjectUsername: null,
    exists: true,
    channel: null,
    detail,
    ip: null,
    userAgent: null,
  });
  const known = { zone: "America/New_York", groups: new Map<number, string>() };

  test("is described whatever its row holds", () => {
    const action = fc.constantFrom<AuditAction | "toString">(...auditActionNames, "toString");
    const detail = fc.dictionary(
      fc.constantFrom(
        "changes",
        "groups",
        "groupIds",
        "name",
        "by",
        "occurrence",
        "blockedAt",
        "joined",
        "to",
      ),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(action, detail, (did, kept) => {
        const event = eventOf(row(did, kept), known);
        expect(event.changes.every(({ label }) => typeof label === "string")).toBe(true);
        expect(event.parts.length).toBeGreaterThan(0);
      }),
    );
  });

  test("shows a name as it was written, whatever it looks like", () => {
    const changes = { lastName: ["2026-99-99T99:99:99Z", "2026-11-25"], firstName: ["09:00", "constructor"] };
    expect(eventOf(row("user.update", { changes }), known).changes).toEqual([
      { label: "Last name", before: "2026-99-99T99:99:99Z", after: "2026-11-25" },
      { label: "First name", before: "09:00", after: "constructor" },
    ]);
  });

  test("keeps names from the right from turning the English around them", () => {
    const he = "\u05d3\u05e0\u05d4 \u05db\u05d4\u05df";
    const deleted = { ...row("user.delete", { username: he }), actorName: he, subjectName: he };
    const event = eventOf(deleted, known);
    expect(sentenceOf(event)).toBe(`\u2068${he}\u2069 deleted \u2068${he}\u2069.`);
    expect(event.note).toBe(`Username: \u2068${he}\u2069.`);
    const joining = row("user.update", { groups: { joined: [7, 8], left: [] } });
    const groups = new Map([
      [7, he],
      [8, "Garden"],
    ]);
    expect(eventOf(joining, { ...known, groups }).note).toBe(`Added to \u2068${he}\u2069 and Garden.`);
  });

  test("that can't be described is listed with what was recorded", () => {
    const event = eventOf(row("schedule.skip", { occurrence: "2026-99-99" }), known);
    expect([event.id, event.note]).toEqual([1, "Recorded as schedule.skip. Its details can't be shown."]);
  });
});
