import { sql } from "kysely";
import type { GroupRule } from "#contract/groups.ts";
import type { Db } from "#server/db/database.ts";
import { fits } from "#server/audience/audience.ts";

export type GroupOfPerson = { id: number; name: string; byRule: boolean };

/** The groups that a person is in now, by hand or by rule. */
export async function groupsOf(db: Db, userId: number): Promise<GroupOfPerson[]> {
  // Of the rules that name a property, only those with the person's own can match.
  const { rows: groups } = await sql<{ id: number; name: string; rule: GroupRule | null }>`
    SELECT id, name, rule FROM user_groups WHERE rule IS NOT NULL AND NOT rule ? 'property'
      OR id IN (SELECT group_id FROM group_members WHERE user_id = ${userId})
      OR rule ? 'property' AND lower(rule->>'property') = (SELECT lower(property) FROM users WHERE id = ${userId})
    ORDER BY name`.execute(db);
  const byRule = groups.flatMap(({ id, rule }) => (rule === null ? [] : [{ id, rule }]));
  const cases = byRule.map(({ id, rule }) => sql`CASE WHEN ${fits(rule)} THEN ${sql.lit(id)}::bigint END`);
  const found = await sql<{ byHand: number[]; byRule: number[] }>`
    SELECT ARRAY(SELECT m.group_id FROM group_members m WHERE m.user_id = u.id) AS "byHand",
      array_remove(ARRAY[${sql.join(cases)}]::bigint[], NULL) AS "byRule"
    FROM users u WHERE u.id = ${userId} AND u.deleted_at IS NULL`.execute(db);
  const [row] = found.rows;
  const inside = new Set([...(row?.byHand ?? []), ...(row?.byRule ?? [])]);
  return groups
    .filter(({ id }) => inside.has(id))
    .map(({ id, name, rule }) => ({ id, name, byRule: rule !== null }));
}
