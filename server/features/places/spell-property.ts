import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { syncRuleGroups } from "#server/features/groups/sync-rule-groups.ts";

/**
 * Spells a property in everyone's details and in every rule as it is called now. What people wrote stays as they wrote it.
 * A group that the property had under a name of before stays if something uses it, and means the same people.
 */
export async function nameProperty(tx: Db, id: number, former: readonly string[]): Promise<void> {
  await sql`
    UPDATE users u SET property = p.name, home_said = p.name || E'\t' || coalesce(u.unit, '')
    FROM residencies r JOIN units h ON h.id = r.unit_id JOIN properties p ON p.id = h.property_id
    WHERE h.property_id = ${id} AND r.shown AND u.id = r.person_id AND u.property IS DISTINCT FROM p.name`.execute(
    tx,
  );
  await sql`
    UPDATE residencies r SET said = p.name || E'\t' || coalesce(u.unit, '')
    FROM units h, properties p, users u
    WHERE h.property_id = ${id} AND h.id = r.unit_id AND p.id = h.property_id AND u.id = r.person_id AND r.shown`.execute(
    tx,
  );
  // Colleagues have no residency.
  await sql`
    UPDATE users SET property = (SELECT name FROM properties WHERE id = ${id})
    WHERE property_key = ANY(ARRAY(SELECT by_number(fold(name)) FROM unnest(${[...former]}::text[]) name))
      AND property = ANY(${[...former]}::text[])`.execute(tx);
  await sql`
    UPDATE user_groups SET rule = jsonb_set(rule, '{property}', to_jsonb((SELECT name FROM properties WHERE id = ${id}))),
      -- A built-in group is called as its property, unless someone else's has the name.
      name = CASE WHEN built_in AND name = rule->>'property'
        AND NOT EXISTS (SELECT FROM user_groups o WHERE fold(o.name) = fold((SELECT p.name FROM properties p WHERE p.id = ${id})))
        THEN (SELECT p.name FROM properties p WHERE p.id = ${id}) ELSE name END,
      description = CASE WHEN built_in THEN 'Everyone at ' || (SELECT p.name FROM properties p WHERE p.id = ${id}) ELSE description END,
      updated_at = now()
    WHERE rule ? 'property' AND rule->>'property' = ANY(${[...former]}::text[])`.execute(tx);
  const { rows } = await sql<{ name: string }>`SELECT name FROM properties WHERE id = ${id}`.execute(tx);
  await syncRuleGroups(
    tx,
    rows.map(({ name }) => name),
  );
}
