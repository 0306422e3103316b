import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Db } from "#server/db/database.ts";
import type { Role } from "#server/db/schema.ts";

/** Groups and persons as they were chosen. A rule group stands for whoever fits the rule when it is read. */
export type Audience = readonly { type: "group" | "user"; id: number }[];

type Rule = { roles?: Role[]; property?: string };

/**
 * A condition on `users u`: living and in the audience. Groups' rules are read now and written into it as plain
 * comparisons, so that 100,000 persons cost one pass. Gone groups and persons are in no audience.
 */
export async function inAudience(db: Db, audience: Audience): Promise<RawBuilder<boolean>> {
  const groupIds = audience.filter(({ type }) => type === "group").map(({ id }) => id);
  const userIds = audience.filter(({ type }) => type === "user").map(({ id }) => id);
  const groups =
    groupIds.length === 0
      ? []
      : await db.selectFrom("user_groups").select(["id", "rule"]).where("id", "in", groupIds).execute();
  const byHand = groups.filter(({ rule }) => rule === null).map(({ id }) => id);

  const ways = groups.flatMap(({ rule }) => (rule === null ? [] : [fits(rule)]));
  if (userIds.length > 0) ways.push(sql<boolean>`u.id = ANY(${userIds}::bigint[])`);
  if (byHand.length > 0) {
    ways.push(sql<boolean>`EXISTS (
      SELECT 1 FROM group_members m WHERE m.user_id = u.id AND m.group_id = ANY(${byHand}::bigint[]))`);
  }
  if (ways.length === 0) return sql<boolean>`false`;
  return sql<boolean>`u.deleted_at IS NULL AND (${sql.join(ways, sql` OR `)})`;
}

/** An empty rule fits everyone. */
function fits({ roles, property }: Rule): RawBuilder<boolean> {
  const conditions = [sql<boolean>`true`];
  if (roles !== undefined) conditions.push(sql<boolean>`u.role = ANY(${roles}::text[])`);
  if (property !== undefined) conditions.push(sql<boolean>`u.property = ${property}`);
  return sql<boolean>`(${sql.join(conditions, sql` AND `)})`;
}
