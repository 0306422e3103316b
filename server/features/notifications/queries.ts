import { type Selectable, sql } from "kysely";
import { channelMeaning, type Channel } from "#contract/delivery.ts";
import { storedSentences } from "#contract/findings.ts";
import { fieldsOf, TemplateError, withoutTyped } from "#contract/text/message-fields.ts";
import { detailCounts } from "#contract/run-progress.ts";
import type { NotificationDetail, NotificationRow } from "#contract/calls/notifications.ts";
import { readValuesSummary } from "#server/audience/values.ts";
import type { Db } from "#server/db/database.ts";
import { PREPARED } from "#server/db/prepared.ts";
import type { Schema } from "#server/db/schema.ts";
import { withoutMarks } from "#server/delivery/content/formatting.ts";
import { progressOf } from "#server/activity/progress.ts";
import { attachmentsById } from "#server/messages/attachments.ts";
import { readAuthorship } from "#server/features/notifications/authorship.ts";
import { type ListQuery, listPage } from "#server/features/notifications/list-page.ts";
import {
  type OwnSchedule,
  ownSchedule,
  recurrenceText,
} from "#server/features/notifications/own-schedule.ts";
import { formatTime } from "#contract/text/time-text.ts";
import { readSetting } from "#server/features/settings/queries.ts";
import type { Page } from "#server/http/route.ts";
import { type Message, messageColumns, messageIn } from "#server/messages/message.ts";

const columns = [
  "id",
  "audience_text",
  "status",
  "status_reason",
  "findings",
  "scheduled_time",
  "sent_time",
  "client_key",
  "client_key_hash",
  "created_by_name",
  "updated_at",
] as const satisfies (keyof Row)[];

type Row = Selectable<Schema["notifications"]>;

export type StoredNotification = Message &
  Pick<Row, (typeof columns)[number]> & { schedule: OwnSchedule | null };

const storedColumns = sql.join([
  messageColumns("notifications"),
  ...columns.map((column) => sql.ref(column)),
  ownSchedule,
]);

/** One page, in the order of `listPage`. */
export async function listNotifications(db: Db, query: ListQuery, now: Date): Promise<Page<NotificationRow>> {
  const { ids, ...totals } = await listPage(db, query);
  const { rows } = await sql<StoredNotification>`
    SELECT ${storedColumns} FROM notifications JOIN unnest(${ids}::bigint[]) WITH ORDINALITY page (listed, place)
      ON id = listed ORDER BY place`.execute(db);
  return { rows: await present(db, rows, now), ...totals };
}

export async function readStored(
  db: Db,
  id: number,
  lock: "FOR NO KEY UPDATE" | "FOR UPDATE" | "" = "",
): Promise<StoredNotification | null> {
  const found = await sql<StoredNotification>`${PREPARED}
    SELECT ${storedColumns} FROM notifications WHERE id = ${id} ${sql.raw(lock)}`.execute(db);
  return found.rows[0] ?? null;
}

export async function readByClientKey(
  db: Db,
  userId: number,
  clientKey: string,
): Promise<StoredNotification | null> {
  const found = await sql<StoredNotification>`
    SELECT ${storedColumns} FROM notifications WHERE created_by = ${userId} AND client_key = ${clientKey}`.execute(
    db,
  );
  return found.rows[0] ?? null;
}

/** The first channel's name; Email if there is none. */
export const typeOf = (channels: readonly Channel[]) => channelMeaning[channels[0] ?? "email"].label;

/** Stored rows as lists show them at `now`, with their files and progress read in two more statements. */
export async function present(
  db: Db,
  rows: readonly StoredNotification[],
  now: Date,
): Promise<NotificationRow[]> {
  const [progress, files, zone] = await Promise.all([
    progressOf(
      db,
      rows.map((row) => row.id),
    ),
    attachmentsById(
      db,
      rows.flatMap((row) => row.attachmentIds),
    ),
    readSetting(db, "timezone"),
  ]);
  return rows.map((row) => ({
    id: row.id,
    type: typeOf(row.channels),
    channels: row.channels,
    title: row.title,
    content: row.content,
    recipients: row.audience_text,
    audience: row.audience,
    class: row.class,
    status: row.status,
    statusReason: storedSentences(row.findings, row.status_reason),
    scheduled_time: row.scheduled_time?.toISOString() ?? null,
    sent_time: row.sent_time?.toISOString() ?? null,
    sentTime: timeText(row, zone, now),
    updatedAt: row.updated_at.toISOString(),
    attachments: row.attachmentIds.flatMap((id) => files.get(id) ?? []),
    progress: progress.get(row.id) ?? null,
    clientKey: row.client_key,
    createdBy: row.created_by_name,
  }));
}

function timeText(row: StoredNotification, zone: string, now: Date): string {
  if (row.sent_time) return formatTime(row.sent_time, zone, now);
  if (row.status === "Recurring" && row.schedule) {
    return `${recurrenceText(row.schedule, zone)}${row.schedule.active ? "" : " (paused)"}`;
  }
  if (row.scheduled_time) return formatTime(row.scheduled_time, zone, now);
  return "";
}

/** The fields of the message; none if braces hold no field, which is refused when it is sent. */
export function usedFields({ title, subject, content, fieldValues }: StoredNotification): string[] {
  try {
    return withoutTyped(fieldsOf(title, subject, content), fieldValues);
  } catch (error) {
    if (error instanceof TemplateError) return [];
    throw error;
  }
}

/** The page of one notification; null if there is none. */
export async function readDetail(db: Db, id: number, now: Date): Promise<NotificationDetail | null> {
  const stored = await readStored(db, id);
  if (!stored) return null;
  const [[row], authorship, values] = await Promise.all([
    present(db, [stored], now),
    readAuthorship(db, id),
    readValuesSummary(db, stored.valuesId),
  ]);
  if (!row || !authorship) return null;
  const recurs = stored.status === "Draft" ? null : stored.schedule;
  const { attachmentIds: _, ...message } = messageIn(stored);
  return {
    ...message,
    ...row,
    ...authorship,
    values,
    fields: usedFields(stored),
    contentText: stored.formatted ? withoutMarks(stored.content) : stored.content,
    fieldValues: { ...stored.fieldValues, ...recurs?.dates },
    recurrence: recurs?.kind ?? null,
    recurringDay: recurs?.day ?? null,
    recurringTime: recurs?.time ?? null,
    scheduleId: stored.status === "Recurring" ? (recurs?.id ?? null) : null,
    ...detailCounts(row.progress),
  };
}
