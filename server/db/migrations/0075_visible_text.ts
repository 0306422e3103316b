import { sql } from "kysely";
import type { AudienceMember } from "#contract/calls/notifications.ts";
import { splitPropertyUnit } from "#contract/text/property-unit.ts";
import { visibleKey, visibleLine } from "#contract/text/visible-text.ts";
import { type AuditEntry, changesBetween, recordAudit, recordAudits } from "#server/db/audit.ts";
import type { Db } from "#server/db/database.ts";

/**
 * Names, homes, usernames and addresses lose what no one sees in them, as forms now leave it out. People whose usernames
 * become equal both stay, and the later one is renamed. Built-in groups of a property that becomes one are one group, which
 * whatever used the others uses. The audit log has each change.
 */

/** What may be unseen. Which of it stays, `visibleLine` decides. */
const SUSPECT = String.raw`[\u0001-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]| {2}`;

type Person = {
  id: number;
  username: string;
  email: string | null;
  firstName: string;
  lastName: string;
  propertyUnit: string | null;
  property: string | null;
  unit: string | null;
};

/** @returns a sentence for the log about each kind of change */
export default async function visibleText(tx: Db): Promise<string[]> {
  const respelled = await cleanGroups(tx);
  const { changed, renamed } = await cleanPeople(tx);
  for (const [before, property] of respelled)
    await sql`UPDATE users SET property = ${property} WHERE property = ${before}`.execute(tx);
  const merged = [...new Set(respelled.values())];
  await cleanSuppressions(tx);
  for (const table of ["templates", "schedules"] as const) {
    const { rows } = await sql<{ id: number; name: string }>`
      SELECT id, name FROM ${sql.table(table)} WHERE name ~ ${SUSPECT}`.execute(tx);
    for (const { id, name } of rows)
      await sql`UPDATE ${sql.table(table)} SET name = ${visibleLine(name)} WHERE id = ${id}`.execute(tx);
  }
  if (changed + merged.length === 0) return [];
  await recordAudit(tx, {
    by: null,
    action: "data.clean",
    subject: { type: "data" },
    detail: { by: "clean", people: changed, renamed: renamed.length, merged },
  });
  return [
    `Invisible characters were removed from the details of ${changed} people.`,
    ...renamed.map(
      ([before, after]) => `The username ${before} was on file twice. Its later owner is now ${after}.`,
    ),
    ...merged.map((name) => `Several groups looked like ${name}. They are one group now.`),
  ];
}

const orNull = (text: string | null) => (text && visibleLine(text)) || null;

/** Cleans groups' names and rules. Returns the properties whose groups became part of another's, and that one's. */
async function cleanGroups(tx: Db): Promise<Map<string, string>> {
  type Group = {
    id: number;
    name: string;
    description: string;
    rule: Record<string, unknown> | null;
    builtIn: boolean;
  };
  const { rows: groups } = await sql<Group>`
    SELECT id, name, description, rule, built_in AS "builtIn" FROM user_groups ORDER BY id FOR UPDATE`.execute(
    tx,
  );
  const propertyOf = ({ rule }: Group) =>
    typeof rule?.["property"] === "string" ? visibleLine(rule["property"]) : undefined;
  /** The first group of each property, which gives it its spelling. */
  const first = new Map<string, Group>();
  for (const group of groups) {
    const key = propertyOf(group)?.toLowerCase();
    if (group.builtIn && key !== undefined && !first.has(key)) first.set(key, group);
  }
  const keptFor = (group: Group) => {
    const property = propertyOf(group);
    return property === undefined ? undefined : first.get(property.toLowerCase());
  };
  const doubles = new Set(groups.filter((group) => group.builtIn && (keptFor(group) ?? group) !== group));
  // An older group may take the name of one that becomes part of it.
  for (const { id } of doubles) await sql`DELETE FROM user_groups WHERE id = ${id}`.execute(tx);
  const names = new Map<number, string>();
  for (const group of groups.filter((one) => !doubles.has(one))) {
    const property = propertyOf(group);
    const kept = keptFor(group);
    const spelled = kept && propertyOf(kept);
    const name = await freeGroupName(tx, group);
    names.set(group.id, name);
    const unit = group.rule?.["unit"];
    const after = {
      name,
      description: visibleLine(group.description),
      rule: group.rule && {
        ...group.rule,
        ...(property !== undefined && { property: spelled ?? property }),
        ...(typeof unit === "string" && { unit: visibleLine(unit) }),
      },
    };
    const { name: old, description, rule } = group;
    const changes = changesBetween({ name: old, description, rule }, after);
    if (Object.keys(changes).length === 0) continue;
    await sql`UPDATE user_groups SET name = ${after.name}, description = ${after.description},
      rule = ${after.rule && JSON.stringify(after.rule)}::jsonb WHERE id = ${group.id}`.execute(tx);
    await recordAudit(tx, {
      by: null,
      action: "group.update",
      subject: { type: "group", id: group.id },
      detail: { by: "clean", changes },
    });
  }
  const respelled = new Map<string, string>();
  for (const double of doubles) {
    const { id, name } = keptFor(double)!;
    respelled.set(String(double.rule?.["property"]), propertyOf(keptFor(double)!) ?? "");
    await replaceRecipient(tx, double.id, { type: "group", id, name: names.get(id) ?? name });
  }
  return respelled;
}

