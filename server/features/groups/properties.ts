import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";

/** How the properties are spelled that have a group already, by their name in small letters. */
export async function knownProperties(db: Db): Promise<Map<string, string>> {
  const found = await sql<{ property: string }>`
    SELECT rule->>'property' AS property FROM user_groups
    WHERE built_in AND rule ? 'property' ORDER BY id DESC`.execute(db);
  return new Map(found.rows.map(({ property }) => [property.toLowerCase(), property]));
}

/** A property's name as its group spells it. */
export async function spelledProperty(db: Db, property: string): Promise<string> {
  return (await knownProperties(db)).get(property.toLowerCase()) ?? property;
}
