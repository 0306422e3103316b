import type { DetailCondition } from "#contract/calls/detail-conditions.ts";
import { type RawBuilder, sql } from "kysely";
import type { Channel, MessageClass } from "#contract/delivery.ts";
import type { ErrorCode } from "#contract/errors.ts";
import type { Finding } from "#contract/findings.ts";
import type { OccurrenceState } from "#contract/calls/schedule-replies.ts";
import type { AudienceMember } from "#contract/calls/notifications.ts";
import type { RecurrenceKind, ResidentDate, Rule } from "#contract/recurrence.ts";
import type { ScheduleValue } from "#contract/text/relative-date.ts";
import type { DateQuestion } from "#server/audience/resident-dates.ts";
import type { Db } from "#server/db/database.ts";

/** A schedule as stored. What a recurring notification's schedule leaves open is read from the notification. */
export type StoredSchedule = {
  id: number;
  name: string;
  recurrence: RecurrenceKind;
  dayOfWeek: number | null;
  dayOfMonth: number | null;
  date: string | null;
  residentDate: ResidentDate | null;
  dayOffset: number | null;
  time: string;
  endTime: string | null;
  /** Null: the organization's. */
  zone: string | null;
  active: boolean;
  /** By residents' dates: the next run for someone who is on file by now. */
  nextRunAt: Date | null;
  /** The day in the rule that `nextRunAt` stands for. */
  nextOccurrence: string | null;
  /** By residents' dates: since when, and the first day that is still to be looked at, and when. */
  datesSince: string | null;
  datesDay: string | null;
  datesAt: Date | null;
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
  /** Whom its runs leave out. */
  skipIf: DetailCondition | null;
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

/** When it runs next, and the day in the rule. Of `schedules s`. */
export const nextRunAt = sql<Date | null>`coalesce(s.next_date_at, s.next_run_at)`;
const nextOccurrence = sql<string | null>`coalesce(s.next_date_day, s.next_occurrence)`;
/** Whether it may have a run to come. */
export const mayRun = sql<boolean>`(s.next_occurrence IS NOT NULL OR s.resident_date IS NOT NULL)`;
/** Its recipients. Of `schedules s`, but for a recurring notification's own. */
export const audienceOf = sql`coalesce(s.date_audience, s.audience)`;

/** Of `scheduleSource`. */
export const scheduleColumns = sql`s.id, coalesce(s.name, n.title) AS name,
  CASE WHEN s.resident_date IS NULL THEN s.recurrence ELSE 'resident-date' END AS recurrence,
  s.day_of_week AS "dayOfWeek", s.day_of_month AS "dayOfMonth", s.date, s.resident_date AS "residentDate",
  s.day_offset AS "dayOffset", s.time, s.end_time AS "endTime", s.zone,
  s.active, ${nextRunAt} AS "nextRunAt", ${nextOccurrence} AS "nextOccurrence", s.dates_since AS "datesSince",
  s.dates_day AS "datesDay", s.dates_at AS "datesAt", s.template_id AS "templateId",
  s.notification_id AS "notificationId", s.own_notification AS "ownNotification",
  coalesce(s.channels, n.channels) AS channels, coalesce(${audienceOf}, n.audience) AS audience,
  coalesce(s.audience_text, n.audience_text) AS "audienceText", s.gone_recipients AS "goneRecipients", s.class, s.per_home AS "perHome",
  s.skip_if AS "skipIf",  s.field_values AS "fieldValues",
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

/** When it runs, as it is stored. */
export type ScheduleRule = Pick<
  StoredSchedule,
  | "recurrence"
  | "dayOfWeek"
  | "dayOfMonth"
  | "date"
  | "residentDate"
  | "dayOffset"
  | "time"
  | "endTime"
  | "zone"
>;

export function ruleOf(schedule: ScheduleRule, organizationZone: string): Rule {
  const { recurrence, dayOfWeek, dayOfMonth, date, residentDate, dayOffset, time, endTime, zone } = schedule;
  const byDate = recurrence === "resident-date" ? { residentDate, dayOffset } : {};
  return {
    recurrence,
    dayOfWeek,
    dayOfMonth,
    date,
    ...byDate,
    time,
    endTime,
    zone: zone ?? organizationZone,
  };
}

/** Whose date it is; null of a schedule that goes by the calendar. */
export function dateQuestion({
  id,
  residentDate,
  dayOffset,
  audience,
}: Pick<StoredSchedule, "id" | "residentDate" | "dayOffset" | "audience">): DateQuestion | null {
  return residentDate && { residentDate, dayOffset: dayOffset ?? 0, audience, scheduleId: id };
}

/** How the columns of the rule are stored. An older build reads one by residents' dates as once, on no day. */
export function storedRule(written: {
  recurrence: RecurrenceKind;
  residentDate: ResidentDate | null;
  dayOffset: number | null;
  audience: readonly AudienceMember[];
}) {
  const { recurrence, residentDate, dayOffset } = written;
  const audience = JSON.stringify(written.audience);
  return recurrence === "resident-date"
    ? ({
        recurrence: "once",
        resident_date: residentDate,
        day_offset: dayOffset,
        audience: "[]",
        date_audience: audience,
      } as const)
    : ({ recurrence, resident_date: null, day_offset: null, audience, date_audience: null } as const);
}

/** What became of the days of this schedule from `firstDay` on whose outcome is settled. */
export async function settledStates(
  tx: Db,
  id: number,
  firstDay: string,
): Promise<Map<string, OccurrenceState>> {
  // Up to 9999: manual runs, "now …", come after every day.
  const { rows } = await sql<{ day: string; state: OccurrenceState }>`
    SELECT occurrence AS day, state FROM schedule_occurrences
    WHERE schedule_id = ${id} AND occurrence BETWEEN ${firstDay} AND '9999'`.execute(tx);
  return new Map(rows.map(({ day, state }) => [day, state]));
}

/** Only the days. */
export const settledDays = async (tx: Db, id: number, firstDay: string): Promise<Set<string>> =>
  new Set((await settledStates(tx, id, firstDay)).keys());
