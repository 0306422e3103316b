import { sql } from "kysely";
import type { Channel, MessageClass } from "#contract/delivery.ts";
import { audienceText } from "#contract/calls/notifications.ts";
import type { Db } from "#server/db/database.ts";
import type { SampleRecords } from "#server/features/sample/sample-records.ts";
import type { SampleAudience } from "#server/features/sample/groups.ts";
import { markAsSample } from "#server/features/sample/rows.ts";

type Message = {
  title: string;
  to: SampleAudience | null;
  channels: readonly Channel[];
  /** Of the sample's staff. */
  by: number;
  at: Date;
  status: "Draft" | "Scheduled" | "Cancelled";
  scheduledTime?: Date | null;
} & (
  | { template: string; values?: Record<string, string> | undefined }
  | { content: string; subject?: string; class?: MessageClass }
);

/** Stores a notification as the console would, at that time. Returns its id. */
export async function insertNotification(tx: Db, records: SampleRecords, message: Message): Promise<number> {
  const template = "template" in message ? records.template(message.template) : null;
  const text = "content" in message ? message : { subject: "", class: "general", ...template };
  const audience = message.to === null ? [] : records.audience(message.to);
  const author = records.staff[message.by]!;
  const { rows } = await sql<{ id: number }>`
    INSERT INTO notifications (title, message_type, template_id, subject, content, formatted, field_values, channels,
      audience, audience_text, class, status, scheduled_time, created_by, created_by_name, created_at, updated_at)
    VALUES (${message.title}, ${template ? "template" : "custom"}, ${template?.id ?? null}, ${text.subject ?? ""},
      ${text.content}, ${template?.type === "Email"},
      ${JSON.stringify("template" in message ? (message.values ?? {}) : {})}, ${message.channels},
      ${JSON.stringify(audience)}, ${audienceText(audience)}, ${text.class ?? "general"},
      ${message.status}, ${message.scheduledTime ?? null}, ${author.id}, ${author.name}, ${message.at}, ${message.at})
    RETURNING id`.execute(tx);
  const { id } = rows[0]!;
  await markAsSample(tx, "notification", [id]);
  return id;
}
