import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";

/** How these properties are spelled by those of them that already have a group, by name in JavaScript's lower case. */
export async function knownProperties(db: Db, names: readonly string[]): Promise<Map<string, string>> {
  const found = await sql<{ asked: string; property: string }>`
    SELECT asked, rule->>'property' AS property
    FROM unnest(${[...new Set(names)]}::text[]) AS asked JOIN user_groups ON lower(rule->>'property') = lower(asked)
    WHERE built_in AND rule ? 'property'
    ORDER BY id DESC`.execute(db);
  return new Map(found.rows.map(({ asked, property }) => [asked.toLowerCase(), property]));
}

/** A property's name as its group spells it. */
export async function spelledProperty(db: Db, property: string): Promise<string> {
  return (await knownProperties(db, [property])).get(property.toLowerCase()) ?? property;
}
