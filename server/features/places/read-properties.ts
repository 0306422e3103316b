import { type RawBuilder, sql } from "kysely";
import type { QueryOf, ReplyOf } from "#contract/endpoint.ts";
import type { Home, HomeDetail, places, PropertyRow } from "#contract/calls/places.ts";
import { channels } from "#contract/delivery.ts";
import { livingRoles } from "#contract/homes.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { nameOf, reachable, unreachable } from "#server/audience/person.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { containing, fit } from "#server/db/like.ts";
import { PIPELINED } from "#server/db/pipelined.ts";
import { PREPARED } from "#server/db/prepared.ts";
import type { Page } from "#server/http/route.ts";
import { todayAt } from "#server/places/today.ts";

/** The columns of a `property` of the contract, from `properties p`. */
const propertyColumns: RawBuilder<unknown> = sql`p.id, p.name, p.address, p.time_zone AS "timeZone",
  p.archived_at IS NOT NULL AS archived`;

/** The channels on which a person of `users u` can be reached. */
export const waysOf: RawBuilder<unknown> = sql`array_remove(ARRAY[${sql.join(
  channels.map((channel) => sql`CASE WHEN ${reachable(channel)} THEN ${sql.lit(channel)} END`),
)}], NULL)`;

const reachedAtAll = sql<boolean>`NOT ${unreachable()}`;

/** A residency `r` of someone who lives in the home. */
const living = sql`r.role = ANY(${[...livingRoles]}::text[])`;
const now = sql`(r.during IS NULL OR r.during @> now())`;

/** How many days ahead someone moves out soon. */
const SOON = 30;

/** Not over before this month, wherever that is: an index leaves out everyone who lived there before. */
const recent = sql`coalesce(r.last_day, 'infinity') >= current_date - 33`;

/** What each of these properties has. By id, so that PostgreSQL knows how few they are. */
function counts(ids: readonly number[]): RawBuilder<PropertyRow> {
  const among = sql`ANY(${[...ids]}::bigint[])`;
  return sql<PropertyRow>`${PREPARED}
    WITH page AS MATERIALIZED (
      SELECT p.*, d.today, date_trunc('month', d.today) AS month
      FROM properties p CROSS JOIN LATERAL (SELECT ${todayAt("p")} AS today) d WHERE p.id = ${among}
    ), residents AS MATERIALIZED (
      SELECT h.property_id, h.id AS unit_id, u.id AS person_id, ${now} AS lives, ${reachedAtAll} AS reached, r.first_day, r.last_day
      FROM units h JOIN residencies r ON r.unit_id = h.id AND ${living} AND ${recent}
      JOIN users u ON u.id = r.person_id AND u.deleted_at IS NULL
      WHERE h.property_id = ${among} AND h.merged_into IS NULL
    ), occupied AS (
      SELECT property_id, count(*) AS occupied, count(*) FILTER (WHERE reached) AS reachable,
        coalesce(sum(people) FILTER (WHERE NOT reached), 0)::int AS missed
      FROM (SELECT property_id, unit_id, bool_or(reached) AS reached, count(DISTINCT person_id) AS people
        FROM residents WHERE lives GROUP BY 1, 2) homes GROUP BY 1
    ), moves AS (
      SELECT p.id, count(DISTINCT person_id) FILTER (WHERE lives) AS people,
        count(*) FILTER (WHERE first_day >= month AND first_day < month + interval '1 month') AS movesin,
        count(*) FILTER (WHERE last_day >= month AND last_day < month + interval '1 month') AS movesout,
        least(min(first_day) FILTER (WHERE first_day >= today), min(last_day) FILTER (WHERE last_day >= today)) AS next
      FROM page p JOIN residents r ON r.property_id = p.id GROUP BY p.id
    )
    SELECT ${propertyColumns}, p.today::text AS today,
      (SELECT count(*) FROM units h WHERE h.property_id = p.id AND h.merged_into IS NULL) AS homes,
      coalesce(o.occupied, 0) AS occupied, coalesce(o.reachable, 0) AS reachable, coalesce(o.missed, 0) AS "peopleMissed",
      coalesce(m.people, 0) AS people,
      coalesce(m.movesin, 0) AS "movesIn", coalesce(m.movesout, 0) AS "movesOut", m.next::text AS "nextMove"
    FROM page p LEFT JOIN occupied o ON o.property_id = p.id LEFT JOIN moves m ON m.id = p.id
    ORDER BY p.name_key, p.id`;
}

/** Compiling this plan takes longer than reading some properties. */
async function readCounts(db: Db, ids: readonly number[]): Promise<PropertyRow[]> {
  return transaction(db, async (tx) => {
    await sql`${PIPELINED}SET LOCAL jit = off`.execute(tx);
    return (await counts(ids).execute(tx)).rows;
  });
}

type Listed = Pick<QueryOf<typeof places.list>, "q" | "archived">;

/** A condition on `properties p`: they are in the list. */
function listed({ q = "", archived }: Listed): RawBuilder<boolean> {
  const found = sql`AND (fold(p.address) LIKE ${containing(q)}
    OR p.id IN (SELECT property_id FROM property_names n WHERE n.folded LIKE ${containing(q)}))`;
  return sql<boolean>`(p.merged_into IS NULL AND (p.archived_at IS NOT NULL) = ${archived} ${q === "" ? sql`` : found})`;
}

