import { sql } from "kysely";
import type { User, UserDetail } from "#contract/calls/users.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { archivedThrough, monthName } from "#server/db/archived-months.ts";
import type { Db } from "#server/db/database.ts";
import { readDetails } from "#server/audience/details.ts";
import { suppressionsOf, unconfirmed } from "#server/audience/person.ts";
import { consentsOf } from "#server/features/consent/queries.ts";
import { groupsOf } from "#server/features/groups/memberships.ts";
import { userColumns } from "#server/features/people/columns.ts";
import { detailsByField, type StoredDetails } from "#server/features/people/details.ts";

type Row = User & {
  details: StoredDetails;
  otherContacts: string;
  archivedThrough: number | null;
  hasPassword: boolean;
  twoFactor: boolean;
  addressConfirmed: boolean;
  phoneConfirmed: boolean;
  stranger: boolean;
  lastSeenAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

/** Everything about one person who is not deleted. Throws not-found. */
export async function readPerson(db: Db, id: number): Promise<UserDetail> {
  const [found, groups, consents, suppressions, details] = await Promise.all([
    sql<Row>`
      SELECT ${userColumns}, u.other_contacts AS "otherContacts", u.details,
        u.password_hash IS NOT NULL AS "hasPassword",
        EXISTS (SELECT FROM totp_secrets t WHERE t.user_id = u.id AND NOT t.pending)
          OR EXISTS (SELECT FROM passkeys p WHERE p.user_id = u.id) AS "twoFactor",
        NOT ${unconfirmed.email} AS "addressConfirmed", NOT ${unconfirmed.sms} AS "phoneConfirmed", u.address_confirmed_at IS NULL AS stranger,
        (SELECT max(s.last_seen_at) FROM sessions s WHERE s.user_id = u.id) AS "lastSeenAt",
        ${archivedThrough} AS "archivedThrough", u.created_at AS "createdAt", u.updated_at AS "updatedAt"
      FROM users u WHERE u.id = ${id} AND u.deleted_at IS NULL`.execute(db),
    groupsOf(db, id),
    consentsOf(db, id),
    suppressionsOf(db, id),
    readDetails(db),
  ]);
  const [person] = found.rows;
  if (!person) throw refusal("no-such-person");
  return {
    ...person,
    details: detailsByField(person.details, details),
    archivedThrough: person.archivedThrough === null ? null : monthName(person.archivedThrough),
    lastSeenAt: person.lastSeenAt?.toISOString() ?? null,
    createdAt: person.createdAt.toISOString(),
    updatedAt: person.updatedAt.toISOString(),
    groups,
    consents,
    suppressions: suppressions.map(({ at, ...row }) => ({ ...row, at: at.toISOString() })),
  };
}