/** A group's name as people see it, with the first number that makes it unlike the others', which stay as they are. */
async function freeGroupName(tx: Db, group: { id: number; name: string }): Promise<string> {
  const plain = visibleLine(group.name) || `Group ${group.id}`;
  if (plain === group.name) return plain;
  for (let n = 1; ; n++) {
    const name = n === 1 ? plain : `${plain} (${n})`;
    const { rows } = await sql`
      SELECT FROM user_groups WHERE lower(name) = lower(${name}) AND id <> ${group.id}`.execute(tx);
    if (rows.length === 0) return name;
  }
}

/** Puts a group in the place of another, in what is scheduled, drafted, sent or under way. */
async function replaceRecipient(tx: Db, id: number, group: AudienceMember): Promise<void> {
  const old = JSON.stringify([{ type: "group", id }]);
  for (const table of ["notifications", "schedules", "runs"] as const) {
    const { rows } = await sql<{ id: number; audience: AudienceMember[] }>`
      SELECT id, audience FROM ${sql.table(table)} WHERE audience @> ${old}::jsonb FOR UPDATE`.execute(tx);
    for (const row of rows) {
      const others = row.audience.filter((one) => one.type !== "group" || one.id !== group.id);
      const audience = others.map((one) => (one.type === "group" && one.id === id ? group : one));
      const text = audience.map(({ name }) => name).join(", ");
      const named = table === "runs" ? sql`` : sql`, audience_text = ${text}`;
      await sql`UPDATE ${sql.table(table)} SET audience = ${JSON.stringify(audience)}::jsonb ${named}
        WHERE id = ${row.id}`.execute(tx);
    }
  }
}

async function cleanPeople(tx: Db): Promise<{ changed: number; renamed: [string, string][] }> {
  const { rows: people } = await sql<Person & { homeByHand: boolean }>`
    SELECT id, username, email, first_name AS "firstName", last_name AS "lastName", property_unit AS "propertyUnit",
      property, unit, home_by_hand AS "homeByHand"
    FROM users WHERE deleted_at IS NULL
      AND concat_ws('|', username, email, first_name, last_name, property_unit, property, unit) ~ ${SUSPECT}
    ORDER BY id FOR UPDATE`.execute(tx);
  const spelling = await spellings(tx);
  const usernames = await freeUsernames(tx, people);
  const entries: AuditEntry[] = [];
  const record = (id: number, changes: Record<string, unknown>) =>
    entries.push({
      by: null,
      action: "user.update",
      subject: { type: "user", id },
      detail: { by: "clean", changes },
    });
  // Out of each other's way first, and the last ones first.
  for (const [id, [before, username]] of [...usernames].toReversed()) {
    await sql`UPDATE users SET username = ${username} WHERE id = ${id}`.execute(tx);
    record(id, { username: [before, username] });
  }
  for (const { homeByHand, ...before } of people) {
    const after: Person = { ...before, ...cleaned(before, homeByHand) };
    if (after.property !== null) {
      const key = after.property.toLowerCase();
      after.property = spelling.get(key) ?? after.property;
      if (!spelling.has(key)) await addProperty(tx, after.property);
      spelling.set(key, after.property);
    }
    const changes = changesBetween(before, after);
    if (Object.keys(changes).length === 0) continue;
    await tx
      .updateTable("users")
      .set({
        email: after.email,
        first_name: after.firstName,
        last_name: after.lastName,
        property_unit: after.propertyUnit,
        property: after.property,
        unit: after.unit,
      })
      .where("id", "=", before.id)
      .execute();
    record(before.id, changes);
  }
  if (entries.length > 0) await recordAudits(tx, entries);
  const renamed = [...usernames.values()].filter(([before, after]) => visibleKey(before) !== after);
  return {
    changed: new Set(entries.map(({ subject }) => subject.id)).size,
    renamed: renamed.map(([before, after]) => [visibleKey(before), after]),
  };
}

