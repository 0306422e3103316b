import type { Role } from "#contract/calls/auth.ts";

/** What a principal may do: one of these stands beside each call that not everyone may make. */
export const permissions = {
  console: "Work in the console: the dashboard, live updates, what failed and who wrote back",
  "messages:read": "See notifications, schedules, templates, and what happened with each message",
  "messages:send": "Write, plan, send, cancel and repeat notifications and schedules",
  "templates:write": "Write templates and send tests of them",
  "people:read": "See people, groups and blocked addresses, and whom an audience reaches",
  "people:write": "Add, change, import and remove people and groups, and block addresses",
  "people:export": "Download people as a file",
  "accounts:write":
    "Set passwords, turn off someone's two-factor authentication, and change a colleague's address or role",
  "integrations:read": "See the accounts that send messages, and have them checked",
  "integrations:write": "Add, change, try out and remove accounts that send messages",
  "settings:read": "See the settings",
  "settings:write": "Set Porchlight up: its settings, the first steps, the sample property",
  "audit:read": "See and download the audit log",
} as const satisfies Record<string, string>;
export type Permission = keyof typeof permissions;

const staff: readonly Permission[] = [
  "console",
  "messages:read",
  "messages:send",
  "templates:write",
  "people:read",
  "people:write",
  "people:export",
  "integrations:read",
  "settings:read",
];

/** What each role allows. Nothing else says what a role may do. */
const rolePermissions: Record<Role, ReadonlySet<Permission>> = {
  admin: new Set<Permission>([
    ...staff,
    "accounts:write",
    "integrations:write",
    "settings:write",
    "audit:read",
  ]),
  staff: new Set(staff),
  tenant: new Set(),
};

/** Who asks for something, by what they may do: a session, with the permissions of its person's role. */
export type Principal = { readonly permissions: ReadonlySet<Permission> };

export const principalOf = (role: Role): Principal => ({ permissions: rolePermissions[role] });

/** Whether a principal has a permission; no one has none. */
export const may = (principal: Principal | null | undefined, permission: Permission): boolean =>
  principal?.permissions.has(permission) ?? false;

/** Whether a role allows anything that the principal may not do. Someone who could grant it would grant themselves more. */
export const allowsMore = (role: Role, principal: Principal | null | undefined): boolean =>
  [...rolePermissions[role]].some((permission) => !may(principal, permission));

/** Someone with this role works in the console. */
export const isColleague = (role: Role): boolean => may(principalOf(role), "console");

/** The roles that give a permission, for conditions in SQL. */
export const rolesWith = (permission: Permission): Role[] =>
  (Object.keys(rolePermissions) as Role[]).filter((role) => may(principalOf(role), permission));
