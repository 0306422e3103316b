import { sql } from "kysely";
import { refusal } from "#contract/refusals/refusal.ts";
import { refuse } from "#contract/findings.ts";
import { dayIn } from "#contract/recurrence.ts";
import type { OutgoingMessage } from "#contract/calls/schedule-replies.ts";
import type { Db } from "#server/db/database.ts";
import { withoutMarks } from "#server/delivery/content/formatting.ts";
import { addressed } from "#server/delivery/schedules/run-notification.ts";
import { ruleOf } from "#server/delivery/schedules/schedule.ts";
import { attachmentsById } from "#server/messages/attachments.ts";
import { check } from "#server/messages/gate.ts";
import { scheduledMessage } from "#server/messages/scheduled-message.ts";
import { type Clock, storedSchedule } from "#server/features/schedules/queries.ts";

/**
 * What a run that someone starts now would send: that of `occurrence`, with the values of its own day, or one out of
 * turn. Throws not-found, and what keeps it from being sent.
 */
export async function outgoingMessage(
  db: Db,
  id: number,
  occurrence: string | undefined,
  { zone, now }: Clock,
): Promise<OutgoingMessage> {
  const schedule = await storedSchedule(db, id);
  const plannedFor = occurrence === undefined ? null : await plannedTime(db, id, occurrence);
  const day = occurrence ?? dayIn(schedule.zone ?? zone, now);
  const { message: written, ...context } = await scheduledMessage(db, schedule, day);
  const { message } = await addressed(db, schedule, written, day);
  // Only what can't be mended in the form.
  const plan = { kind: "draft", rule: ruleOf(schedule, zone) } as const;
  refuse(await check(db, message, plan, { ...context, zone, now, moment: "sending" }));
  const { attachmentIds, ...shown } = message;
  const files = await attachmentsById(db, attachmentIds);
  const { rows: saved } = await sql<{ at: Date }>`
    SELECT updated_at AS at FROM templates WHERE id = ${schedule.templateId}
    UNION ALL SELECT updated_at FROM notifications WHERE id = ${schedule.notificationId}`.execute(db);
  return {
    ...shown,
    contentText: message.formatted ? withoutMarks(message.content) : message.content,
    attachments: attachmentIds.flatMap((file) => files.get(file) ?? []),
    plannedFor: plannedFor?.toISOString() ?? null,
    writtenAt: (saved[0]?.at ?? schedule.updatedAt).toISOString(),
  };
}

async function plannedTime(db: Db, id: number, occurrence: string): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    SELECT planned_for AS at FROM schedule_occurrences
    WHERE schedule_id = ${id} AND occurrence = ${occurrence} AND state IN ('missed', 'failed')`.execute(db);
  if (!rows[0]) throw refusal("no-such-run");
  return rows[0].at;
}
