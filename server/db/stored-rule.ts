import { groupRule, type GroupRule } from "#contract/calls/groups.ts";

/**
 * A rule as it is stored. A process of an older build doesn't see conditions that it doesn't know, and must not read a
 * rule without them: it would be for more people. So they stand apart, and the rest matches no one.
 */
export type StoredRule = Omit<GroupRule, keyof Newer> & {
  /** The whole rule without the property, which renames and merges rewrite. */
  newer?: Omit<GroupRule, "property"> | undefined;
};

/** The conditions that came after the first ones. */
type Newer = Pick<GroupRule, "building" | "floors" | "stacks" | "details">;
const newerKeys = ["building", "floors", "stacks", "details"] as const satisfies (keyof Newer)[];

/** A unit that no one lives in. An older form shows it, and keeps it. */
const UNSEEN = "Needs the newer version";

export function toStored(rule: GroupRule): StoredRule {
  if (newerKeys.every((key) => rule[key] === undefined)) return rule;
  const { property, ...newer } = rule;
  return { roles: [], ...(property !== undefined && { property }), unit: UNSEEN, newer };
}

/** What a stored rule says; what it says to no one if it has conditions that came after this build. */
export function fromStored(stored: StoredRule | null): GroupRule | null {
  if (stored === null) return null;
  const { newer, ...rest } = stored;
  if (newer === undefined) return rest;
  const { property } = rest;
  const read = groupRule.safeParse({ ...(property !== undefined && { property }), ...newer });
  return read.success ? read.data : rest;
}
