import { sql } from "kysely";
import { fold } from "#contract/text/fold.ts";
import type { Db } from "#server/db/database.ts";

/** How these properties are spelled by those of them that already have a group, by the name as asked and folded. */
export async function knownProperties(db: Db, names: readonly string[]): Promise<Map<string, string>> {
  const found = await sql<{ asked: string; property: string }>`
    SELECT asked, rule->>'property' AS property
    FROM unnest(${[...new Set(names)]}::text[]) AS asked JOIN user_groups ON fold(rule->>'property') = fold(asked)
    WHERE built_in AND rule ? 'property'
    -- Of several spellings that have a group each, the very one counts, otherwise the oldest.
    ORDER BY rule->>'property' = asked, id DESC`.execute(db);
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
