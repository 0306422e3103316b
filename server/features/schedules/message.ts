import { sql } from "kysely";
import type { Channel } from "#contract/delivery.ts";
import { fieldError } from "#contract/errors.ts";
import { templateChannel } from "#contract/calls/templates.ts";
import type { Db } from "#server/db/database.ts";
import type { Message } from "#server/features/notifications/compose.ts";
import { findTemplate, refuseArchived } from "#server/messages/template.ts";
import { readStored } from "#server/features/notifications/queries.ts";

type Chosen = { templateId?: string | number | null | undefined; notificationId?: number | null | undefined };

type ScheduleMessage = {
  templateId: number | null;
  notificationId: number | null;
  message: Pick<Message, "subject" | "content" | "fieldValues">;
  /** The notification's title; null: the schedule's name is used. */
  title: string | null;
  /** The channels used if none were chosen. */
  channels: Channel[];
};

/** What a schedule sends: as the call says, otherwise as stored. Throws invalid-input if it is gone or not chosen. */
export async function findMessage(db: Db, asked: Chosen, stored: Chosen | null): Promise<ScheduleMessage> {
  const { templateId, notificationId } = asked.templateId || asked.notificationId ? asked : (stored ?? asked);
  if (templateId) return ofTemplate(db, templateId);
  if (notificationId) return ofNotification(db, notificationId);
  throw fieldError("invalid-input", "templateId", "Choose what to send: a template or a notification");
}

async function ofTemplate(db: Db, templateId: string | number): Promise<ScheduleMessage> {
  const template = await findTemplate(db, templateId);
  refuseArchived(template);
  return {
    templateId: template.id,
    notificationId: null,
    message: { subject: template.subject, content: template.content, fieldValues: {} },
    title: null,
    channels: [templateChannel[template.type]],
  };
}

async function ofNotification(db: Db, id: number): Promise<ScheduleMessage> {
  const isMessage = await sql`SELECT FROM notifications WHERE id = ${id} AND kind = 'message'`.execute(db);
  const stored = isMessage.rows.length > 0 ? await readStored(db, id) : null;
  if (!stored) {
    throw fieldError(
      "invalid-input",
      "notificationId",
      "This notification doesn't exist. Choose another one.",
    );
  }
  if (stored.content.trim() === "") {
    throw fieldError(
      "invalid-input",
      "notificationId",
      "This notification has no message yet. Choose another one.",
    );
  }
  return {
    templateId: null,
    notificationId: id,
    message: { subject: stored.subject, content: stored.content, fieldValues: stored.field_values },
    title: stored.title,
    channels: stored.channels,
  };
}
