import type { Role } from "#contract/auth.ts";
import type { importMatches } from "#contract/csv.ts";

/** What holds for a whole file, beside what its rows say. */
export type ImportOptions = {
  /** By which cell a row is known to mean somebody who exists already. */
  match: (typeof importMatches)[number];
  /** What becomes of those. */
  existing: "update" | "skip";
  /** What becomes of rows that would give somebody else's first name to who has the address. Asked anew of each file. */
  renames: "leave-out" | "update";
  /** Of a new person whose row names no role. */
  defaultRole: Role;
  /** Hand-picked groups that everyone in the file joins. */
  groups: readonly { id: number; name: string }[];
};

export const noOptions: ImportOptions = {
  match: "username",
  existing: "update",
  renames: "leave-out",
  defaultRole: "tenant",
  groups: [],
};

/** The options as the calls take them. */
export function optionsQuery({ match, existing, renames, defaultRole, groups }: ImportOptions) {
  return { match, existing, renames, defaultRole, groupIds: groups.map(({ id }) => id) };
}

const roleWords: Record<Role, string> = {
  tenant: "new people are tenants",
  staff: "new people are staff",
  admin: "new people are administrators",
};
export const matchWords: Record<ImportOptions["match"], string> = {
  username: "username",
  email: "email address",
  phone: "phone number",
};

/**
 * "new people are tenants, known by username, into Board and Pool keys"
 *
 * @param usernames whether the file has a column of them; without one, name and contact tell who is known
 */
export function optionsSentence(
  { match, defaultRole, groups }: ImportOptions,
  { usernames }: { usernames: boolean },
): string {
  const into = new Intl.ListFormat("en-US").format(groups.map(({ name }) => name));
  const sign = match === "username" && !usernames ? "name and contact" : matchWords[match];
  return [roleWords[defaultRole], `known by ${sign}`, ...(into ? [`into ${into}`] : [])].join(", ");
}
