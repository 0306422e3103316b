import { type RawBuilder, sql } from "kysely";
import type { FoundHomes } from "#contract/calls/places.ts";
import { readHomeQuery } from "#contract/text/home-query.ts";
import { homesText } from "#contract/text/homes-text.ts";
import { readUnitName, unitKey } from "#contract/text/unit-name.ts";
import type { Db } from "#server/db/database.ts";
import { isCalled } from "#server/audience/audience.ts";
import { containing, fit } from "#server/db/like.ts";
import { countHomes } from "#server/features/places/count-homes.ts";
import type { Page } from "#server/http/route.ts";

/** What is found for a text: properties, then parts of them, then homes. */

const FOUND = 25;
/** Words of a text that may be a property's name. */
const WORDS_MAX = 6;

type Hit = Pick<FoundHomes, "propertyId" | "property" | "where"> & { unit?: string };
type Hits = { hits: Hit[]; total: number };
const none: Hits = { hits: [], total: 0 };
type Query = ReturnType<typeof readHomeQuery>;
type Row = { id: number; name: string; total: number };

const listed = sql`p.merged_into IS NULL AND p.archived_at IS NULL`;
const spelled = (text: string) =>
  sql`p.id IN (SELECT property_id FROM property_names n WHERE n.folded LIKE ${containing(text)})`;
const joined = (conditions: RawBuilder<unknown>[]) => sql`(${sql.join(conditions, sql` AND `)})`;

/** The first of what this text means, with the people in it, and how much there is. Without a text: the first properties. */
export async function findPlaces(db: Db, { q = "" }: { q?: string | undefined }): Promise<Page<FoundHomes>> {
  const query = readHomeQuery(q);
  const [named, inside] = await Promise.all([properties(db, q), parts(db, query)]);
  // All of the text means these parts.
  const found = [named, inside, inside.total > 0 ? none : await homes(db, query)];
  const hits = found.flatMap((one) => one.hits).slice(0, FOUND);
  const counts = await countHomes(db, hits);
  return {
    rows: hits.map(({ unit, ...hit }, index) => ({
      ...hit,
      name: homesText(hit.property, hit.where, unit === undefined ? [] : [unit]),
      ...counts[index]!,
    })),
    total: found.reduce((sum, { total }) => sum + total, 0),
  };
}

const hitsOf = <One extends Row>(
  rows: readonly One[],
  hitOf: (row: One) => Omit<Hit, "propertyId" | "property">,
) => ({
  hits: rows.map((row) => ({ propertyId: row.id, property: row.name, ...hitOf(row) })),
  total: rows[0]?.total ?? 0,
});

async function properties(db: Db, q: string): Promise<Hits> {
  const which = q === "" ? sql`true` : sql`(fold(p.address) LIKE ${containing(q)} OR ${spelled(q)})`;
  const order = q === "" ? sql`p.name_key, p.id` : sql`${fit(sql`p.name`, q)}, p.name_key, p.id`;
  const { rows } = await sql<Row>`
    SELECT p.id, p.name, count(*) OVER () AS total FROM properties p WHERE ${listed} AND ${which}
    ORDER BY ${order} LIMIT ${FOUND}`.execute(db);
  return hitsOf(rows, () => ({ where: {} }));
}

/** Of `units h`: what the query says about them. */
function conditionsOf({ building, floors, stacks }: Query): RawBuilder<unknown>[] {
  return [
    sql`h.merged_into IS NULL`,
    ...(building === undefined ? [] : [isCalled(sql`h.building`, [building])]),
    ...(floors ? [sql`h.floor = ANY(${floors}::int[])`] : []),
    ...(stacks ? [isCalled(sql`h.stack`, stacks)] : []),
  ];
}

/** Buildings, floors and stacks, of each property whose name has all other words. */
async function parts(db: Db, query: Query): Promise<Hits> {
  const { building, floors, stacks, rest } = query;
  if (building === undefined && !floors && !stacks) return none;
  const words = rest === "" ? [] : rest.split(" ");
  const which = joined([listed, ...words.map((word) => spelled(word))]);
  const meant = joined(conditionsOf(query));
  const inside = sql`FROM units h WHERE h.property_id = p.id AND ${meant}`;
  const buildings =
    building === undefined
      ? sql`SELECT NULL AS building WHERE EXISTS (SELECT ${inside})`
      : sql`SELECT DISTINCT h.building ${inside}`;
  const { rows } = await sql<Row & { building: string | null; stacks: string[] }>`
    WITH found AS (
      SELECT p.id, p.name, p.name_key, h.building, count(*) OVER () AS total
      FROM properties p CROSS JOIN LATERAL (${buildings}) h WHERE ${which}
      ORDER BY p.name_key, p.id, h.building LIMIT ${FOUND}
    )
    SELECT f.*, ${stacks ? sql`ARRAY(SELECT DISTINCT h.stack FROM units h WHERE h.property_id = f.id AND ${meant} ORDER BY 1)` : sql`'{}'::text[]`} AS stacks
    FROM found f ORDER BY f.name_key, f.id, f.building`.execute(db);
  return hitsOf(rows, (row) => ({
    where: {
      ...(row.building !== null && { building: row.building }),
      ...(floors && { floors }),
      ...(stacks && { stacks: row.stacks }),
    },
  }));
}

/** Homes by their name, in every property or in one that is named before or after it. */
async function homes(db: Db, query: Query): Promise<Hits> {
  const words = query.rest.split(" ").filter((word) => word !== "");
  if (words.length === 0) return none;
  const splits = [
    ...words.slice(0, WORDS_MAX).map((_, taken) => [words.slice(0, taken), words.slice(taken)] as const),
    ...(words.length > 1 ? [[words.slice(1), words.slice(0, 1)] as const] : []),
  ].map(([property, unit]) => ({
    property: property.join(" "),
    unit: unit.join(" "),
    key: unitKey(unit.join(" ")),
  }));
  const asked = splits.filter(({ key }) => key !== "");
  if (asked.length === 0) return none;
  const ways = asked.map(({ property, unit, key }) =>
    joined([...(property === "" ? [] : [spelled(property)]), named(unit, key, property !== "")]),
  );
  const exact = asked.map(({ key }) => key);
  const { rows } = await sql<Row & { unitId: number; unit: string }>`
    SELECT p.id, p.name, h.id AS "unitId", h.written AS unit, count(*) OVER () AS total
    FROM units h JOIN properties p ON p.id = h.property_id
    WHERE ${joined([listed, ...conditionsOf(query), sql`(${sql.join(ways, sql` OR `)})`])}
    ORDER BY h.key <> ALL(${exact}::text[]), p.name_key, p.id, by_number(fold(h.written)), h.id LIMIT ${FOUND}`.execute(
    db,
  );
  return hitsOf(rows, ({ unitId, unit }) => ({ where: { units: [unitId] }, unit }));
}

/** Of `units h`: they are called this, begin with it, or are on the floor and in the stack that it says: "204" is "B-204", too. */
function named(unit: string, key: string, inProperty: boolean): RawBuilder<unknown> {
  const { building, floor, stack } = readUnitName(unit);
  const begins = inProperty || key.length > 2;
  return sql`(h.key = ${key}
    ${begins ? sql`OR h.key LIKE substr(containing(${key}), 2)` : sql``}
    ${floor === null || stack === null || building !== null ? sql`` : sql`OR (h.floor = ${floor} AND h.stack = ${stack})`})`;
}
