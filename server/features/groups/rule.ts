import type { GroupRule } from "#contract/calls/groups.ts";
import type { Db } from "#server/db/database.ts";
import { settledConditions } from "#server/audience/settled-conditions.ts";
import { spelledProperty } from "#server/features/groups/properties.ts";

/** A rule without empty fields, and with the property spelled as in its group. Throws invalid-input for its details. */
export async function settledRule(db: Db, rule: GroupRule): Promise<GroupRule> {
  const { roles, property, building, floors, stacks, unit, channel, details } = rule;
  return {
    ...(roles && roles.length > 0 && { roles: [...new Set(roles)] }),
    ...(property && { property: await spelledProperty(db, property) }),
    ...(building && { building }),
    ...(floors && { floors }),
    ...(stacks && { stacks: [...new Set(stacks)] }),
    ...(unit && { unit }),
    ...(channel && { channel }),
    ...(details && { details: await settledConditions(db, details, "rule.details") }),
  };
}
