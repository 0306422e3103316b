import { sql } from "kysely";
import { fold } from "#contract/text/fold.ts";
import { readUnitName, unitKey } from "#contract/text/unit-name.ts";
import { holdUntilCommit } from "#server/db/advisory-locks.ts";
import type { Db } from "#server/db/database.ts";

/** A home as people's details name it. */
export type UnitName = { property: string; unit: string | null };
export type FoundUnit = { unitId: number; propertyId: number; whole: boolean };

/** Finds each home, and adds those that aren't there. Holds the lock of places until the transaction ends. */
export async function findUnits(tx: Db, names: readonly UnitName[]): Promise<(name: UnitName) => FoundUnit> {
  if (names.length > 0) await holdUntilCommit(tx, "places");
  const properties = await findProperties(tx, [...new Set(names.map(({ property }) => property))]);
  const written = new Map<string, { propertyId: number; key: string; unit: string }>();
  for (const { property, unit } of names) {
    const [propertyId, key] = [properties.get(fold(property))!, unitKey(unit ?? "")];
    const place = `${propertyId} ${key}`;
    if (!written.has(place)) written.set(place, { propertyId, key, unit: unit ?? "" });
  }
  const found = await existing(tx, [...written.values()]);
  const missing = [...written].flatMap(([place, one]) => (found.has(place) ? [] : [one]));
  if (missing.length > 0) await add(tx, missing, found);
  return ({ property, unit }) => {
    const [propertyId, key] = [properties.get(fold(property))!, unitKey(unit ?? "")];
    return { unitId: found.get(`${propertyId} ${key}`)!, propertyId, whole: key === "" };
  };
}

/** Properties by the folded name. New ones are added. */
async function findProperties(tx: Db, names: readonly string[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map();
  const byFolded = new Map(names.map((name) => [fold(name), name]));
  const { rows } = await sql<{ folded: string; id: number }>`
    SELECT folded, property_id AS id FROM property_names WHERE folded = ANY(${[...byFolded.keys()]}::text[])`.execute(
    tx,
  );
  const found = new Map(rows.map(({ folded, id }) => [folded, id]));
  for (const [folded, name] of byFolded)
    if (!found.has(folded)) found.set(folded, await addProperty(tx, { name }));
  return found;
}

/** Adds a property under a name that no other has. */
export async function addProperty(
  tx: Db,
  { name, address = "", timeZone = null }: { name: string; address?: string; timeZone?: string | null },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    WITH made AS (
      INSERT INTO properties (name, address, time_zone) VALUES (${name}, ${address}, ${timeZone}) RETURNING id, name
    ), named AS (
      INSERT INTO property_names (folded, name, property_id) SELECT ${fold(name)}, name, id FROM made
    )
    SELECT id FROM made`.execute(tx);
  return rows[0]!.id;
}

type Place = { propertyId: number; key: string; unit: string };

async function existing(tx: Db, places: readonly Place[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; propertyId: number; key: string }>`
    SELECT h.id, h.property_id AS "propertyId", h.key
    FROM unnest(${places.map(({ propertyId }) => propertyId)}::bigint[], ${places.map(({ key }) => key)}::text[]) x (property_id, key)
    JOIN units h ON h.property_id = x.property_id AND h.key = x.key AND h.merged_into IS NULL`.execute(tx);
  return new Map(rows.map(({ id, propertyId, key }) => [`${propertyId} ${key}`, id]));
}

/** Adds homes, with building, floor and stack as their names say. */
async function add(tx: Db, places: readonly Place[], found: Map<string, number>): Promise<void> {
  const read = places.map(({ unit }) => readUnitName(unit));
  const { rows } = await sql<{ id: number; propertyId: number; key: string }>`
    INSERT INTO units (property_id, key, written, building, floor, stack)
    SELECT * FROM unnest(${places.map(({ propertyId }) => propertyId)}::bigint[], ${places.map(({ key }) => key)}::text[],
      ${places.map(({ unit }) => unit)}::text[], ${read.map(({ building }) => building ?? "")}::text[],
      ${read.map(({ floor }) => floor)}::int[], ${read.map(({ stack }) => stack)}::text[])
    RETURNING id, property_id AS "propertyId", key`.execute(tx);
  for (const { id, propertyId, key } of rows) found.set(`${propertyId} ${key}`, id);
  await sql`UPDATE properties SET archived_at = NULL
    WHERE archived_at IS NOT NULL AND id = ANY(${places.map(({ propertyId }) => propertyId)}::bigint[])`.execute(
    tx,
  );
}
