import { sql, type RawBuilder } from "kysely";
import type { Channel } from "#contract/delivery.ts";
import { finding, type Finding } from "#contract/findings.ts";
import type { GroupRule } from "#contract/calls/groups.ts";
import type { AudienceMember } from "#contract/calls/notifications.ts";
import type { Db } from "#server/db/database.ts";
import { fitting, folded, sortKeyOf } from "#server/db/like.ts";
import { reachable } from "./person.ts";

/** Groups and people as they were chosen. A rule group stands for everyone who matches the rule when it is read. */
export type Audience = readonly Pick<AudienceMember, "type" | "id">[];

/**
 * A condition on `users u`: not deleted and in the audience. Group rules are read now and inlined as plain comparisons,
 * so 100,000 people take one pass. Deleted groups and people are in no audience.
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

/** Why nothing can be sent when the audience is empty. `name`: what the audience is called. */
export function nobodyIn(audience: Audience, name: string): Finding {
  return audience.some(({ type }) => type === "group")
    ? finding("nobody-in", null, { audience: name })
    : finding("people-deleted", null, {});
}

/** The columns of a person that a rule looks at. */
export type RuleColumns = {
  role: RawBuilder<unknown>;
  /** Whether the property is this one. */
  property: (name: string) => RawBuilder<boolean>;
  unit: RawBuilder<unknown>;
  reachable: (channel: Channel) => RawBuilder<boolean>;
  confirmed: RawBuilder<boolean>;
};

/** Whether a person of `users u` lives at this property. The index that lists are sorted by finds them. */
export function atProperty(name: string): RawBuilder<boolean> {
  return sql<boolean>`(u.property_key = ${sortKeyOf(sql`${name}`)} AND u.property = ${name})`;
}

const ofUsers: RuleColumns = {
  role: sql`u.role`,
  property: atProperty,
  unit: sql`u.unit`,
  reachable,
  confirmed: sql`u.address_confirmed_at IS NOT NULL`,
};

/**
 * Whether a person matches a rule. This is the only place that decides it. An empty rule matches everyone. Someone who
 * registered and has not confirmed the address matches none: a stranger must not get a group's messages. `columns`
 * replaces the columns of `users u` where people are grouped and counted by them.
 */
export function fits(rule: GroupRule, columns: RuleColumns = ofUsers): RawBuilder<boolean> {
  const conditions = [columns.confirmed];
  if (rule.roles !== undefined) conditions.push(sql<boolean>`${columns.role} = ANY(${rule.roles}::text[])`);
  if (rule.property !== undefined) conditions.push(columns.property(rule.property));
  if (rule.unit !== undefined)
    conditions.push(sql<boolean>`${folded(columns.unit)} LIKE ${fitting(rule.unit)}`);
  if (rule.channel !== undefined) conditions.push(columns.reachable(rule.channel));
  return sql<boolean>`(${sql.join(conditions, sql` AND `)})`;
}
