import type { api } from "#contract/api.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import { refuse } from "#contract/findings.ts";
import { fullName } from "#contract/text/full-name.ts";
import type { AudienceMember } from "#contract/calls/notifications.ts";
import { dayIn } from "#contract/recurrence.ts";
import { textsAndDates, valuesForRun } from "#contract/text/relative-date.ts";
import { resolveRecipients } from "#server/audience/recipients.ts";
import { keepValues, storeGiven } from "#server/audience/values.ts";
import type { Db } from "#server/db/database.ts";
import type { IdempotencyKey } from "#server/features/notifications/idempotency.ts";
import {
  insertOwnSchedule,
  type OwnSchedule,
  type Planning,
  type Recurrence,
  toRule,
} from "#server/features/notifications/own-schedule.ts";
import type { StoredNotification } from "#server/features/notifications/queries.ts";
import type { SessionUser } from "#server/http/route.ts";
import { compose } from "#server/messages/compose.ts";
import { check } from "#server/messages/gate.ts";
import { type Message, messageRow } from "#server/messages/message.ts";
import { type Plan, toInstant } from "#server/messages/plan.ts";

/** Everything about a notification that was checked and may be stored. */
export type Draft = {
  message: Message;
  status: "Draft" | "Scheduled" | "Recurring";
  scheduledTime: Date | null;
  recurrence: Recurrence | null;
  /** By field: values that each run works out. */
  relativeDates: OwnSchedule["dates"];
};

export type Written = Omit<BodyOf<typeof api.notifications.create>, "clientKey">;

type DraftContext = Planning & {
  /** Who writes it. */
  userId: number;
  /** What the caller calls the text. */
  textField: "content" | "message";
  /** When it goes out, if its status doesn't say so. */
  plan?: Plan | undefined;
  /** The audience, if it is known already; undefined: the one the body names. */
  audience?: AudienceMember[] | undefined;
  /** What is being changed. */
  stored?: StoredNotification;
};

/** Checks what a caller wants to store. */
export async function checkDraft(
  db: Db,
  body: Written,
  { userId, zone, now, textField, plan, audience: known, stored }: DraftContext,
): Promise<Draft> {
  const {
    recipients,
    attachments,
    content: text = "",
    fieldValues,
    status,
    scheduled_time,
    again,
    ...rest
  } = body;
  const { recurrence: kind = "daily", recurringDay = 1, recurringTime = "09:00", ...written } = rest;
  const { texts, dates } = textsAndDates(fieldValues);
  const valuesId = (await storeGiven(db, recipients.filter(isValued), userId)) ?? rest.valuesId;
  const audience = known ?? (await resolveRecipients(db, recipients));
  const attachmentIds = [...new Set(attachments.map(({ id }) => id))];
  const { message, source } = await compose(
    db,
    { ...written, valuesId, text, audience, attachmentIds, fieldValues: texts },
    stored,
  );
  const recurrence =
    status === "Recurring"
      ? { kind, day: kind === "daily" ? null : recurringDay, time: recurringTime }
      : null;
  const scheduledTime = status === "Scheduled" && scheduled_time ? toInstant(scheduled_time, zone) : null;
  const found = await check(
    db,
    { ...message, fieldValues: valuesForRun(fieldValues, dayIn(zone, now)) },
    plan ?? planOf({ recurrence, scheduledTime }, zone),
    {
      zone,
      now,
      moment: "writing",
      source,
      stored,
      id: stored?.id,
      again,
      chooser: userId,
      places: { content: text.trim() === "" ? "templateId" : textField },
      relativeDates: Object.keys(dates),
    },
  );
  refuse(found);
  return { message, status, scheduledTime, recurrence, relativeDates: dates };
}

const isValued = (one: Written["recipients"][number]) => typeof one !== "string";

function planOf(
  { recurrence, scheduledTime }: Pick<Draft, "recurrence" | "scheduledTime">,
  zone: string,
): Plan {
  if (scheduledTime) return { kind: "at", at: scheduledTime };
  return recurrence ? { kind: "rule", rule: toRule(recurrence, zone) } : { kind: "draft" };
}

/**
 * Stores a notification once for each client key and returns its id; null if the key was taken before. Concurrent calls
 * wait for each other at the unique key.
 */
export async function insertNotification(
  tx: Db,
  { message, status, scheduledTime, recurrence, relativeDates }: Draft,
  { user, key, planning }: { user: SessionUser; key: IdempotencyKey | null; planning: Planning },
): Promise<number | null> {
  const createdByName = fullName(user);
  const row = await tx
    .insertInto("notifications")
    .values({
      ...messageRow(message),
      status,
      scheduled_time: scheduledTime,
      client_key: key?.key ?? null,
      client_key_hash: key?.bodyHash ?? null,
      created_by: user.id,
      created_by_name: createdByName,
    })
    .onConflict((conflict) => conflict.columns(["created_by", "client_key"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  await keepValues(tx, message.valuesId);
  if (row && recurrence) {
    const notification = { id: row.id, channels: message.channels, createdBy: user.id, createdByName };
    await insertOwnSchedule(tx, notification, recurrence, relativeDates, planning);
  }
  return row?.id ?? null;
}
