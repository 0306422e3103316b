import { sql } from "kysely";
import { holdUntilCommit } from "#server/db/advisory-locks.ts";
import type { Db } from "#server/db/database.ts";

type NewGroup = { name: string; property: string };

/**
 * Gives every property that people have its built-in group, named after it, and returns the new ones. Call it in a
 * transaction. If another group has taken the name, "(property)" is added to it.
 * @param among only looks at these properties
 */
export async function syncRuleGroups(tx: Db, among?: readonly string[]): Promise<NewGroup[]> {
  if (among?.length === 0) return [];
  await holdUntilCommit(tx, "ruleGroups");
  const candidates = among
    ? sql`SELECT property FROM unnest(${[...among]}::text[]) AS property`
    : sql`SELECT property FROM users WHERE deleted_at IS NULL AND property IS NOT NULL`;
  // Looks up the people last: an import names the same few properties in chunk after chunk.
  const missing = await sql<{ property: string }>`
    WITH unknown AS MATERIALIZED (
      SELECT DISTINCT property FROM (${candidates}) c WHERE NOT EXISTS (
        SELECT FROM user_groups g WHERE g.built_in AND g.rule ? 'property'
          AND fold(g.rule->>'property') = fold(c.property) AND g.rule->>'property' = c.property)
    )
    SELECT property FROM unknown
    WHERE EXISTS (SELECT FROM users u WHERE u.property_key = by_number(fold(unknown.property)) AND u.property = unknown.property AND u.deleted_at IS NULL)`.execute(
    tx,
  );

  const created: NewGroup[] = [];
  let left = missing.rows.map(({ property }) => property);
  for (let round = 0; left.length > 0; round++) {
    const done = await createGroups(tx, left, suffix(round));
    created.push(...done);
    const named = new Set(done.map(({ property }) => property));
    left = left.filter((property) => !named.has(property));
  }
  return created;
}

function suffix(round: number): string {
  if (round === 0) return "";
  return round === 1 ? " (property)" : ` (property ${round})`;
}

/** Creates those groups whose name is free. */
async function createGroups(tx: Db, properties: readonly string[], suffix: string): Promise<NewGroup[]> {
  const created = await sql<NewGroup>`
    INSERT INTO user_groups (name, description, rule, built_in)
    SELECT property || ${suffix}, 'Everyone at ' || property, jsonb_build_object('property', property), true
    FROM unnest(${[...properties]}::text[]) AS property
    ON CONFLICT DO NOTHING
    RETURNING name, rule->>'property' AS property`.execute(tx);
  return created.rows;
}
