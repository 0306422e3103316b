import { sql } from "kysely";
import type { FoundHomes } from "#contract/calls/places.ts";
import { livesNow } from "#server/audience/homes.ts";
import type { Db } from "#server/db/database.ts";

type Asked = Pick<FoundHomes, "propertyId" | "where">;
type Counts = Pick<FoundHomes, "homes" | "occupied" | "people">;

/** How many homes each of these means, in how many someone lives now, and how many people. */
export async function countHomes(db: Db, asked: readonly Asked[]): Promise<Counts[]> {
  if (asked.length === 0) return [];
  const list = asked.map(({ propertyId, where }, n) => ({ n, propertyId, ...where }));
  const { rows } = await sql<Counts & { n: number }>`
    SELECT x.n, count(DISTINCT h.id) AS homes, count(DISTINCT h.id) FILTER (WHERE u.id IS NOT NULL) AS occupied,
      count(DISTINCT u.id) AS people
    FROM jsonb_to_recordset(${JSON.stringify(list)}::jsonb)
      AS x (n int, "propertyId" bigint, building text, floors int[], stacks text[], units bigint[])
    JOIN units h ON h.property_id = x."propertyId" AND h.merged_into IS NULL
      AND (x.building IS NULL OR h.building = x.building) AND (x.floors IS NULL OR h.floor = ANY(x.floors))
      AND (x.stacks IS NULL OR h.stack = ANY(x.stacks)) AND (x.units IS NULL OR h.id = ANY(x.units))
    LEFT JOIN residencies r ON r.unit_id = h.id AND ${livesNow}
    LEFT JOIN users u ON u.id = r.person_id AND u.deleted_at IS NULL
    WHERE h.property_id = ANY(${[...new Set(asked.map(({ propertyId }) => propertyId))]}::bigint[])
    GROUP BY x.n`.execute(db);
  const counts = new Map(rows.map(({ n, ...count }) => [n, count]));
  return asked.map((_, n) => counts.get(n) ?? { homes: 0, occupied: 0, people: 0 });
}
