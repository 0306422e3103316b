import { sql } from "kysely";
import { refusal } from "#contract/refusals/refusal.ts";
import type { AudienceMember } from "#contract/calls/notifications.ts";
import { recipientKey, type RecipientRef, refOf } from "#contract/recipients.ts";
import { homesText } from "#contract/text/homes-text.ts";
import type { Db } from "#server/db/database.ts";
import { PIPELINED } from "#server/db/pipelined.ts";
import { findHomes } from "./homes.ts";
import { nameOf } from "./person.ts";
import { isSet } from "./values.ts";

/** What a caller writes for one recipient: a name, or a reference. */
type Written = string | RecipientRef;

type Match = Pick<AudienceMember, "type" | "id" | "name"> & { asked: string; detail: string };

const CHOICES = 5;

/**
 * Turns what was written into groups and people, each once, in the given order. Throws 422 with the field of the first
 * one that is unknown or ambiguous.
 */
export async function resolveRecipients(db: Db, refs: readonly Written[]): Promise<AudienceMember[]> {
  const names = refs.filter((ref) => typeof ref === "string");
  const [named, referenced] = await Promise.all([matchNames(db, names), findById(db, refs)]);
  const byName = Map.groupBy(named, (match) => match.asked);
  const byKey = new Map(referenced.map((one) => [one.key, one.member]));

  const members = new Map<string, AudienceMember>();
  for (const [index, ref] of refs.entries()) {
    const member =
      typeof ref === "string"
        ? await onlyOne(db, ref, byName.get(ref) ?? [], index)
        : byKey.get(recipientKey(ref));
    if (!member) {
      const homes = typeof ref !== "string" && ref.type === "homes";
      throw refusal(homes ? "homes-unknown" : "recipient-deleted", { index });
    }
    members.set(recipientKey(member), { ...refOf(member), name: member.name });
  }
  return [...members.values()];
}

/** Says which of these still exist. */
export async function existing(
  db: Db,
  refs: readonly RecipientRef[],
): Promise<(one: RecipientRef) => boolean> {
  if (refs.length === 0) return () => false;
  const there = new Set((await findById(db, refs)).map(({ key }) => key));
  return (one) => there.has(recipientKey(one));
}

/** Keeps the groups from being deleted until the transaction ends. */
export async function holdGroups(tx: Db, refs: readonly RecipientRef[]): Promise<void> {
  await sql`${PIPELINED}SELECT FROM user_groups WHERE id = ANY(${idsOf("group", refs)}::bigint[]) ORDER BY id FOR KEY SHARE`.execute(
    tx,
  );
}

async function onlyOne(db: Db, name: string, matches: Match[], index: number): Promise<AudienceMember> {
  const [first, ...others] = matches;
  if (first && others.length === 0) return first;
  if (!first) throw refusal("recipient-unknown", { index, name, near: await similarNames(db, name) });
  const choices = matches.slice(0, CHOICES).map(({ name: called, detail, type, id }) => ({
    name: called,
    detail,
    type,
    id,
  }));
  throw refusal("recipient-ambiguous", { index, name, choices, total: matches.length });
}

// A stranger can register with anyone's name and address. That must not make the name ambiguous.
const addressable = sql`u.deleted_at IS NULL AND u.address_confirmed_at IS NOT NULL`;

/**
 * Groups and full names first, and an exact spelling before others. A username or email address counts only if nothing
 * has that name.
 */
async function matchNames(db: Db, names: readonly string[]): Promise<Match[]> {
  if (names.length === 0) return [];
  const found = await sql<Match & { rank: number }>`
    WITH asked AS (
      SELECT asked, lower(asked) AS exact, fold(asked) AS form FROM unnest(${[...new Set(names)]}::text[]) AS asked)
    SELECT asked, 'group' AS type, g.id, g.name, 'group' AS detail, (lower(g.name) <> exact)::int AS rank
    FROM asked JOIN user_groups g ON fold(g.name) = form
    UNION ALL
    SELECT asked, 'user', u.id, ${nameOf("u")}, coalesce(u.property_unit, u.email, u.username),
      (lower(u.first_name || ' ' || u.last_name) <> exact)::int
    FROM asked JOIN users u ON fold(u.first_name || ' ' || u.last_name) = form AND ${addressable}
    UNION ALL
    SELECT asked, 'user', u.id, ${nameOf("u")}, coalesce(u.property_unit, u.email, u.username), 2
    FROM asked JOIN users u ON (lower(u.username) = exact OR lower(trim(u.email)) = exact) AND ${addressable}
    ORDER BY rank, type, id`.execute(db);
  const best = new Map<string, number>();
  for (const { asked: name, rank } of found.rows) best.set(name, Math.min(rank, best.get(name) ?? rank));
  return found.rows.filter((row) => row.rank === best.get(row.asked));
}

const idsOf = (type: AudienceMember["type"], refs: readonly Written[]) =>
  refs.flatMap((ref) => (typeof ref !== "string" && ref.type === type ? [ref.id] : []));

/** Those that still exist, each with the key of what was asked: homes may be part of another property by now. */
async function findById(
  db: Db,
  refs: readonly Written[],
): Promise<{ key: string; member: AudienceMember }[]> {
  const homes = refs.filter((ref) => typeof ref !== "string" && ref.type === "homes") as RecipientRef[];
  const found = await sql<Pick<AudienceMember, "type" | "id" | "name">>`
    SELECT 'group' AS type, id, name FROM user_groups WHERE id = ANY(${idsOf("group", refs)}::bigint[])
    UNION ALL
    SELECT 'user', id, ${nameOf("users")} FROM users
    WHERE id = ANY(${idsOf("user", refs)}::bigint[]) AND deleted_at IS NULL
    UNION ALL
    SELECT 'file', id, name FROM imports WHERE id = ANY(${idsOf("file", refs)}::bigint[]) AND ${isSet}
      AND name <> ''`.execute(db);
  const places = await findHomes(db, homes);
  return [
    ...found.rows.map((member) => ({ key: recipientKey(member), member })),
    ...homes.flatMap((ref, index) => {
      const place = places[index];
      if (!place || place.gone) return [];
      const name = homesText(place.name, ref, place.units);
      return [{ key: recipientKey(ref), member: { ...ref, id: place.id, name } }];
    }),
  ];
}

async function similarNames(db: Db, name: string): Promise<string[]> {
  const found = await sql<{ name: string }>`
    SELECT name FROM (
      SELECT name, similarity(fold(name), fold(${name})) AS likeness FROM user_groups
      UNION ALL
      (SELECT ${nameOf("users")}, similarity(folded, fold(${name})) FROM users
       WHERE deleted_at IS NULL AND folded % fold(${name}) LIMIT 20)
    ) near WHERE likeness > 0.3 ORDER BY likeness DESC LIMIT 3`.execute(db);
  return found.rows.map((row) => row.name);
}
