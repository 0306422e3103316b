import { type RawBuilder, sql } from "kysely";
import { isColleague, may } from "#contract/permissions.ts";
import { roles } from "#contract/calls/auth.ts";
import type { KeptReason } from "#contract/calls/import-results.ts";
import { IDS_PER_MONTH } from "#server/db/months.ts";
import { audienceOf } from "#server/delivery/schedules/schedule.ts";
import type { Actor } from "#server/features/people/who-may-change.ts";

const colleagues = roles.filter(isColleague);

/** To whom an import did something that can be undone: `import_people p` of those whom it didn't only find unchanged. */
export const undoable = sql<boolean>`(p.kind IN ('new', 'changed', 'out') OR p.joined IS NOT NULL)`;

/**
 * Why what an import did to someone stays, of `import_people p` and the person as `users u`, who may be missing; null: it
 * can be undone.
 */
export function keptReason(actor: Actor): RawBuilder<KeptReason | null> {
  const mayChangeColleagues = may(actor, "accounts:write");
  return sql<KeptReason | null>`CASE
    WHEN u.id IS NULL OR u.deleted_at IS NOT NULL THEN 'deleted'
    WHEN p.kind <> 'same' AND u.role = ANY(${colleagues}::text[]) AND NOT ${mayChangeColleagues} THEN 'not-allowed'
    WHEN ${gotMessage} THEN 'sent'
    WHEN p.kind = 'new' AND (u.password_hash IS NOT NULL
      OR EXISTS (SELECT FROM password_links l WHERE l.user_id = u.id)) THEN 'signed-in'
    WHEN p.kind = 'new' AND u.id IN (${planned}) THEN 'planned'
    WHEN EXISTS (SELECT FROM home_changes h WHERE h.person_id = u.id
      AND (h.at > p.at OR h.at = p.at AND h.undone_at IS NOT NULL)) THEN 'moved'
    WHEN u.updated_at > p.at THEN 'changed'
  END`;
}

/** Something was sent to them since. The months in which runs began are those of the ids. */
const gotMessage = sql`EXISTS (
  SELECT FROM run_people m JOIN runs r ON r.id = m.run_id
  WHERE m.user_id = u.id AND m.run_id >= month_of(p.at) * ${sql.lit(IDS_PER_MONTH)} AND r.created_at > p.at)`;

/** Whom something that is planned names. */
const planned = sql`
  SELECT (m ->> 'id')::bigint FROM (
    SELECT audience FROM notifications WHERE status IN ('Scheduled', 'Recurring')
    UNION ALL SELECT ${audienceOf} FROM schedules s WHERE s.deleted_at IS NULL
  ) n CROSS JOIN LATERAL jsonb_array_elements(n.audience) m WHERE m ->> 'type' = 'user'`;
