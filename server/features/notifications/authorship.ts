import { sql } from "kysely";
import type { NotificationDetail } from "#contract/calls/notifications.ts";
import { nameOf } from "#server/audience/person.ts";
import type { Db } from "#server/db/database.ts";

type Authorship = Pick<NotificationDetail, "kind" | "edited" | "sentBy" | "createdAt">;

type Row = {
  kind: Authorship["kind"];
  createdAt: Date;
  editedAt: Date | null;
  editor: string | null;
  starter: string | null;
  planned: boolean;
};

/** Who last edited a notification, and who or what sent it. Null if there is no such notification. */
export async function readAuthorship(db: Db, id: number): Promise<Authorship | null> {
  const found = await sql<Row>`
    SELECT n.kind, n.created_at AS "createdAt", n.edited_at AS "editedAt",
      ${nameOf("editor")} AS editor, ${nameOf("starter")} AS starter, r.planned_for IS NOT NULL AS planned
    FROM notifications n LEFT JOIN users editor ON editor.id = n.edited_by
    LEFT JOIN runs r ON r.notification_id = n.id
    LEFT JOIN users starter ON starter.id = r.started_by
    WHERE n.id = ${id}`.execute(db);
  const [row] = found.rows;
  if (!row) return null;
  const { kind, createdAt, editedAt, editor, starter, planned } = row;
  return {
    kind,
    createdAt: createdAt.toISOString(),
    edited: editor !== null && editedAt ? { by: editor, at: editedAt.toISOString() } : null,
    sentBy: sentBy(starter, planned),
  };
}

function sentBy(starter: string | null, planned: boolean): Authorship["sentBy"] {
  if (starter !== null) return { who: "person", name: starter };
  return planned ? { who: "schedule" } : null;
}
