import { type RawBuilder, sql } from "kysely";
import type { RecipientRef } from "#contract/recipients.ts";
import { livingRoles } from "#contract/homes.ts";
import type { Db } from "#server/db/database.ts";

/** Recipients that stand for homes, as properties and homes are now. */

type Root = { id: number; name: string; archived: boolean };

/** Where each property and home is now: what was merged since is found in what it was merged into. */
type Roots = {
  properties: ReadonlyMap<number, Root>;
  units: ReadonlyMap<number, { id: number; name: string }>;
};

async function findRoots(db: Db, refs: readonly RecipientRef[]): Promise<Roots> {
  const properties = await sql<Root & { asked: number }>`
    WITH RECURSIVE up AS (
      SELECT id AS asked, id, merged_into FROM properties WHERE id = ANY(${refs.map(({ id }) => id)}::bigint[])
      UNION SELECT up.asked, p.id, p.merged_into FROM up JOIN properties p ON p.id = up.merged_into
    )
    SELECT asked, p.id, p.name, p.archived_at IS NOT NULL AS archived
    FROM up JOIN properties p USING (id) WHERE up.merged_into IS NULL`.execute(db);
  const asked = refs.flatMap(({ units = [] }) => units);
  const units =
    asked.length === 0
      ? { rows: [] }
      : await sql<{ asked: number; id: number; name: string }>`
    WITH RECURSIVE up AS (
      SELECT id AS asked, id, merged_into FROM units WHERE id = ANY(${asked}::bigint[])
      UNION SELECT up.asked, h.id, h.merged_into FROM up JOIN units h ON h.id = up.merged_into
    )
    SELECT asked, h.id, h.written AS name FROM up JOIN units h USING (id) WHERE up.merged_into IS NULL`.execute(
          db,
        );
  return {
    properties: new Map(properties.rows.map(({ asked: id, ...root }) => [id, root])),
    units: new Map(units.rows.map(({ asked: id, ...unit }) => [id, unit])),
  };
}

/**
 * A condition on `units h`: they are meant by these, which differ only in their property. Homes of an archived property
 * never are.
 */
function areMeant(refs: readonly RecipientRef[], { properties, units }: Roots): RawBuilder<boolean> {
  const { building, floors, stacks, units: chosen } = refs[0]!;
  const among = refs.flatMap(({ id }) => {
    const property = properties.get(id);
    return property && !property.archived ? [property.id] : [];
  });
  const conditions = [
    sql<boolean>`h.property_id = ANY(${among}::bigint[])`,
    sql<boolean>`h.merged_into IS NULL`,
  ];
  if (building !== undefined) conditions.push(sql<boolean>`h.building = ${building}`);
  if (floors) conditions.push(sql<boolean>`h.floor = ANY(${floors}::int[])`);
  if (stacks) conditions.push(sql<boolean>`h.stack = ANY(${stacks}::text[])`);
  if (chosen) {
    const ids = chosen.flatMap((id) => units.get(id)?.id ?? []);
    conditions.push(sql<boolean>`h.id = ANY(${ids}::bigint[])`);
  }
  return sql<boolean>`(${sql.join(conditions, sql` AND `)})`;
}

/** Of `residencies` under this alias: someone lives there at this moment. */
export const livesNowIn = (
  of: string,
) => sql<boolean>`(${sql.ref(`${of}.role`)} IN (${sql.join(livingRoles.map((role) => sql.lit(role)))})
  AND (${sql.ref(`${of}.during`)} IS NULL OR ${sql.ref(`${of}.during`)} @> now()))`;

/** The same of `residencies r`. */
export const livesNow = livesNowIn("r");

/** A condition on `units h`: they are among these. */
async function areAmong(db: Db, refs: readonly RecipientRef[]): Promise<RawBuilder<boolean>> {
  const roots = await findRoots(db, refs);
  // Properties of which the same is meant are found at once.
  const alike = Map.groupBy(refs, ({ building, floors, stacks, units }) =>
    JSON.stringify({ building, floors, stacks, units }),
  );
  const meant = [...alike.values()].map((some) => areMeant(some, roots));
  return sql<boolean>`(${sql.join(meant, sql` OR `)})`;
}

/** The same of each home `units h` of `users u`, whether they live there now or not. */
export async function areHomes(db: Db, refs: readonly RecipientRef[]): Promise<RawBuilder<boolean>> {
  return sql<boolean>`(u.address_confirmed_at IS NOT NULL AND ${await areAmong(db, refs)})`;
}

/**
 * A condition on `users u`: they live in one of these homes at this moment. Like a rule, it passes over who registered
 * and has not confirmed the address.
 */
export async function inHomes(db: Db, refs: readonly RecipientRef[]): Promise<RawBuilder<boolean>> {
  return sql<boolean>`(u.address_confirmed_at IS NOT NULL AND u.id IN (
    SELECT r.person_id FROM units h JOIN residencies r ON r.unit_id = h.id AND ${livesNow}
    WHERE ${await areAmong(db, refs)}))`;
}

export type FoundHomes = Root & {
  /** There is no such home anymore, or its property is archived. */
  gone: boolean;
  /** The names of the homes that were chosen one by one. */
  units: string[];
};

/** What each of these is now; undefined: its property never existed. */
export async function findHomes(db: Db, refs: readonly RecipientRef[]): Promise<(FoundHomes | undefined)[]> {
  if (refs.length === 0) return [];
  const roots = await findRoots(db, refs);
  const exist = refs.map(
    (ref, index) => sql`(${index}::int, EXISTS (SELECT FROM units h WHERE ${areMeant([ref], roots)}))`,
  );
  const { rows } = await sql<{ index: number; there: boolean }>`
    SELECT * FROM (VALUES ${sql.join(exist)}) t (index, there)`.execute(db);
  const there = new Map(rows.map((row) => [row.index, row.there]));
  return refs.map((ref, index) => {
    const root = roots.properties.get(ref.id);
    return (
      root && {
        ...root,
        gone: there.get(index) !== true,
        units: (ref.units ?? []).flatMap((id) => roots.units.get(id)?.name ?? []),
      }
    );
  });
}
