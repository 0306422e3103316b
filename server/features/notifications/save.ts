import { fullName } from "#contract/text/full-name.ts";
import type { api } from "#contract/api.ts";
import { ATTACHMENTS_TOTAL_MAX, MEGABYTE } from "#contract/calls/attachments.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import { fieldError } from "#contract/errors.ts";
import type { Channel } from "#contract/delivery.ts";
import { type AudienceMember, audienceText } from "#contract/calls/notifications.ts";
import { dayIn } from "#contract/recurrence.ts";
import { textsAndDates, valuesForRun } from "#contract/text/relative-date.ts";
import type { Db } from "#server/db/database.ts";
import { attachmentsById } from "#server/messages/attachments.ts";
import {
  checkFields,
  composeMessage,
  type Message,
  refuseOffChannels,
} from "#server/features/notifications/compose.ts";
import type { IdempotencyKey } from "#server/features/notifications/idempotency.ts";
import {
  insertOwnSchedule,
  type OwnSchedule,
  type Planning,
  type Recurrence,
} from "#server/features/notifications/own-schedule.ts";
import type { StoredNotification } from "#server/features/notifications/queries.ts";
import { refuseGone, resolveRecipients } from "#server/audience/recipients.ts";
import { refusePast, toInstant } from "#server/messages/plan.ts";
import type { SessionUser } from "#server/http/route.ts";

/** Everything about a notification that was checked and may be stored. */
export type Draft = {
  title: string;
  message: Message;
  audience: AudienceMember[];
  channels: Channel[];
  status: "Draft" | "Scheduled" | "Recurring";
  scheduledTime: Date | null;
  recurrence: Recurrence | null;
  /** By field: values that each run works out. */
  relativeDates: OwnSchedule["dates"];
  attachmentIds: number[];
};

type Created = BodyOf<typeof api.notifications.create>;

type DraftContext = {
  /** The organization's time zone. */
  zone: string;
  now: Date;
  /** It will go out without another check, so every field must be filled in. A draft may lack some. */
  goesOut: boolean;
  /** It recurs, or did when it was cancelled: its dates may be relative to the run. */
  recurs: boolean;
  /** What the caller calls the text. */
  textField: "content" | "message";
  /** The audience, if it is known already; undefined: the one the body names. */
  audience?: AudienceMember[] | undefined;
  /** What is being changed. */
  stored?: StoredNotification;
};

/** Checks what a caller wants to store, in the order in which a person reads the form. */
export async function checkDraft(
  db: Db,
  body: Omit<Created, "clientKey">,
  { zone, now, goesOut, recurs, textField, audience: known, stored }: DraftContext,
): Promise<Draft> {
  const { texts, dates } = textsAndDates(body.fieldValues);
  const [relative] = Object.keys(dates);
  if (relative !== undefined && !recurs) {
    const sentence = "Only a recurring notification can have a date relative to the run";
    throw fieldError("invalid-input", `fieldValues.${relative}`, sentence);
  }
  // Runs while the message is checked.
  const resolving = known ?? resolveRecipients(db, body.recipients);
  Promise.resolve(resolving).catch(() => undefined);
  const message = await composeMessage(db, { ...body, fieldValues: texts, text: body.content ?? "", stored });
  if (goesOut) {
    const fieldValues = valuesForRun(body.fieldValues, dayIn(zone, now));
    const { subject, content } = message;
    const at = body.content?.trim() ? textField : "templateId";
    checkFields(
      [
        ["title", body.title],
        ["templateId", subject],
        [at, content],
      ],
      fieldValues,
    );
    await refuseOffChannels(db, body.channels);
    if (known) await refuseGone(db, known);
  }
  const audience = await resolving;
  const scheduledTime =
    body.status === "Scheduled" && body.scheduled_time ? toInstant(body.scheduled_time, zone) : null;
  if (scheduledTime) refusePast(scheduledTime, now, zone);
  return {
    title: body.title,
    message,
    audience,
    channels: body.channels,
    status: body.status,
    scheduledTime,
    recurrence: body.status === "Recurring" ? recurrenceOf(body) : null,
    relativeDates: dates,
    attachmentIds: await checkAttachments(
      db,
      body.attachments.map(({ id }) => id),
    ),
  };
}

function recurrenceOf(body: Pick<Created, "recurrence" | "recurringDay" | "recurringTime">): Recurrence {
  const kind = body.recurrence ?? "daily";
  return {
    kind,
    day: kind === "daily" ? null : (body.recurringDay ?? 1),
    time: body.recurringTime ?? "09:00",
  };
}

async function checkAttachments(db: Db, ids: number[]): Promise<number[]> {
  const unique = [...new Set(ids)];
  const files = await attachmentsById(db, unique);
  const refuse = (sentence: string) => fieldError("invalid-input", "attachments", sentence);
  if (files.size < unique.length)
    throw refuse("An attached file no longer exists. Remove it and attach it again.");
  const total = [...files.values()].reduce((sum, file) => sum + file.size, 0);
  if (total > ATTACHMENTS_TOTAL_MAX) {
    throw refuse(
      `Attachments can be up to ${ATTACHMENTS_TOTAL_MAX / MEGABYTE} MB in total. Remove one or send a link.`,
    );
  }
  return unique;
}

/**
 * Stores a notification once for each client key and returns its id; null if the key was taken before. Concurrent calls
 * wait for each other at the unique key.
 */
export async function insertNotification(
  tx: Db,
  draft: Draft,
  { user, key, planning }: { user: SessionUser; key: IdempotencyKey | null; planning: Planning },
): Promise<number | null> {
  const createdByName = fullName(user);
  const row = await tx
    .insertInto("notifications")
    .values({
      ...columnsOf(draft),
      client_key: key?.key ?? null,
      client_key_hash: key?.bodyHash ?? null,
      created_by: user.id,
      created_by_name: createdByName,
    })
    .onConflict((conflict) => conflict.columns(["created_by", "client_key"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (row && draft.recurrence) {
    const notification = { id: row.id, channels: draft.channels, createdBy: user.id, createdByName };
    await insertOwnSchedule(tx, notification, draft.recurrence, draft.relativeDates, planning);
  }
  return row?.id ?? null;
}

export function columnsOf(draft: Draft) {
  return {
    title: draft.title,
    message_type: draft.message.messageType,
    template_id: draft.message.templateId,
    subject: draft.message.subject,
    formatted: draft.message.formatted,
    content: draft.message.content,
    field_values: JSON.stringify(draft.message.fieldValues),
    channels: draft.channels,
    audience: JSON.stringify(draft.audience),
    audience_text: audienceText(draft.audience),
    class: draft.message.class,
    status: draft.status,
    scheduled_time: draft.scheduledTime,
    attachment_ids: draft.attachmentIds,
  };
}
