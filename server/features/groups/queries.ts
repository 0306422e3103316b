import type { Group } from "#contract/groups.ts";
import type { Db } from "#server/db/database.ts";
import type { Role } from "#server/db/schema.ts";

/** How many living people have this role and this property. */
type Tally = { role: Role; property: string | null; people: number };
type Rule = { roles?: Role[]; property?: string };

/** All groups with their members counted: Everyone and the roles, then the properties, then those made by hand. */
export async function listGroups(db: Db, q = ""): Promise<Group[]> {
  const [groups, tallies, members] = await Promise.all([
    db
      .selectFrom("user_groups")
      .select(["id", "name", "description", "rule", "built_in as builtIn"])
      .execute(),
    db
      .selectFrom("users")
      .select((row) => ["role", "property", row.fn.countAll<number>().as("people")])
      .where("deleted_at", "is", null)
      .groupBy(["role", "property"])
      .execute(),
    db
      .selectFrom("group_members")
      .innerJoin("users", "users.id", "group_members.user_id")
      .select((row) => ["group_id", row.fn.countAll<number>().as("people")])
      .where("deleted_at", "is", null)
      .groupBy("group_id")
      .execute(),
  ]);
  const counted = countByRule(tallies);
  const byHand = new Map(members.map(({ group_id, people }) => [group_id, people]));
  const wanted = q.trim().toLowerCase();
  return groups
    .filter((group) => group.name.toLowerCase().includes(wanted))
    .map(({ rule, ...group }) => ({
      group: { ...group, userCount: rule ? counted(rule) : (byHand.get(group.id) ?? 0) },
      rank: !group.builtIn ? 2 : rule?.property === undefined ? 0 : 1,
    }))
    .sort((a, b) => a.rank - b.rank || byName.compare(a.group.name, b.group.name) || a.group.id - b.group.id)
    .map(({ group }) => group);
}

const byName = new Intl.Collator("en-US", { numeric: true, sensitivity: "base" });

/** One pass over the tallies serves any number of groups. */
function countByRule(tallies: Tally[]): (rule: Rule) => number {
  const ofProperty = Map.groupBy(tallies, (tally) => tally.property);
  return ({ roles, property }) => {
    const within = property === undefined ? tallies : (ofProperty.get(property) ?? []);
    return within
      .filter((tally) => !roles || roles.includes(tally.role))
      .reduce((sum, tally) => sum + tally.people, 0);
  };
}
