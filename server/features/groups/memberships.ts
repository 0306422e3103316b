import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { fromStored, type StoredRule } from "#server/db/stored-rule.ts";
import { fits } from "#server/audience/audience.ts";

/**
 * Refuses ids that are not hand-picked groups, and keeps the others from being deleted until the transaction ends.
 * Throws invalid-input at `groupIds`.
 */
export async function checkHandGroups(db: Db, groupIds: readonly number[]): Promise<void> {
  const wanted = new Set(groupIds);
  const found = await sql<{ id: number }>`
    SELECT id FROM user_groups WHERE id = ANY(${[...wanted]}::bigint[]) AND rule IS NULL
    ORDER BY id FOR KEY SHARE`.execute(db);
  if (found.rows.length === wanted.size) return;
  throw refusal("groups-not-choosable");
}

/**
 * Sets the hand-picked groups that a person is in. Throws invalid-input. A group that the person joins or leaves has
 * changed, so an edit of it that began before is refused. Returns the ids of those groups.
 */
export async function setHandGroups(
  tx: Db,
  userId: number,
  groupIds: readonly number[],
): Promise<{ joined: number[]; left: number[] }> {
  await checkHandGroups(tx, groupIds);
  const left = await sql<{ groupId: number }>`
    DELETE FROM group_members WHERE user_id = ${userId} AND group_id <> ALL(${[...groupIds]}::bigint[])
    RETURNING group_id AS "groupId"`.execute(tx);
  await markChanged(tx, left.rows);
  const joined = await addToGroups(tx, [userId], groupIds);
  return { joined, left: left.rows.map(({ groupId }) => groupId) };
}

/**
 * Adds people to hand-picked groups; existing members stay. Returns the groups that anyone joined, because they have
 * changed.
 */
export async function addToGroups(
  tx: Db,
  userIds: readonly number[],
  groupIds: readonly number[],
): Promise<number[]> {
  const joined = await joinGroups(tx, userIds, groupIds);
  return [...new Set(joined.map(({ groupId }) => groupId))];
}

type Membership = { groupId: number; userId: number };

/** The same, and returns who joined which group. */
export async function joinGroups(
  tx: Db,
  userIds: readonly number[],
  groupIds: readonly number[],
): Promise<Membership[]> {
  const joined = await sql<Membership>`
    INSERT INTO group_members (group_id, user_id)
    SELECT g, u FROM unnest(${[...groupIds]}::bigint[]) AS g CROSS JOIN unnest(${[...userIds]}::bigint[]) AS u
    ON CONFLICT DO NOTHING RETURNING group_id AS "groupId", user_id AS "userId"`.execute(tx);
  await markChanged(tx, joined.rows);
  return joined.rows;
}

/** Takes people out of groups again. */
export async function leaveGroups(tx: Db, memberships: readonly Membership[]): Promise<void> {
  const left = await sql<Membership>`
    DELETE FROM group_members m
    USING unnest(${memberships.map(({ groupId }) => groupId)}::bigint[], ${memberships.map(({ userId }) => userId)}::bigint[])
      AS x (group_id, user_id)
    WHERE m.group_id = x.group_id AND m.user_id = x.user_id
    RETURNING m.group_id AS "groupId", m.user_id AS "userId"`.execute(tx);
  await markChanged(tx, left.rows);
}

/** Locks in the order of the ids, so that two transactions that change the same groups do not deadlock. */
async function markChanged(tx: Db, groups: readonly { groupId: number }[]): Promise<void> {
  if (groups.length === 0) return;
  await sql`
    WITH held AS (
      SELECT id FROM user_groups WHERE id = ANY(${[...new Set(groups.map(({ groupId }) => groupId))]}::bigint[])
      ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE user_groups g SET updated_at = now() FROM held WHERE g.id = held.id`.execute(tx);
}

type GroupOfPerson = { id: number; name: string; byRule: boolean };

/** The groups that a person is in at this moment, by hand or by rule. */
export async function groupsOf(db: Db, userId: number): Promise<GroupOfPerson[]> {
  // Of the rules that name a property only those of the person's own can fit.
  const { rows: groups } = await sql<{ id: number; name: string; rule: StoredRule | null }>`
    SELECT id, name, rule FROM user_groups WHERE rule IS NOT NULL AND NOT rule ? 'property'
      OR id IN (SELECT group_id FROM group_members WHERE user_id = ${userId})
      OR rule ? 'property' AND fold(rule->>'property') IN (
        SELECT fold(property) FROM users WHERE id = ${userId}
        UNION ALL
        SELECT n.folded FROM residencies r JOIN units h ON h.id = r.unit_id JOIN property_names n USING (property_id)
        WHERE r.person_id = ${userId})
    ORDER BY name_key, id`.execute(db);
  const byRule = groups.flatMap(({ id, rule: stored }) => {
    const rule = fromStored(stored);
    return rule === null ? [] : [{ id, rule }];
  });
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
