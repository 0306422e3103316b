import { sql, type RawBuilder } from "kysely";
import type { Channel } from "#contract/delivery.ts";
import { finding, type Finding } from "#contract/findings.ts";
import type { RecipientRef } from "#contract/recipients.ts";
import { livingRoles } from "#contract/homes.ts";
import { rolesWith } from "#contract/permissions.ts";
import type { GroupRule } from "#contract/calls/groups.ts";
import type { Db } from "#server/db/database.ts";
import { fitting, folded, sortKeyOf } from "#server/db/like.ts";
import { fromStored } from "#server/db/stored-rule.ts";
import { meets } from "./detail-conditions.ts";
import { areHomes, inHomes, livesNow } from "./homes.ts";
import { reachable } from "./person.ts";
import { hasValues } from "./values.ts";

/**
 * Groups, people and homes as they were chosen, or everyone in a file with values. A rule group stands for everyone who
 * matches the rule when it is read, homes for whoever lives there then.
 */
export type Audience = readonly RecipientRef[];

/**
 * A condition on `users u`: not deleted and in the audience. Group rules are read now and inlined as plain comparisons,
 * so 100,000 people take one pass. Deleted groups and people are in no audience. `residencies`: by the home of each
 * `residencies r JOIN units h` of the person, whether they live there now or not.
 */
export async function inAudience(
  db: Db,
  audience: Audience,
  by: "people" | "residencies" = "people",
): Promise<RawBuilder<boolean>> {
  const groupIds = audience.filter(({ type }) => type === "group").map(({ id }) => id);
  const userIds = audience.filter(({ type }) => type === "user").map(({ id }) => id);
  const groups =
    groupIds.length === 0
      ? []
      : await db.selectFrom("user_groups").select(["id", "rule"]).where("id", "in", groupIds).execute();
  const byHand = groups.filter(({ rule }) => rule === null).map(({ id }) => id);

  const ways = groups
    .map(({ rule }) => fromStored(rule))
    .flatMap((rule) => (rule === null ? [] : [fits(rule, by === "people" ? {} : { lives: isAt })]));
  if (userIds.length > 0) ways.push(sql<boolean>`u.id = ANY(${userIds}::bigint[])`);
  if (byHand.length > 0) {
    ways.push(sql<boolean>`EXISTS (
      SELECT 1 FROM group_members m WHERE m.user_id = u.id AND m.group_id = ANY(${byHand}::bigint[]))`);
  }
  const homes = audience.filter(({ type }) => type === "homes");
  if (homes.length > 0) ways.push(await (by === "people" ? inHomes(db, homes) : areHomes(db, homes)));
  ways.push(...audience.filter(({ type }) => type === "file").map(({ id }) => hasValues(id)));
  if (ways.length === 0) return sql<boolean>`false`;
  return sql<boolean>`u.deleted_at IS NULL AND (${sql.join(ways, sql` OR `)})`;
}

/** Why nothing can be sent when the audience is empty. `name`: what the audience is called. */
export function nobodyIn(audience: Audience, name: string): Finding {
  return audience.some(({ type }) => type !== "user")
    ? finding("nobody-in", null, { audience: name })
    : finding("people-deleted", null, {});
}

/** Where a rule says that people live. */
export type Place = Pick<GroupRule, "property" | "building" | "floors" | "stacks" | "unit">;

/** Whether only the homes themselves say who lives there, not people's details. */
export const isInside = ({ building, floors, stacks }: Place): boolean =>
  building !== undefined || floors !== undefined || stacks !== undefined;

/** The columns of a person that a rule looks at. */
export type RuleColumns = {
  role: RawBuilder<unknown>;
  /** Whether the person lives there now; without a place: whether a rule looks at them at all. */
  lives: (place: Place) => RawBuilder<boolean>;
  reachable: (channel: Channel) => RawBuilder<boolean>;
  confirmed: RawBuilder<boolean>;
};

/** Whether a person of `users u` has this property in their details. The index that lists are sorted by finds them. */
export function atProperty(name: string): RawBuilder<boolean> {
  return sql<boolean>`(u.property_key = ${sortKeyOf(sql`${name}`)} AND u.property = ${name})`;
}

/** Whether a person of `users u` lives in the home that their details name now. */
export const livesAsNamed = sql<boolean>`(u.home_during IS NULL OR u.home_during @> now())`;

