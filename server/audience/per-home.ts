import { type RawBuilder, sql } from "kysely";
import { rolesWith } from "#contract/permissions.ts";
import { livesNow, livesNowIn } from "./homes.ts";
import { nameOf } from "./person.ts";

/**
 * One message per home: of the people of one home who are in the audience, one gets it on each channel, leaseholders
 * first. `docs/decisions/0206-one-message-per-home.md` says why.
 */

/**
 * Joins the home of a person of `users u` for this: `m.home`, null for who has none, and whether they hold its lease,
 * `m.leases`. Of several homes it is the one that their details name. A property without its units is no home, because
 * several households may live there; nor is a colleague's.
 */
export const joinHome = sql`LEFT JOIN (
    SELECT r.person_id, CASE WHEN h.key <> '' THEN h.id END AS home, r.role = 'leaseholder' AS leases
    FROM residencies r JOIN units h ON h.id = r.unit_id
    WHERE ${livesNow} AND NOT EXISTS (SELECT FROM residencies b WHERE b.person_id = r.person_id AND ${livesNowIn("b")}
      AND (r.shown, -r.id) < (b.shown, -b.id))
  ) m ON m.person_id = u.id AND u.role <> ALL(${rolesWith("console")}::text[])`;

/** What `heads` reads of a line, beside its person, channel, address and reason. */
export const columnsOfHome = sql`, m.home, m.leases, ${nameOf("u")} AS name`;

/**
 * The window of `lines` (user_id, channel, home, leases, reason) in which whoever gets it comes first: `first`, then
 * leaseholders, then anyone.
 */
const ofHome = (first: RawBuilder<unknown>) =>
  sql`(PARTITION BY channel, home ORDER BY reason IS NOT NULL, ${first}, NOT leases, user_id)`;

/**
 * Columns of these lines, which say who gets it for their person, `head`, and the `head_name` and `head_address`. Null:
 * no one, for the line's own reason. Who has opted out gets nothing through anyone either.
 */
export function heads(first: RawBuilder<unknown> = sql`false`): RawBuilder<unknown> {
  const ofHead = (
    column: string,
  ) => sql`CASE WHEN home IS NULL THEN CASE WHEN reason IS NULL THEN ${sql.ref(column)} END
    WHEN reason IS DISTINCT FROM 'opted-out'
    THEN first_value(CASE WHEN reason IS NULL THEN ${sql.ref(column)} END) OVER ${ofHome(first)} END`;
  return sql`${ofHead("user_id")} AS head, ${ofHead("name")} AS head_name, ${ofHead("address")} AS head_address`;
}
