import { sql } from "kysely";
import type { api } from "#contract/api.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { channelMeaning, channels, type Channel } from "#contract/delivery.ts";
import { finding, Refusal } from "#contract/findings.ts";
import { audienceText } from "#contract/calls/notifications.ts";
import { keepValues } from "#server/audience/values.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { refuseStale } from "#server/db/stale-edit.ts";
import { changesBetween, recordAudit } from "#server/db/audit.ts";
import { notifyPages } from "#server/delivery/hints.ts";
import { readStored, type StoredNotification, typeOf } from "#server/features/notifications/queries.ts";
import { checkNextRuns } from "#server/delivery/schedules/check-next-runs.ts";
import { endOwnSchedule } from "#server/delivery/schedules/plan.ts";
import {
  keepRelativeDates,
  type OwnSchedule,
  resumeOwnSchedule,
  toRule,
} from "#server/features/notifications/own-schedule.ts";
import { checkDraft, type Draft, type Written } from "#server/features/notifications/save.ts";
import type { By, SessionUser } from "#server/http/route.ts";
import { type Message, messageIn, messageRow, messageValues } from "#server/messages/message.ts";
import { toInstant } from "#server/messages/plan.ts";

type Update = BodyOf<typeof api.notifications.update>;

/** Statuses that have not gone out may change; everything else stays as it was sent. */
const editable: readonly StoredNotification["status"][] = ["Draft", "Scheduled", "Recurring"];

/**
 * Changes a notification that is waiting. Throws not-found, and a conflict if it has gone out or someone else changed
 * it.
 */
export async function updateNotification(
  db: Db,
  id: number,
  body: Update,
  { by, zone, now }: { by: By; zone: string; now: Date },
): Promise<void> {
  await transaction(db, async (tx) => {
    const stored = await readStored(tx, id, "FOR NO KEY UPDATE");
    if (!stored) throw refusal("no-such-notification");
    if (!waits(stored)) {
      throw refusal("gone-out");
    }
    refuseStale(body.updatedAt, stored.updated_at, "notification");
    const ended = staysEnded(stored, body);
    const draft = await check(tx, stored, body, { ended, userId: by.user.id, zone, now });
    const changes = await write(tx, stored, draft, { ended, user: by.user });
    if (draft.status === "Recurring") {
      await resumeOwnSchedule(tx, { id, channels: draft.message.channels }, { zone, now });
    } else if (!ended) await endOwnSchedule(tx, id);
    // Its text may ask for more than a schedule that sends it has filled in.
    await checkNextRuns(tx, sql`s.notification_id = ${id}`);
    await recordAudit(tx, {
      by,
      action: "notification.update",
      subject: { type: "notification", id },
      detail: { changes },
    });
    await notifyPages(tx, { type: "notifications" });
  });
}

async function check(
  tx: Db,
  stored: StoredNotification,
  body: Update,
  { ended, userId, zone, now }: { ended: boolean; userId: number; zone: string; now: Date },
): Promise<Draft> {
  if (ended) refuseIdleTime(stored, body, zone);
  const whole = complete(stored, body, ended);
  if (whole.status !== "Draft" || ended) refuseIncomplete(whole);
  const rule = stored.schedule && toRule(stored.schedule, stored.schedule.zone ?? zone);
  return checkDraft(tx, whole, {
    userId,
    zone,
    now,
    plan: ended ? { kind: "draft", ...(rule && { rule }) } : undefined,
    textField: "content",
    audience: keepsRecipients(stored, body) ? stored.audience : undefined,
    stored,
  });
}

/** Returns what has changed, with the values before and after. */
async function write(
  tx: Db,
  stored: StoredNotification,
  draft: Draft,
  { ended, user }: { ended: boolean; user: SessionUser },
): Promise<object> {
  const { message, status, scheduledTime: scheduled_time, relativeDates } = draft;
  await tx
    .updateTable("notifications")
    .set({
      ...messageRow(message),
      ...(!ended && { status, scheduled_time, status_reason: null, findings: null }),
      edited_by: user.id,
      edited_at: sql<Date>`now()`,
      updated_at: sql<Date>`now()`,
    })
    .where("id", "=", stored.id)
    .execute();
  await keepValues(tx, message.valuesId);
  await keepRelativeDates(tx, stored.id, relativeDates);
  return changesBetween<object>(
    {
      ...valuesOf(stored, stored.schedule?.dates),
      status: stored.status,
      scheduled_time: stored.scheduled_time,
    },
    { ...valuesOf(message, relativeDates), ...(!ended && { status, scheduled_time }) },
  );
}