/** What all properties of the list have together. Someone who lives in two of them is counted once. */
export async function readTotals(db: Db, question: Listed): Promise<ReplyOf<typeof places.totals>> {
  return transaction(db, async (tx) => {
    await sql`${PIPELINED}SET LOCAL jit = off`.execute(tx);
    const { rows } = await sql<ReplyOf<typeof places.totals>>`
      WITH homes AS MATERIALIZED (
        SELECT h.id FROM units h JOIN properties p ON p.id = h.property_id AND ${listed(question)}
        WHERE h.merged_into IS NULL
      ), living AS MATERIALIZED (
        SELECT r.unit_id, u.id AS person_id, ${reachedAtAll} AS reached
        FROM homes h JOIN residencies r ON r.unit_id = h.id AND ${living} AND ${recent} AND ${now}
        JOIN users u ON u.id = r.person_id AND u.deleted_at IS NULL
      )
      SELECT (SELECT count(*) FROM homes) AS homes, count(*) AS occupied,
        (SELECT count(DISTINCT person_id) FROM living) AS people, count(*) FILTER (WHERE reached) AS reachable
      FROM (SELECT bool_or(reached) AS reached FROM living GROUP BY unit_id) occupied`.execute(tx);
    return rows[0]!;
  });
}

/** One page of the properties by name. Any spelling finds one. */
export async function listPlaces(
  db: Db,
  { q = "", archived, page, pageSize }: QueryOf<typeof places.list>,
): Promise<Page<PropertyRow>> {
  const which = listed({ q, archived });
  const order = q === "" ? sql`p.name_key, p.id` : sql`${fit(sql`p.name`, q)}, p.name_key, p.id`;
  const [ids, count] = await Promise.all([
    sql<{ id: number }>`
      SELECT p.id FROM properties p WHERE ${which} ORDER BY ${order} LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`.execute(
      db,
    ),
    sql<{ total: number }>`SELECT count(*) AS total FROM properties p WHERE ${which}`.execute(db),
  ]);
  const rows = await readCounts(
    db,
    ids.rows.map(({ id }) => id),
  );
  return { rows, total: count.rows[0]!.total };
}

/** One property with all of its homes. Throws not-found. */
export async function readPlace(db: Db, id: number): Promise<ReplyOf<typeof places.property>> {
  await readPlaceRow(db, id);
  const rows = await readCounts(db, [id]);
  const found = rows[0]!;
  const [homes, spellings, merged] = await Promise.all([
    readHomesOf(db, sql`h.property_id = ${id}`),
    sql<{
      name: string;
    }>`SELECT name FROM property_names WHERE property_id = ${id} AND name <> ${found.name} ORDER BY folded`.execute(
      db,
    ),
    sql<{ name: string; homes: number }>`
      SELECT c.before ->> 'name' AS name, jsonb_array_length(c.before -> 'units')::int AS homes FROM home_changes c
      WHERE c.kind = 'merge' AND c.property_id = ${id} AND c.undone_at IS NULL ORDER BY c.id DESC LIMIT 1`.execute(
      db,
    ),
  ]);
  return {
    ...found,
    homesListed: homes,
    spellings: spellings.rows.map(({ name }) => name),
    merged: merged.rows[0] ?? null,
  };
}

/** Homes of `units h`, from the top floor down, then by stack. */
export async function readHomesOf(db: Db, which: RawBuilder<unknown>): Promise<Home[]> {
  const { rows } = await sql<Home>`
    SELECT h.id, h.property_id AS "propertyId", h.written AS name, h.building, h.floor, h.stack,
      coalesce(l.people, '[]') AS people, coalesce(l.channels, '{}') AS channels, m."movesOut", m."movesIn"
    FROM units h JOIN properties p ON p.id = h.property_id
    LEFT JOIN LATERAL (
      SELECT jsonb_agg(DISTINCT jsonb_build_object('id', w.id, 'name', w.name)) AS people,
        (SELECT array_agg(DISTINCT way) FROM unnest(string_to_array(string_agg(array_to_string(w.ways, ','), ','), ',')) way
          WHERE way <> '') AS channels
      FROM (
        SELECT u.id, ${nameOf("u")} AS name, ${waysOf} AS ways
        FROM residencies r JOIN users u ON u.id = r.person_id AND u.deleted_at IS NULL
        WHERE r.unit_id = h.id AND ${living} AND ${recent} AND ${now}
      ) w
    ) l ON true
    LEFT JOIN LATERAL (
      SELECT min(r.last_day) FILTER (WHERE ${now} AND r.last_day < ${todayAt("p")} + ${SOON}::int)::text AS "movesOut",
        min(r.first_day) FILTER (WHERE r.first_day > ${todayAt("p")})::text AS "movesIn"
      FROM residencies r JOIN users u ON u.id = r.person_id AND u.deleted_at IS NULL
      WHERE r.unit_id = h.id AND ${living} AND ${recent} AND r.during IS NOT NULL
    ) m ON true
    WHERE h.merged_into IS NULL AND ${which}
    ORDER BY fold(h.building), h.floor DESC NULLS LAST, by_number(fold(h.stack)) NULLS LAST, by_number(fold(h.written)), h.id`.execute(
    db,
  );
  return rows;
}

/** Only what the property itself says. Throws not-found. */
export async function readPlaceRow(db: Db, id: number): Promise<HomeDetail["property"]> {
  const { rows } = await sql<HomeDetail["property"]>`
    SELECT ${propertyColumns} FROM properties p WHERE p.id = ${id} AND p.merged_into IS NULL`.execute(db);
  if (!rows[0]) throw refusal("no-such-property");
  return rows[0];
}
