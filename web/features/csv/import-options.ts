import type { Role } from "#contract/auth.ts";
import type { importMatches } from "#contract/csv.ts";

/** What holds for a whole file, beside what its rows say. */
export type ImportOptions = {
  /** By which cell a row is known to mean somebody who exists already. */
  match: (typeof importMatches)[number];
  /** What becomes of those. */
  existing: "update" | "skip";
  /** Of a new person whose row names no role. */
  defaultRole: Role;
  /** Hand-picked groups that everyone in the file joins. */
  groups: readonly { id: number; name: string }[];
};

export const noOptions: ImportOptions = {
  match: "username",
  existing: "update",
  defaultRole: "tenant",
  groups: [],
};

/** The options as the calls take them. */
export function optionsQuery({ match, existing, defaultRole, groups }: ImportOptions) {
  return { match, existing, defaultRole, groupIds: groups.map(({ id }) => id) };
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

/** "new people are tenants, known by username, into Board and Pool keys" */
export function optionsSentence({ match, defaultRole, groups }: ImportOptions): string {
  const into = new Intl.ListFormat("en-US").format(groups.map(({ name }) => name));
  return [roleWords[defaultRole], `known by ${matchWords[match]}`, ...(into ? [`into ${into}`] : [])].join(
    ", ",
  );
}
