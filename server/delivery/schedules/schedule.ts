import { type RawBuilder, sql } from "kysely";
import type { Channel, MessageClass } from "#contract/delivery.ts";
import type { ErrorCode } from "#contract/errors.ts";
import type { Finding } from "#contract/findings.ts";
import type { AudienceMember } from "#contract/calls/notifications.ts";
import type { RecurrenceKind, Rule } from "#contract/recurrence.ts";
import type { ScheduleValue } from "#contract/text/relative-date.ts";
import type { Db } from "#server/db/database.ts";

/** A schedule as stored. What a recurring notification's schedule leaves open is read from the notification. */
export type StoredSchedule = {
  id: number;
  name: string;
  recurrence: RecurrenceKind;
  dayOfWeek: number | null;
  dayOfMonth: number | null;
  date: string | null;
  time: string;
  endTime: string | null;
  /** Null: the organization's. */
  zone: string | null;
  active: boolean;
  nextRunAt: Date | null;
  /** The day in the rule that `nextRunAt` stands for. */
  nextOccurrence: string | null;
  templateId: number | null;
  notificationId: number | null;
  ownNotification: boolean;
  channels: Channel[];
  audience: AudienceMember[];
  audienceText: string;
  /** Deleted while it named them beside others, since someone last saved it. */
  goneRecipients: AudienceMember[];
  /** Null: as its message. */
  class: MessageClass | null;
  /** Whether each home gets one message; null: as its message says. */
  perHome: boolean | null;
  fieldValues: Record<string, ScheduleValue>;
  connectedChannels: Channel[];
  /** As text, and null if nothing is wrong. */
  problem: string | null;
  findings: Finding[] | null;
  problemCode: ErrorCode | null;
  clientKey: string | null;
  createdBy: number | null;
  createdByName: string;
  updatedAt: Date;
};

/** Of `scheduleSource`. */
export const scheduleColumns = sql`s.id, coalesce(s.name, n.title) AS name, s.recurrence,
  s.day_of_week AS "dayOfWeek", s.day_of_month AS "dayOfMonth", s.date, s.time, s.end_time AS "endTime", s.zone,
  s.active, s.next_run_at AS "nextRunAt", s.next_occurrence AS "nextOccurrence", s.template_id AS "templateId",
  s.notification_id AS "notificationId", s.own_notification AS "ownNotification",
  coalesce(s.channels, n.channels) AS channels, coalesce(s.audience, n.audience) AS audience,
  coalesce(s.audience_text, n.audience_text) AS "audienceText", s.gone_recipients AS "goneRecipients", s.class, s.per_home AS "perHome",
  s.field_values AS "fieldValues",
  s.connected_channels AS "connectedChannels", s.problem, s.findings, s.problem_code AS "problemCode", s.client_key AS "clientKey",
  s.created_by AS "createdBy", s.created_by_name AS "createdByName", s.updated_at AS "updatedAt"`;

export const scheduleSource = sql`schedules s LEFT JOIN notifications n ON n.id = s.notification_id`;

/**
 * A schedule that is not deleted, locked until the transaction ends. `which` is a condition on `s`, with an order if
 * needed.
 */
export async function lockSchedule(
  tx: Db,
  which: RawBuilder<unknown>,
  wait: "" | "SKIP LOCKED" = "",
): Promise<StoredSchedule | undefined> {
  const { rows } = await sql<StoredSchedule>`
    SELECT ${scheduleColumns} FROM ${scheduleSource} WHERE s.deleted_at IS NULL AND ${which}
    LIMIT 1 FOR NO KEY UPDATE OF s ${sql.raw(wait)}`.execute(tx);
  return rows[0];
}

export function ruleOf(
  schedule: Pick<
    StoredSchedule,
    "recurrence" | "dayOfWeek" | "dayOfMonth" | "date" | "time" | "endTime" | "zone"
  >,
  organizationZone: string,
): Rule {
  const { recurrence, dayOfWeek, dayOfMonth, date, time, endTime, zone } = schedule;
  return { recurrence, dayOfWeek, dayOfMonth, date, time, endTime, zone: zone ?? organizationZone };
}
