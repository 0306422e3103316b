import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Channel } from "#contract/delivery.ts";
import type { GroupRule } from "#contract/groups.ts";
import { noRecipients } from "#contract/notification-fields.ts";
import type { AudienceMember } from "#contract/notifications.ts";
import type { Db } from "#server/db/database.ts";
import { reachable } from "./person.ts";

/** Groups and persons as they were chosen. A rule group stands for anyone who fits the rule when it is read. */
export type Audience = readonly Pick<AudienceMember, "type" | "id">[];

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

/** Why nothing can go out where no one is in the audience. `name`: what it is called. */
export function nobodyIn(audience: Audience, name: string): string {
  if (audience.some(({ type }) => type === "group")) return `No one is in ${name} right now.`;
  return audience.length === 0 ? noRecipients : "The people you chose have been deleted. Choose recipients.";
}

/** Of a person what a rule asks. */
export type RuleColumns = {
  role: RawBuilder<unknown>;
  property: RawBuilder<unknown>;
  unit: RawBuilder<unknown>;
  reachable: (channel: Channel) => RawBuilder<boolean>;
};

const ofUsers: RuleColumns = { role: sql`u.role`, property: sql`u.property`, unit: sql`u.unit`, reachable };

/**
 * Whether a person fits a rule: the only place that decides it. An empty rule fits everyone. `columns` stand for
 * those of `users u` where people were counted together by them.
 */
export function fits(rule: GroupRule, columns: RuleColumns = ofUsers): RawBuilder<boolean> {
  const conditions = [sql<boolean>`true`];
  if (rule.roles !== undefined) conditions.push(sql<boolean>`${columns.role} = ANY(${rule.roles}::text[])`);
  if (rule.property !== undefined) conditions.push(sql<boolean>`${columns.property} = ${rule.property}`);
  if (rule.unit !== undefined)
    conditions.push(sql<boolean>`lower(${columns.unit}) LIKE ${unitPattern(rule.unit)}`);
  if (rule.channel !== undefined) conditions.push(columns.reachable(rule.channel));
  return sql<boolean>`(${sql.join(conditions, sql` AND `)})`;
}

/** A LIKE pattern: * stands for any characters, LIKE's own signs for themselves, case does not matter. */
function unitPattern(unit: string): string {
  return unit
    .trim()
    .toLowerCase()
    .replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)
    .replaceAll("*", "%");
}
