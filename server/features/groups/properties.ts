import { sql } from "kysely";
import { fold } from "#contract/text/fold.ts";
import type { Db } from "#server/db/database.ts";

/** How these properties are spelled where they are on file or have a group, by the name as asked and folded. */
export async function knownProperties(db: Db, names: readonly string[]): Promise<Map<string, string>> {
  const found = await sql<{ asked: string; property: string }>`
    WITH asked AS (SELECT asked FROM unnest(${[...new Set(names)]}::text[]) AS asked)
    SELECT asked, property FROM (
      SELECT asked, rule->>'property' AS property, 0 AS rank, id
      FROM asked JOIN user_groups ON fold(rule->>'property') = fold(asked) WHERE built_in AND rule ? 'property'
      UNION ALL
      SELECT asked, p.name, 1, p.id
      FROM asked JOIN property_names n ON n.folded = fold(asked) JOIN properties p ON p.id = n.property_id
    ) known
    -- A property that was renamed or merged has one spelling. Of several that have a group each, the very one counts,
    -- otherwise the oldest.
    ORDER BY rank, property = asked, id DESC`.execute(db);
  const spellings = ({ asked, property }: (typeof found.rows)[number]): [string, string][] => [
    [fold(asked), property],
    [asked, property],
  ];
  return new Map(found.rows.flatMap(spellings));
}

/** A property's name as its group spells it. */
export async function spelledProperty(db: Db, property: string): Promise<string> {
  return (await knownProperties(db, [property])).get(property) ?? property;
}
