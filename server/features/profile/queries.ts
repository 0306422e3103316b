import { sql } from "kysely";
import type { Profile } from "#contract/calls/profile.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { archivedThrough, monthName } from "#server/db/archived-months.ts";
import type { Db } from "#server/db/database.ts";
import { policySentence } from "#server/features/auth/password.ts";
import { readPolicy } from "#server/features/auth/password-policy.ts";
import { consentsOf } from "#server/features/consent/queries.ts";
import { preferenceColumns } from "#server/features/people/columns.ts";
import { sessionUser } from "#server/http/session.ts";

type Row = Omit<
  Profile,
  "passwordChangedAt" | "passwordHint" | "consents" | "archivedThrough" | "updatedAt"
> & {
  archivedThrough: number | null;
  passwordChangedAt: Date | null;
  updatedAt: Date;
};

/** A person's own details and preferences. */
export async function readProfile(db: Db, userId: number): Promise<Profile> {
  const [found, policy, consents] = await Promise.all([
    sql<Row>`
      SELECT ${sessionUser}, u.phone, u.property_unit AS "propertyUnit", ${preferenceColumns},
        u.password_changed_at AS "passwordChangedAt", u.updated_at AS "updatedAt",
        ${archivedThrough} AS "archivedThrough"
      FROM users u WHERE u.id = ${userId} AND u.deleted_at IS NULL`.execute(db),
    readPolicy(db),
    consentsOf(db, userId),
  ]);
  const [row] = found.rows;
  if (!row) throw refusal("no-such-person");
  return {
    ...row,
    passwordChangedAt: row.passwordChangedAt?.toISOString() ?? null,
    passwordHint: policySentence(policy),
    consents,
    archivedThrough: row.archivedThrough === null ? null : monthName(row.archivedThrough),
    updatedAt: row.updatedAt.toISOString(),
  };
}
