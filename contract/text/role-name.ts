import type { Role } from "#contract/calls/auth.ts";

const roles = new Map<string, Role>([
  ["tenant", "tenant"],
  ["staff", "staff"],
  ["admin", "admin"],
  ["administrator", "admin"],
]);

/** The role in a cell, ignoring case; undefined for any other text, which means a tenant. */
export const roleIn = (cell: string) => roles.get(cell.trim().toLowerCase());
