import { sql } from "kysely";
import { templateChannel } from "#contract/calls/templates.ts";
import type { Db } from "#server/db/database.ts";
import { emptyMessage, type Message, messageColumns } from "./message.ts";

/** Where a message's text comes from, as far as that can be wrong. */
export type Source =
  | { kind: "none" }
  | {
      kind: "template";
      /** Null: it no longer exists. */
      template: { name: string; archived: boolean; version: number } | null;
      /** The version that the person has read. */
      read?: number | undefined;
    }
  | { kind: "notification"; exists: boolean };

export type SourceRef = {
  /** By id or slug. */
  templateId?: string | number | null | undefined;
  notificationId?: number | null | undefined;
};

/** The message as its template or notification has it now; an empty one if that no longer exists, or none is named. */
export async function readSource(
  db: Db,
  { templateId, notificationId }: SourceRef,
): Promise<{ message: Message; source: Source }> {
  if (templateId) return readTemplate(db, templateId);
  if (notificationId) return readNotification(db, notificationId);
  return { message: emptyMessage, source: { kind: "none" } };
}

async function readTemplate(db: Db, ref: string | number) {
  const asId = typeof ref === "number" || /^\d{1,15}$/.test(ref);
  const found = await db
    .selectFrom("templates")
    .select(["id", "name", "type", "subject", "content", "class", "version", "archived_at"])
    .where(asId ? "id" : "slug", "=", asId ? Number(ref) : ref)
    .executeTakeFirst();
  const message: Message = {
    ...emptyMessage,
    messageType: "template",
    ...(found && {
      templateId: found.id,
      subject: found.subject,
      content: found.content,
      formatted: found.type === "Email",
      class: found.class,
      channels: [templateChannel[found.type]],
    }),
  };
  const template = found
    ? { name: found.name, archived: found.archived_at !== null, version: found.version }
    : null;
  return { message, source: { kind: "template" as const, template } };
}

async function readNotification(db: Db, id: number) {
  const { rows } = await sql<Message>`
    SELECT ${messageColumns("n")} FROM notifications n WHERE n.id = ${id} AND n.kind = 'message'`.execute(db);
  return {
    message: rows[0] ?? emptyMessage,
    source: { kind: "notification" as const, exists: rows.length > 0 },
  };
}