/** Its formatting shows in the text. */
function valuesOf(message: Message, dates: OwnSchedule["dates"] = {}): object {
  const { formatted: _, ...values } = messageValues(message);
  return {
    ...values,
    audience_text: audienceText(message.audience),
    field_values: { ...message.fieldValues, ...dates },
  };
}

function waits({ status, sent_time }: StoredNotification): boolean {
  return editable.includes(status) || ((status === "Cancelled" || status === "Failed") && sent_time === null);
}

/** Cancelled, or failed before it began, and the change keeps that status: what was planned stays on record too. */
function staysEnded({ status }: StoredNotification, body: Update): boolean {
  return !editable.includes(status) && (body.status ?? status) === status;
}

/** A new time for a notification that stays ended would have no effect and look as if it were planned. */
function refuseIdleTime(stored: StoredNotification, { scheduled_time: time }: Update, zone: string): void {
  if (!time || toInstant(time, zone).getTime() === stored.scheduled_time?.getTime()) return;
  throw refusal("time-without-status", { status: stored.status });
}

/**
 * Replies name all recipients in one text. Sent back unchanged, it changes no one, whatever the names mean by now. Nor
 * does leaving them out of a draft.
 */
function keepsRecipients({ audience_text }: StoredNotification, { recipients }: Update): boolean {
  return recipients === undefined || (recipients.length === 1 && recipients[0] === audience_text.trim());
}

/** Only a draft may lack content, recipients or a channel. */
function refuseIncomplete({ content = "", recipients, channels: chosen }: Written): void {
  const [first, ...others] = [
    ...(content.trim() === "" ? [finding("no-content", "content", {})] : []),
    ...(recipients.length === 0 ? [finding("no-recipients", "recipients", {})] : []),
    ...(chosen.length === 0 ? [finding("no-channels", "channels", {})] : []),
  ];
  if (first) throw new Refusal(first, ...others);
}

/** A type as replies show it stands for all the stored channels. */
function channelsOf({ channels: stored }: StoredNotification, type: Update["type"]): Channel[] {
  if (type === undefined || type === typeOf(stored)) return stored;
  return channels.filter((channel) => channelMeaning[channel].label === type);
}

/**
 * The change on top of what is stored, as a whole draft; a notification that stays ended is checked as one. What the
 * body omits stays as it is, except that only a draft may omit content and recipients.
 */
function complete(stored: StoredNotification, body: Update, ended: boolean): Written {
  const status = ended ? "Draft" : (body.status ?? stored.status);
  if (status !== "Draft" && status !== "Scheduled" && status !== "Recurring")
    throw refusal("status-set-by-sending", { status });
  const scheduledTime = body.scheduled_time ?? stored.scheduled_time?.toISOString();
  if (status === "Scheduled" && !scheduledTime) throw refusal("no-time-chosen");
  // Once it becomes a draft, its rule is removed.
  const recurs = stored.status === "Draft" ? null : stored.schedule;
  if (status === "Recurring" && !recurs) throw refusal("no-recurrence");
  // What a call names as the message does stays as it is, or is given. The rest follows.
  const { messageType: _type, subject: _subject, ...named } = messageIn(stored);
  const { audience: _audience, attachmentIds, ...kept } = named;
  const { type, updatedAt: _updatedAt, ...given } = body;
  return {
    ...kept,
    ...present(given),
    content: body.content ?? (status === "Draft" && !ended ? stored.content : ""),
    recipients: body.recipients ?? [],
    channels: body.channels ?? channelsOf(stored, type),
    status,
    scheduled_time: scheduledTime,
    recurrence: recurs?.kind,
    recurringDay: recurs?.day ?? undefined,
    recurringTime: recurs?.time,
    templateId:
      body.templateId === undefined ? (stored.templateId ?? undefined) : (body.templateId ?? undefined),
    fieldValues: body.fieldValues ?? {
      ...stored.fieldValues,
      ...(status === "Recurring" || ended ? stored.schedule?.dates : {}),
    },
    attachments: body.attachments ?? attachmentIds.map((id) => ({ id })),
  };
}

type Present<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Without what is left out. */
function present<T extends object>(given: T): Present<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Present<T>;
}
