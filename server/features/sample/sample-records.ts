import { sql } from "kysely";
import { holdUntilCommit } from "#server/db/advisory-locks.ts";
import { settleHomes } from "#server/places/settle.ts";
import { dayIn } from "#contract/recurrence.ts";
import { fullName } from "#contract/text/full-name.ts";
import type { AudienceMember } from "#contract/calls/notifications.ts";
import type { Db } from "#server/db/database.ts";
import { toStored } from "#server/db/stored-rule.ts";
import { channelSet } from "#server/audience/person.ts";
import { syncRuleGroups } from "#server/features/groups/sync-rule-groups.ts";
import { type SampleClock, timeOf } from "#server/features/sample/clock.ts";
import { type SampleAudience, sampleGroups } from "#server/features/sample/groups.ts";
import { dateHomes, moveOut } from "#server/features/sample/homes.ts";
import { properties, type SamplePerson, staff, tenants } from "#server/features/sample/people.ts";
import { markAsSample } from "#server/features/sample/rows.ts";
import { sampleTemplates } from "#server/features/sample/templates.ts";

export type StaffMember = { id: number; name: string };
type StoredTemplate = {
  id: number;
  name: string;
  type: string;
  class: string;
  subject: string;
  content: string;
};

/** Who and what the sample's history is about. */
export type SampleRecords = {
  staff: StaffMember[];
  /** Tenants by their place in `tenants()`. Who has not moved in yet is missing. */
  tenants: Map<number, number>;
  template: (name: string) => StoredTemplate;
  audience: (to: SampleAudience) => AudienceMember[];
  /** Tenants who move in later. */
  newcomers: { at: Date; moveIn: () => Promise<{ id: number; person: SamplePerson }> }[];
  /** And those who move out. */
  leavers: { at: Date; moveOut: () => Promise<{ id: number; person: SamplePerson; day: string }> }[];
  /** Says since when everyone lives where, at the end of the history. */
  dateHomes: () => Promise<void>;
};

/** When the sample's history begins. Anyone who joined earlier was there from the beginning. */
const HISTORY_DAYS = 60;

export async function insertSampleRecords(
  tx: Db,
  clock: SampleClock,
  takenUsername: string,
): Promise<SampleRecords> {
  const people = tenants();
  const team = await insertPeople(tx, clock, staff(), takenUsername);
  const ids = new Map<number, number>();
  const insert = async (places: readonly number[]) => {
    const given = places.map((k) => people[k]!);
    for (const [n, id] of (await insertPeople(tx, clock, given, takenUsername)).entries())
      ids.set(places[n]!, id);
  };
  const places = [...people.keys()];
  await insert(places.filter((k) => people[k]!.joinedDaysAgo > HISTORY_DAYS));
  const groups = await insertGroups(tx, clock, { people, ids, team });
  const templates = await insertTemplates(tx, clock, team);
  return {
    staff: staff().map((person, n) => ({ id: team[n]!, name: fullName(person) })),
    tenants: ids,
    template: (name) => templates.get(name)!,
    audience: (to) => audienceOf(to, { people, ids, groups }),
    newcomers: places
      .filter((k) => people[k]!.joinedDaysAgo <= HISTORY_DAYS && people[k]!.movesInDays === null)
      .map((k) => ({
        at: timeOf(clock, people[k]!.joinedDaysAgo, "11:00"),
        moveIn: async () => {
          await insert([k]);
          const id = ids.get(k)!;
          await addMembers(tx, groups, [{ id, k, person: people[k]! }]);
          return { id, person: people[k]! };
        },
      })),
    leavers: places
      .filter((k) => people[k]!.leftDaysAgo !== null)
      .map((k) => ({
        at: timeOf(clock, people[k]!.leftDaysAgo ?? 0, "16:00"),
        moveOut: async () => {
          const id = ids.get(k)!;
          const day = dayIn(clock.zone, timeOf(clock, people[k]!.leftDaysAgo ?? 0, "16:00"));
          await moveOut(tx, id, day);
          return { id, person: people[k]!, day };
        },
      })),
    async dateHomes() {
      await insert(places.filter((k) => people[k]!.movesInDays !== null));
      await dateHomes(tx, people, ids);
    },
  };
}

/** Returns the ids in the same order. */
async function insertPeople(
  tx: Db,
  clock: SampleClock,
  people: readonly SamplePerson[],
  takenUsername: string,
): Promise<number[]> {
  const rows = people.map((person, place) => ({
    place,
    username: person.username === takenUsername.toLowerCase() ? `${person.username}.sample` : person.username,
    email: person.email,
    phone: person.phone,
    first_name: person.firstName,
    last_name: person.lastName,
    role: person.role,
    property: person.property,
    unit: person.unit,
    channels: channelSet(person.channels),
    at: timeOf(clock, person.joinedDaysAgo, "11:00"),
    /** When they turned off what is off. */
    off_at: timeOf(clock, Math.min(person.joinedDaysAgo - 1, HISTORY_DAYS + 1), "19:30"),
    email_off: person.role === "tenant" && !person.channels.includes("email"),
    sms_off: person.role === "tenant" && !person.channels.includes("sms"),
  }));
  const { rows: inserted } = await sql<{ id: number }>`
    WITH given AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS t (place int, username text, email text,
        phone text, first_name text, last_name text, role text, property text, unit text, channels int, at timestamptz,
        off_at timestamptz, email_off boolean, sms_off boolean)
    ), added AS (
      INSERT INTO users (username, email, phone, first_name, last_name, role, property_unit, property, unit, channels,
        created_at, updated_at, address_confirmed_at)
      SELECT username, email, phone, first_name, last_name, role, property || ' ' || unit, property, unit, channels, at, at, at
      FROM given ORDER BY place
      RETURNING id, username
    ), marked AS (
      INSERT INTO sample_rows (kind, id) SELECT 'user', id FROM added
    ), consented AS (
      INSERT INTO consents (user_id, channel, allowed, source, at)
      SELECT a.id, c.channel, false, c.source, g.off_at FROM added a JOIN given g USING (username)
      JOIN LATERAL (VALUES ('email', 'one-click', g.email_off), ('sms', 'texted-stop', g.sms_off)) c (channel, source, off)
        ON c.off
      ORDER BY g.place
    )
    SELECT a.id FROM added a JOIN given g USING (username) ORDER BY g.place`.execute(tx);
  const ids = inserted.map(({ id }) => id);
  await holdUntilCommit(tx, "ruleGroups");
  await settleHomes(tx, ids);
  return ids;
}

