import { sql } from "kysely";
import { piecesOf } from "#contract/text/message-fields.ts";
import type { Detail } from "#contract/text/kept-details.ts";
import type { Db } from "#server/db/database.ts";

type Use = { type: "template" | "notification" | "schedule" | "group"; id: number; title: string };

/** What would say or do something else without this detail: templates, and what is still to go out. */
export async function usesOfDetail(db: Db, { id, field }: Detail): Promise<Use[]> {
  const conditioned = await sql<Use>`
    SELECT 'group' AS type, id, name AS title FROM user_groups
    WHERE rule -> 'newer' -> 'details' @> ${JSON.stringify([{ detail: id }])}
    UNION ALL
    SELECT 'schedule', s.id, coalesce(s.name, n.title) FROM schedules s LEFT JOIN notifications n ON n.id = s.notification_id
    WHERE s.deleted_at IS NULL AND s.skip_if @> ${JSON.stringify({ detail: id })} ORDER BY type, id`.execute(
    db,
  );
  const { rows } = await sql<Use & { text: string }>`
    SELECT 'template' AS type, id, name AS title, subject || ' ' || content AS text FROM templates
    WHERE archived_at IS NULL
    UNION ALL
    SELECT 'notification', id, title, title || ' ' || content FROM notifications
    WHERE status IN ('Scheduled', 'Recurring')
    UNION ALL
    SELECT 'schedule', id, name, name FROM schedules WHERE deleted_at IS NULL AND NOT own_notification
    ORDER BY type DESC, id`.execute(db);
  const written = rows
    .filter(({ text }) => text.includes("{{") && piecesOf(text).some((piece) => piece.field === field))
    .map((one) => ({ type: one.type, id: one.id, title: one.title }));
  return [...conditioned.rows, ...written];
}