/** A home is read anew, unless someone corrected how it was read: "4B\u200b" was no unit. */
function cleaned(before: Person, homeByHand: boolean): Omit<Person, "id" | "username"> {
  const propertyUnit = orNull(before.propertyUnit);
  const read = splitPropertyUnit(before.propertyUnit ?? "");
  const asRead = !homeByHand && read.property === before.property && read.unit === before.unit;
  return {
    email: before.email === null ? null : visibleKey(before.email) || null,
    firstName: visibleLine(before.firstName),
    lastName: visibleLine(before.lastName),
    propertyUnit,
    ...(asRead
      ? splitPropertyUnit(propertyUnit ?? "")
      : { property: orNull(before.property), unit: orNull(before.unit) }),
  };
}

/** How each property is spelled, by its name in lower case. */
async function spellings(tx: Db): Promise<Map<string, string>> {
  const { rows } = await sql<{ property: string }>`
    SELECT rule->>'property' AS property FROM user_groups WHERE built_in AND rule ? 'property'`.execute(tx);
  return new Map(rows.map(({ property }) => [property.toLowerCase(), property]));
}

async function addProperty(tx: Db, property: string): Promise<void> {
  await sql`
    INSERT INTO user_groups (name, description, rule, built_in)
    VALUES (${property}, ${`Everyone at ${property}`}, ${JSON.stringify({ property })}::jsonb, true)
    ON CONFLICT DO NOTHING`.execute(tx);
}

/** Usernames as people see them, by person: the first one of those that become equal keeps it, the others get a number. */
async function freeUsernames(
  tx: Db,
  people: readonly Person[],
): Promise<Map<number, [before: string, after: string]>> {
  const wanted = people.map(({ username }) => visibleKey(username));
  const { rows } = await sql<{ id: number; username: string }>`
    SELECT id, username FROM users WHERE deleted_at IS NULL
      AND (id = ANY(${people.map(({ id }) => id)}::bigint[])
        OR lower(username) = ANY(ARRAY(SELECT lower(name) FROM unnest(${wanted}::text[]) AS name)))
    ORDER BY id FOR UPDATE`.execute(tx);
  const given = new Set<string>();
  const after = new Map<number, [string, string]>();
  for (const { id, username } of rows) {
    const plain = visibleKey(username) || `user${id}`;
    let name = plain;
    for (let n = 2; given.has(name.toLowerCase()) || (n > 2 && (await isTaken(tx, name))); n++)
      name = `${plain}${n}`;
    given.add(name.toLowerCase());
    if (name !== username) after.set(id, [username, name]);
  }
  return after;
}

async function isTaken(tx: Db, username: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM users WHERE lower(username) = lower(${username}) AND deleted_at IS NULL`.execute(tx);
  return rows.length > 0;
}

/** A blocked address stays blocked as the people who have it now have it. */
async function cleanSuppressions(tx: Db): Promise<void> {
  const { rows } = await sql<{ channel: string; address: string }>`
    SELECT channel, address FROM suppressions WHERE address ~ ${SUSPECT}`.execute(tx);
  for (const { channel, address } of rows) {
    const clean = visibleKey(address);
    const taken = await sql`
      SELECT FROM suppressions WHERE channel = ${channel} AND address = lower(${clean})`.execute(tx);
    const row = sql`channel = ${channel} AND address = ${address}`;
    await (
      taken.rows.length > 0
        ? sql`DELETE FROM suppressions WHERE ${row}`
        : sql`UPDATE suppressions SET address = lower(${clean}) WHERE ${row}`
    ).execute(tx);
  }
}