/** The other homes that people live in now, `r`, in the units `h`. The few that no details name. */
export const homesBesides = sql`residencies r JOIN units h ON h.id = r.unit_id
  WHERE NOT r.shown AND r.role IN (${sql.join(livingRoles.map((role) => sql.lit(role)))})
    AND coalesce(r.last_day, 'infinity') >= current_date - 2 AND (r.during IS NULL OR r.during @> now())`;

/** Whether a name of a unit fits the rule. */
export const unitFits = (unit: RawBuilder<unknown>, pattern: string): RawBuilder<boolean> =>
  sql<boolean>`${folded(unit)} LIKE ${fitting(pattern)}`;

/** Whether `units h` are of the property that has this spelling. */
const ofProperty = (name: string): RawBuilder<boolean> =>
  sql<boolean>`h.property_id = (SELECT property_id FROM property_names WHERE folded = ${folded(sql`${name}`)})`;

/** Whether a building or stack has one of these names. Their case is all that people write differently. */
export const isCalled = (name: RawBuilder<unknown>, names: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`lower(${name}) = ANY(ARRAY(SELECT lower(asked) FROM unnest(${[...names]}::text[]) asked))`;

/** Whether `units h` are there. People correct their floors; a floor is a number. */
function isAt({ property, building, floors, stacks, unit }: Place): RawBuilder<boolean> {
  const homes = [sql<boolean>`h.merged_into IS NULL`];
  if (property !== undefined) homes.push(ofProperty(property));
  if (building !== undefined) homes.push(isCalled(sql`h.building`, [building]));
  if (floors) homes.push(sql<boolean>`h.floor = ANY(${floors}::int[])`);
  if (stacks) homes.push(isCalled(sql`h.stack`, stacks));
  if (unit !== undefined) homes.push(unitFits(sql`h.written`, unit));
  return sql.join(homes, sql` AND `);
}

/** Who lives on these floors, in these stacks. */
const livesInside = (place: Place): RawBuilder<boolean> =>
  sql<boolean>`EXISTS (SELECT FROM residencies r JOIN units h ON h.id = r.unit_id
    WHERE r.person_id = u.id AND ${livesNow} AND ${isAt(place)})`;

/**
 * Who lives there at this moment: in the home that their details name, or in another one. Without a place: who lives
 * anywhere, or has no home on file, and colleagues. Who has moved out or is still to move in is in no rule.
 */
export function livesAt(place: Place): RawBuilder<boolean> {
  const { property, unit } = place;
  if (isInside(place)) return livesInside(place);
  if (property === undefined && unit === undefined) {
    return sql<boolean>`(${livesAsNamed} OR u.role = ANY(${rolesWith("console")}::text[])
      OR u.id IN (SELECT r.person_id FROM ${homesBesides}))`;
  }
  const named = [livesAsNamed];
  if (property !== undefined) named.push(atProperty(property));
  if (unit !== undefined) named.push(unitFits(sql`u.unit`, unit));
  return sql<boolean>`(${sql.join(named, sql` AND `)}
    -- An array, so that both halves are found by their indexes. They are the few people of one place.
    OR u.id = ANY(ARRAY(SELECT r.person_id FROM ${homesBesides} AND ${isAt({ property, unit })})))`;
}

const ofUsers: RuleColumns = {
  role: sql`u.role`,
  lives: livesAt,
  reachable,
  confirmed: sql`u.address_confirmed_at IS NOT NULL`,
};

/**
 * Whether a person matches a rule. Its details are always those of `users u`. This is the only place that decides it. An empty rule matches everyone. Someone who
 * registered and has not confirmed the address matches none: a stranger must not get a group's messages. `columns`
 * replaces the columns of `users u` where people are grouped and counted by them.
 */
export function fits(rule: GroupRule, columns: Partial<RuleColumns> = {}): RawBuilder<boolean> {
  const { role, lives, reachable: reached, confirmed } = { ...ofUsers, ...columns };
  const conditions = [confirmed, lives(rule)];
  if (rule.roles !== undefined) conditions.push(sql<boolean>`${role} = ANY(${rule.roles}::text[])`);
  if (rule.channel !== undefined) conditions.push(reached(rule.channel));
  conditions.push(...(rule.details ?? []).map(meets));
  return sql<boolean>`(${sql.join(conditions, sql` AND `)})`;
}
