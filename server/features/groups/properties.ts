import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";

/** The spelling of those of these properties that already have a group, by lower-case name. */
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
