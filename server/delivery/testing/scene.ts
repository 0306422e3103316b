import { sql, type Insertable } from "kysely";
import type { Channel, MessageClass } from "#contract/delivery.ts";
import type { ResidencyRole } from "#contract/homes.ts";
import { type AudienceMember, audienceText } from "#contract/calls/notifications.ts";
import { fanOutSome } from "#server/delivery/runs/fan-out.ts";
import type { Db } from "#server/db/database.ts";
import type { Schema, UsersTable } from "#server/db/schema.ts";
import { startRun, type Organization } from "../runs/start-run.ts";
import { openMonths } from "../open-months.ts";
import { claim, type Claimed, type ClaimQuestion } from "../worker/claim.ts";

/** People, notifications and runs for the engine's tests. */

export const dependencies = {
  organization: (): Promise<Organization> =>
    Promise.resolve({
      timeZone: "America/New_York",
      sender: { siteName: "Maple Court", smsPrefix: "", emailSignature: "", emailFooter: "" },
    }),
};

let people = 0;

export async function addPerson(db: Db, values: Partial<Insertable<UsersTable>> = {}): Promise<number> {
  people += 1;
  const row = await db
    .insertInto("users")
    .values({
      username: `person${people}`,
      email: `person${people}@example.com`,
      phone: `+1555${String(people).padStart(7, "0")}`,
      first_name: `Ann${people}`,
      last_name: "Lee",
      role: "tenant",
      property_unit: "Maple Court 4B",
      property: "Maple Court",
      deleted_at: null,
      ...values,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function addPeople(db: Db, count: number): Promise<void> {
  const first = people + 1;
  people += count;
  await sql`
    INSERT INTO users (username, email, phone, first_name, last_name, role, property_unit, property)
    SELECT 'person' || i, 'person' || i || '@example.com', '+1555' || lpad(i::text, 7, '0'), 'Ann' || i, 'Lee',
      'tenant', 'Maple Court ' || i, 'Maple Court'
    FROM generate_series(${first}::int, ${people}::int) i`.execute(db);
}

/** A group with a rule, or, with null, by hand. Answers the same group for the same name. */
export async function addGroup(
  db: Db,
  name: string,
  rule: object | null,
  members: number[] = [],
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO user_groups (name, rule) VALUES (${name}, ${rule === null ? null : JSON.stringify(rule)})
    ON CONFLICT (lower(name)) DO UPDATE SET rule = excluded.rule RETURNING id`.execute(db);
  const { id } = rows[0]!;
  await sql`INSERT INTO group_members (group_id, user_id) SELECT ${id}, unnest(${members}::bigint[])`.execute(
    db,
  );
  return id;
}

/** A home of the property with this name. An empty key: the property is the home. Answers its id. */
export async function addHome(db: Db, property: string, key: string): Promise<number> {
  const found = await sql<{ id: number }>`SELECT id FROM properties WHERE name = ${property}`.execute(db);
  const { rows } =
    found.rows.length > 0
      ? found
      : await sql<{ id: number }>`INSERT INTO properties (name) VALUES (${property}) RETURNING id`.execute(
          db,
        );
  const unit = await sql<{ id: number }>`
    INSERT INTO units (property_id, key, written) VALUES (${rows[0]!.id}, ${key}, ${key}) RETURNING id`.execute(
    db,
  );
  return unit.rows[0]!.id;
}

/** From now on this person lives there. */
export async function moveIn(
  db: Db,
  personId: number,
  unitId: number,
  { role = "leaseholder", shown = true }: { role?: ResidencyRole; shown?: boolean } = {},
): Promise<void> {
  await sql`INSERT INTO residencies (person_id, unit_id, role, shown) VALUES (${personId}, ${unitId}, ${role}, ${shown})`.execute(
    db,
  );
}

export type NotificationValues = {
  content?: string;
  channels?: Channel[];
  class?: MessageClass;
  audience?: AudienceMember[];
  status?: "Draft" | "Scheduled";
  scheduledTime?: Date;
  attachmentIds?: number[];
  perHome?: boolean;
};

/** To Everyone by email, unless said otherwise. */
export async function addNotification(db: Db, values: NotificationValues = {}): Promise<number> {
  const everyone = await addGroup(db, "Everyone", {});
  const row = await db
    .insertInto("notifications")
    .values({
      title: "Water off",
      message_type: "custom",
      content: values.content ?? "Hello {{first_name}}, no water on Tuesday.",
      field_values: "{}",
      channels: values.channels ?? ["email"],
      audience: JSON.stringify(values.audience ?? [{ type: "group", id: everyone, name: "Everyone" }]),
      audience_text: "Everyone",
      class: values.class ?? "general",
      status: values.status ?? "Draft",
      scheduled_time: values.scheduledTime ?? null,
      attachment_ids: values.attachmentIds ?? [],
      per_home: values.perHome ?? false,
      created_by_name: "Admin Manager",
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}

type ScheduleValues = Partial<Insertable<Schema["schedules"]>> & {
  audienceMembers?: AudienceMember[];
};

/** The rent reminder for Everyone by email, daily at nine in New York, unless said otherwise; the scheduler plans it. */
export async function addSchedule(
  db: Db,
  { audienceMembers, ...values }: ScheduleValues = {},
): Promise<number> {
  const audience = audienceMembers ?? [
    { type: "group", id: await addGroup(db, "Everyone", {}), name: "Everyone" } as const,
  ];
  const template = await db
    .selectFrom("templates")
    .select("id")
    .where("slug", "=", "rent-reminder")
    .executeTakeFirstOrThrow();
  const row = await db
    .insertInto("schedules")
    .values({
      name: "Rent",
      recurrence: "daily",
      time: "09:00",
      template_id: template.id,
      field_values: JSON.stringify({ amount: "$1,200", due_date: { day: 1, monthsAfter: 1 } }),
      channels: ["email"],
      audience: JSON.stringify(audience),
      audience_text: audienceText(audience),
      created_by_name: "Admin Manager",
      ...values,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}

export type Started = { notificationId: number; runId: number };

export async function send(db: Db, values: NotificationValues = {}): Promise<Started> {
  const notificationId = await addNotification(db, values);
  const { runId } = await startRun(db, notificationId, dependencies);
  return { notificationId, runId };
}

export async function notificationStatus(db: Db, id: number): Promise<string> {
  const row = await db
    .selectFrom("notifications")
    .select("status")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return row.status;
}

/** What `clear` empties, in this order. */
const emptied = [
  "notice_reads",
  "resident_dates",
  "delivery_events",
  "receipts",
  "webhook_calls",
  "refusals",
  "refused_contents",
  "resend_people",
  "resends",
  "attempts",
  "run_counts",
  "run_outcomes",
  "run_people",
  "deliveries",
  "open_cancellations",
  "runs",
  "content_versions",
  "schedule_occurrences",
  "schedules",
  "notifications",
  "suppressions",
  "consents",
  "workers",
  "worker_journal",
  "group_members",
  "user_groups",
  "push_browsers",
  "former_preference_links",
  "password_links",
  "sessions",
  "known_browsers",
  "person_values",
  "import_people",
  "import_rows",
  "imports",
  "totp_secrets",
  "passkeys",
  "recovery_codes",
  "pending_sign_ins",
  "wrong_codes",
  "calendar_links",
  "home_changes",
  "residencies",
  "units",
  "property_names",
  "properties",
  "users",
];

/** Empties what tests write; the Sandbox stays. */
export async function clear(db: Db): Promise<void> {
  await (checked ??= refuseForgotten(db));
  // For a few rows this is much quicker than TRUNCATE, and without triggers, those of references among them, ten times
  // quicker again.
  await sql
    .raw(
      `SET LOCAL session_replication_role = replica;
      ${emptied.map((table) => `DELETE FROM ${table}`).join(";")}`,
    )
    .execute(db);
  await sql`DELETE FROM accounts WHERE source = 'environment'`.execute(db);
}

/** Tables that only say who changed something. */
const kept = ["settings", "audit", "templates", "template_versions", "attachments"];

let checked: Promise<void> | undefined;

/** Without triggers, rows that refer to emptied ones would stay. */
async function refuseForgotten(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    SELECT conrelid::regclass::text AS name FROM pg_constraint
    WHERE contype = 'f' AND confrelid = ANY(${emptied}::regclass[])
      AND conrelid <> ALL(${[...emptied, ...kept]}::regclass[])`.execute(db);
  const names = rows.map(({ name }) => name).join(", ");
  if (names !== "") throw new Error(`clear() has to empty ${names} too, which refers to what it empties`);
}

/** Spreads every run to its end, even while other processes do too. */
export async function fanOutAll(db: Db): Promise<void> {
  for (;;) {
    await fanOutSome(db);
    const { rows } = await sql`SELECT FROM runs WHERE state = 'fanning-out' LIMIT 1`.execute(db);
    if (rows.length === 0) return;
  }
}

/** As a worker does, which knows the months in which there can be something. */
export async function claimSome(db: Db, question: Omit<ClaimQuestion, "months">): Promise<Claimed[]> {
  return claim(db, { ...question, months: await openMonths(db) });
}
