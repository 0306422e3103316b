import type { GroupRule } from "#contract/calls/groups.ts";
import type { Db } from "#server/db/database.ts";
import { spelledProperty } from "#server/features/groups/properties.ts";

/** A rule as it is stored: without empty fields, and with the property spelled as in its group. */
export async function settledRule(db: Db, { roles, property, unit, channel }: GroupRule): Promise<GroupRule> {
  return {
    ...(roles && roles.length > 0 && { roles: [...new Set(roles)] }),
    ...(property && { property: await spelledProperty(db, property) }),
    ...(unit && { unit }),
    ...(channel && { channel }),
  };
}
