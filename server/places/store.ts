import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { lives, livingRoles } from "#contract/homes.ts";
import type { Db } from "#server/db/database.ts";
import type { Residency } from "./residencies.ts";
import { instantsOf, todayAt } from "./today.ts";

/** Each person's residencies, oldest first. */
export async function readHomes(tx: Db, personIds: readonly number[]): Promise<Map<number, Residency[]>> {
  const { rows } = await sql<Residency & { personId: number }>`
    SELECT r.person_id AS "personId", r.id, r.unit_id AS "unitId", h.property_id AS "propertyId", h.key = '' AS whole,
      r.role, r.first_day::text AS "firstDay", r.last_day::text AS "lastDay", r.lease_ends::text AS "leaseEnds",
      r.shown, r.said, r.home
    FROM residencies r JOIN units h ON h.id = r.unit_id
    WHERE r.person_id = ANY(${[...personIds]}::bigint[]) ORDER BY r.id`.execute(tx);
  const homes = new Map<number, Residency[]>(personIds.map((id) => [id, []]));
  for (const { personId, ...residency } of rows) homes.get(personId)?.push(residency);
  return homes;
}

export type Change = { personId: number; before: readonly Residency[]; after: readonly Residency[] };

/** Stores the difference, and when each person lives in the home that their details name. */
export async function writeHomes(tx: Db, changes: readonly Change[]): Promise<void> {
  const kept = new Set(changes.flatMap(({ after }) => after.map(({ id }) => id)));
  const gone = changes.flatMap(({ before }) => before.flatMap(({ id }) => (kept.has(id) ? [] : [id])));
  const known = new Map(changes.flatMap(({ before }) => before.map((one) => [one.id, one])));
  const rows = changes.flatMap(({ personId, after }) =>
    after.filter((one) => !isDeepStrictEqual(known.get(one.id), one)).map((one) => ({ personId, ...one })),
  );
  const changed = rows.filter(({ id }) => id > 0);
  // Only one of a person's is shown at any moment, so none is while they change.
  const hidden = [...gone, ...changed.map(({ id }) => id)];
  if (hidden.length > 0) {
    await sql`UPDATE residencies SET shown = false WHERE shown AND id = ANY(${hidden}::bigint[])`.execute(tx);
    await sql`DELETE FROM residencies WHERE id = ANY(${gone}::bigint[])`.execute(tx);
  }
  if (rows.length === 0 && gone.length === 0) return;
  await sql`
    WITH x AS MATERIALIZED (
      SELECT x.* FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x (id bigint, "personId" bigint, "unitId" bigint,
        role text, "firstDay" date, "lastDay" date, "leaseEnds" date, shown boolean, said text, home text)
    ), changed AS (
      UPDATE residencies r SET unit_id = x."unitId", role = x.role, first_day = x."firstDay", last_day = x."lastDay",
        lease_ends = x."leaseEnds", shown = x.shown, said = x.said, home = x.home
      FROM x WHERE r.id = x.id
    )
    INSERT INTO residencies (person_id, unit_id, role, first_day, last_day, lease_ends, shown, said, home)
    SELECT "personId", "unitId", role, "firstDay", "lastDay", "leaseEnds", shown, said, home FROM x WHERE id = 0`.execute(
    tx,
  );
  await bringBack(tx, rows);
  // No one whose days are open needs more, which is everyone in a first import.
  const dated = changes.filter(({ before, after }) => [...before, ...after].some((one) => !isOpen(one)));
  if (dated.length > 0)
    await setInstants(
      tx,
      dated.map(({ personId }) => personId),
    );
}

/** An archived property is there again when someone lives in it, or will. */
async function bringBack(tx: Db, rows: readonly Residency[]): Promise<void> {
  const lived = rows.filter(({ role }) => lives(role));
  await sql`UPDATE properties p SET archived_at = NULL
    FROM unnest(${lived.map(({ propertyId }) => propertyId)}::bigint[], ${lived.map(({ lastDay }) => lastDay)}::date[])
      x (id, last_day)
    WHERE p.id = x.id AND p.archived_at IS NOT NULL AND (x.last_day IS NULL OR x.last_day >= ${todayAt("p")})`.execute(
    tx,
  );
}

const isOpen = ({ role, firstDay, lastDay }: Residency) =>
  livingRoles.some((one) => one === role) && firstDay === null && lastDay === null;

/** Brings `during` and `home_during` of these people in line with their days, or of everyone with days. */
export async function setInstants(tx: Db, personIds: readonly number[] | null): Promise<void> {
  const who =
    personIds === null ? sql`r.during IS NOT NULL` : sql`r.person_id = ANY(${[...personIds]}::bigint[])`;
  await sql`
    UPDATE residencies r SET during = ${instantsOf("r")}
    FROM units h JOIN properties p ON p.id = h.property_id
    WHERE h.id = r.unit_id AND ${who} AND r.during IS DISTINCT FROM ${instantsOf("r")}`.execute(tx);
  const whose =
    personIds === null
      ? sql`SELECT person_id FROM residencies r WHERE ${who}`
      : sql`SELECT unnest(${[...personIds]}::bigint[])`;
  await sql`
    UPDATE users u SET home_during = is_at.during
    FROM (SELECT x.id, CASE WHEN r.role = ANY(${[...livingRoles]}::text[]) OR r.id IS NULL THEN r.during ELSE 'empty'::tstzrange END AS during
      FROM (SELECT DISTINCT person_id AS id FROM (${whose}) AS who (person_id)) x
      LEFT JOIN residencies r ON r.person_id = x.id AND r.shown) is_at
    WHERE u.id = is_at.id AND u.home_during IS DISTINCT FROM is_at.during`.execute(tx);
}

/** Makes the details of these people name the residency that is shown, in the text that it was last known by. */
export async function nameShown(tx: Db, personIds: readonly number[]): Promise<void> {
  await sql`
    WITH named AS (
      UPDATE residencies r SET home = w.text, said = w.said
      FROM (
        SELECT r.id, r.person_id, p.name, h.written,
          coalesce(r.home, p.name || CASE WHEN h.written = '' THEN '' ELSE ' / ' || h.written END) AS text,
          p.name || E'\t' || h.written AS said
        FROM residencies r JOIN units h ON h.id = r.unit_id JOIN properties p ON p.id = h.property_id
        WHERE r.shown AND r.person_id = ANY(${[...personIds]}::bigint[])
      ) w WHERE r.id = w.id
      RETURNING w.person_id, w.text, w.said, w.name, nullif(w.written, '') AS unit
    )
    UPDATE users u SET property_unit = n.text, property = n.name, unit = n.unit, home_said = n.said, home_by_hand = true, updated_at = now()
    FROM named n WHERE u.id = n.person_id
      AND (u.property_unit, u.property, u.unit) IS DISTINCT FROM (n.text, n.name, n.unit)`.execute(tx);
}

/** Leaves someone without a home in their details: the only one was entered by mistake. */
export async function forgetHome(tx: Db, personId: number): Promise<void> {
  await sql`UPDATE users SET property_unit = NULL, property = NULL, unit = NULL, home_said = NULL, home_by_hand = false,
      home_during = NULL, updated_at = now()
    WHERE id = ${personId}`.execute(tx);
}
