import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";

/** How those of these properties are spelled that have a group already, by their name in small letters. */
export async function knownProperties(db: Db, names: readonly string[]): Promise<Map<string, string>> {
  const found = await sql<{ property: string }>`
    SELECT rule->>'property' AS property FROM user_groups
    WHERE built_in AND rule ? 'property'
      AND lower(rule->>'property') = ANY(${[...new Set(names.map((name) => name.toLowerCase()))]}::text[])
    ORDER BY id DESC`.execute(db);
  return new Map(found.rows.map(({ property }) => [property.toLowerCase(), property]));
}

/** A property's name as its group spells it. */
export async function spelledProperty(db: Db, property: string): Promise<string> {
  return (await knownProperties(db, [property])).get(property.toLowerCase()) ?? property;
}
