import { sql } from "kysely";
import type { Channel } from "#contract/delivery.ts";
import type { recurrences } from "#contract/calls/notification-fields.ts";
import type { Rule } from "#contract/recurrence.ts";
import type { RelativeDate } from "#contract/text/relative-date.ts";
import { ruleText } from "#contract/text/rule-text.ts";
import type { Db } from "#server/db/database.ts";
import { replan } from "#server/delivery/schedules/plan.ts";
import { forgetProblem } from "#server/delivery/schedules/run-due.ts";
import { connectedAmong } from "#server/messages/channels.ts";
import { lockSchedule, ruleOf } from "#server/delivery/schedules/schedule.ts";

/** A recurring notification is a schedule that sends the notification's content. The rule is stored only there. */

/** What the create dialog asks; `day` of the week or of the month, null for daily. */
export type Recurrence = { kind: (typeof recurrences)[number]; day: number | null; time: string };

/** As it is read with its notification. */
export type OwnSchedule = Recurrence & {
  id: number;
  zone: string | null;
  /** Its values that each run works out; the notification has the others. */
  dates: Record<string, RelativeDate>;
  active: boolean;
  nextRunAt: string | null;
};

/** Null if the notification does not recur, and did not when it was cancelled. */
export const ownSchedule = sql`(
  SELECT jsonb_build_object('id', s.id, 'kind', s.recurrence, 'day', coalesce(s.day_of_week, s.day_of_month),
    'time', s.time, 'zone', s.zone, 'dates', s.field_values, 'active', s.active AND s.deleted_at IS NULL, 'nextRunAt', s.next_run_at)
  FROM schedules s WHERE s.notification_id = notifications.id AND s.own_notification
) AS schedule`;

const ofNotification = (id: number) => sql`s.notification_id = ${id} AND s.own_notification`;

export function toRule({ kind, day, time }: Recurrence, zone: string): Rule {
  return {
    recurrence: kind,
    dayOfWeek: kind === "weekly" ? day : null,
    dayOfMonth: kind === "monthly" ? day : null,
    time,
    zone,
  };
}

/** "Every Tuesday, 2:00 PM ET". `zone`: the organization's. */
export function recurrenceText(recurrence: Recurrence & { zone?: string | null }, zone: string): string {
  return ruleText(toRule(recurrence, recurrence.zone ?? zone));
}

export type Planning = { zone: string; now: Date };

export async function insertOwnSchedule(
  tx: Db,
  notification: { id: number; channels: readonly Channel[]; createdBy: number; createdByName: string },
  recurrence: Recurrence,
  dates: OwnSchedule["dates"],
  { zone, now }: Planning,
): Promise<void> {
  const rule = toRule(recurrence, zone);
  const { rows } = await sql<{ id: number }>`
    INSERT INTO schedules (recurrence, day_of_week, day_of_month, time, notification_id, own_notification,
      field_values, connected_channels, created_by, created_by_name)
    VALUES (${rule.recurrence}, ${rule.dayOfWeek}, ${rule.dayOfMonth}, ${rule.time}, ${notification.id}, true,
      ${JSON.stringify(dates)}, ${await connectedAmong(tx, notification.channels)}, ${notification.createdBy},
      ${notification.createdByName})
    RETURNING id`.execute(tx);
  await replan(tx, rows[0]!.id, rule, { now, before: null });
}

/** Each run reads them before the notification's own values. */
export async function keepRelativeDates(tx: Db, id: number, dates: OwnSchedule["dates"]): Promise<void> {
  await sql`UPDATE schedules s SET field_values = ${JSON.stringify(dates)} WHERE ${ofNotification(id)}`.execute(
    tx,
  );
}

/** After a change of a recurring notification: its problem may be solved. One that had ended begins again. */
export async function resumeOwnSchedule(
  tx: Db,
  notification: { id: number; channels: readonly Channel[] },
  { zone, now }: Planning,
): Promise<void> {
  const ended = await sql`
    UPDATE schedules s SET deleted_at = NULL, active = true, updated_at = now()
    WHERE ${ofNotification(notification.id)} AND deleted_at IS NOT NULL RETURNING s.id`.execute(tx);
  await sql`
    UPDATE schedules s SET connected_channels = ${await connectedAmong(tx, notification.channels)}
    WHERE ${ofNotification(notification.id)}`.execute(tx);
  const schedule = await lockSchedule(tx, ofNotification(notification.id));
  if (schedule) await forgetProblem(tx, schedule.id);
  if (schedule && ended.rows.length > 0) {
    await replan(tx, schedule.id, ruleOf(schedule, zone), { now, before: null });
  }
}
