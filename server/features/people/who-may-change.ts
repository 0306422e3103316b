import { sql } from "kysely";
import type { Role } from "#contract/calls/auth.ts";
import type { AppError } from "#contract/errors.ts";
import {
  allowsMore,
  isColleague,
  may,
  type Principal,
  principalOf,
  rolesWith,
} from "#contract/permissions.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { holdUntilCommit } from "#server/db/advisory-locks.ts";
import type { Db } from "#server/db/database.ts";

/** The person who decides, with what their current role allows: the session's may be slightly old. */
export type Actor = Principal & { id: number };

/**
 * Changing roles, removing people and making up usernames happen one at a time, until the transaction ends: two
 * administrators who demote each other at once would leave no administrator. Take this lock before any row.
 */
export async function takeTurns(tx: Db): Promise<void> {
  await holdUntilCommit(tx, "people");
}

/** Throws forbidden if the person may no longer change people. */
export async function actorNow(db: Db, id: number): Promise<Actor> {
  const found = await db
    .selectFrom("users")
    .select("role")
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  const principal = found && principalOf(found.role);
  if (!principal || !may(principal, "people:write")) {
    throw refusal("role-not-allowed");
  }
  return { id, ...principal };
}

type RoleChange = {
  /** Undefined: a new person. */
  before: { id: number; role: Role } | undefined;
  /** Null: the person is removed. */
  after: Role | null;
};

/** Why this person may not make this change; null if they may. */
export function roleRefusal(actor: Actor, { before, after }: RoleChange): AppError | null {
  if ((after && allowsMore(after, actor)) || (before && allowsMore(before.role, actor))) {
    return refusal("administrators-only");
  }
  // No one can lock themselves out, and there is always an administrator.
  if (before?.id === actor.id && after === null) {
    return refusal("deleting-oneself");
  }
  if (before?.id === actor.id && after !== before.role) {
    return refusal("own-role");
  }
  return null;
}

type Contact = { email: string | null; phone: string | null };

/**
 * Why this person may not give a colleague another address or number, or make a colleague a tenant, whose address they
 * may change; null if they may. Links to a new password go to the address, so whoever changes it could sign in as them.
 */
export function colleagueRefusal(
  actor: Actor,
  before: (Contact & { id: number; role: Role; hasPassword: boolean }) | undefined,
  after: Contact & { role: Role },
): AppError | null {
  if (may(actor, "accounts:write") || !before?.hasPassword) return null;
  if (!isColleague(before.role) || before.id === actor.id) return null;
  if (after.email === before.email && after.phone === before.phone && after.role === before.role) return null;
  return refusal("colleagues-contacts");
}

/** Refuses a change that would leave no administrator who can sign in. */
export async function keepAnAdministrator(tx: Db, { before, after }: RoleChange): Promise<void> {
  const lead = rolesWith("accounts:write");
  if (!before || !lead.includes(before.role) || (after && lead.includes(after))) return;
  const others = await sql`
    SELECT FROM users WHERE role = ANY(${lead}::text[]) AND deleted_at IS NULL AND id <> ${before.id}
      AND (password_hash IS NOT NULL OR (SELECT password_hash IS NULL FROM users WHERE id = ${before.id}))
    LIMIT 1`.execute(tx);
  if (others.rows.length > 0) return;
  throw refusal("last-administrator");
}