type Groups = Map<string, number>;
type People = { people: readonly SamplePerson[]; ids: ReadonlyMap<number, number>; team: readonly number[] };

async function insertGroups(tx: Db, clock: SampleClock, { people, ids, team }: People): Promise<Groups> {
  const created = await syncRuleGroups(
    tx,
    properties.map(({ name }) => name),
  );
  const at = timeOf(clock, 210, "10:00");
  const groups: Groups = new Map();
  for (const { name, description, rule } of sampleGroups) {
    const { rows } = await sql<{ id: number }>`
      INSERT INTO user_groups (name, description, rule, created_by, created_at, updated_at)
      VALUES (${name}, ${description}, ${rule && JSON.stringify(toStored(rule))}, ${team[0]}, ${at}, ${at})
      RETURNING id`.execute(tx);
    groups.set(name, rows[0]!.id);
  }
  await addMembers(tx, groups, [
    ...[...ids].map(([k, id]) => ({ id, k, person: people[k]! })),
    ...staff().map((person, k) => ({ id: team[k]!, k, person })),
  ]);
  const { rows } = await sql<{ id: number; name: string }>`
    SELECT id, coalesce(rule->>'property', name) AS name FROM user_groups
    WHERE built_in AND (rule ? 'property' OR name = 'All Tenants')`.execute(tx);
  const own = rows.filter(({ name }) => created.some(({ property }) => property === name));
  await markAsSample(tx, "group", [...groups.values(), ...own.map(({ id }) => id)]);
  for (const { id, name } of rows) groups.set(name, id);
  return groups;
}

type Member = { id: number; k: number; person: SamplePerson };

async function addMembers(tx: Db, groups: Groups, members: readonly Member[]): Promise<void> {
  const rows = members
    .filter(({ person }) => person.leftDaysAgo === null && person.movesInDays === null)
    .flatMap(({ id, k, person }) =>
      sampleGroups
        .filter(({ picks }) => picks(k, person.role))
        .map(({ name }) => ({ group_id: groups.get(name)!, user_id: id })),
    );
  await sql`
    INSERT INTO group_members (group_id, user_id)
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS t (group_id bigint, user_id bigint)`.execute(
    tx,
  );
}

async function insertTemplates(
  tx: Db,
  clock: SampleClock,
  team: readonly number[],
): Promise<Map<string, StoredTemplate>> {
  const rows = sampleTemplates.map((template, n) => ({
    place: n,
    name: template.name,
    type: template.type,
    class: template.class ?? "general",
    subject: template.subject ?? "",
    content: template.content,
    by: team[n % 2]!,
    at: timeOf(clock, template.createdDaysAgo, "14:00"),
    archived_at:
      template.archivedDaysAgo === undefined ? null : timeOf(clock, template.archivedDaysAgo, "17:00"),
  }));
  await sql`
    WITH added AS (
      INSERT INTO templates (name, type, class, subject, content, created_by, created_at, updated_at, archived_at)
      SELECT name, type, class, subject, content, by, at, coalesce(archived_at, at), archived_at
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS t (place int, name text, type text, class text,
        subject text, content text, by bigint, at timestamptz, archived_at timestamptz) ORDER BY place
      RETURNING *
    ), marked AS (
      INSERT INTO sample_rows (kind, id) SELECT 'template', id FROM added
    )
    INSERT INTO template_versions (template_id, version, name, type, subject, content, added_fields, saved_by, saved_at)
    SELECT id, version, name, type, subject, content, added_fields, created_by, created_at FROM added`.execute(
    tx,
  );
  const stored = await sql<StoredTemplate>`
    SELECT id, name, type, class, subject, content FROM templates
    WHERE slug IS NOT NULL OR id IN (SELECT id FROM sample_rows WHERE kind = 'template')`.execute(tx);
  return new Map(stored.rows.map((template) => [template.name, template]));
}

/** The members of a message's audience, with their current names. */
function audienceOf(
  to: SampleAudience,
  { people, ids, groups }: Pick<People, "people" | "ids"> & { groups: Groups },
): AudienceMember[] {
  if (typeof to === "string") return [{ type: "group", id: groups.get(to)!, name: to }];
  const k = people.findIndex(({ email }) => email?.startsWith(`${to.mailbox}+`));
  return [{ type: "user", id: ids.get(k)!, name: fullName(people[k]!) }];
}
