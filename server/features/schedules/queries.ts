import { conditionText } from "#contract/text/detail-conditions.ts";
import { readDetails } from "#server/audience/details.ts";
import { sql } from "kysely";
import { type Channel, channelMeaning, type MessageClass } from "#contract/delivery.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { storedSentences } from "#contract/findings.ts";
import type { AudienceMember } from "#contract/calls/notifications.ts";
import { dayIn, zoned } from "#contract/recurrence.ts";
import { ruleText } from "#contract/text/rule-text.ts";
import { type Schedule, SCHEDULED_NOTIFICATION_OFFSET } from "#contract/calls/schedule-replies.ts";
import type { Db } from "#server/db/database.ts";
import { containing, sortKeyOf } from "#server/db/like.ts";
import {
  audienceOf,
  nextRunAt,
  ruleOf,
  scheduleColumns,
  scheduleSource,
  type StoredSchedule,
} from "#server/delivery/schedules/schedule.ts";
import { latestRuns, type Listing } from "#server/features/schedules/runs.ts";
import type { Page } from "#server/http/route.ts";
import type { Audience } from "#server/audience/audience.ts";
import { countAudiences } from "#server/audience/count-audiences.ts";

type ListQuery = Listing & { tab: "active" | "all"; q?: string | undefined };

export type Clock = { zone: string; now: Date };

type Kind = Schedule["kind"];

/** One page of schedules and scheduled notifications: the next to run first, those that will not run last. */
export async function listSchedules(
  db: Db,
  { tab, q, page, pageSize }: ListQuery,
  clock: Clock,
): Promise<Page<Schedule>> {
  const where = sql`WHERE ${tab === "all" ? sql`true` : sql`runs`}
    AND ${q ? sql`fold(name || ' ' || recipients) LIKE ${containing(q)}` : sql`true`}`;
  const listed = sql`(
    SELECT 'schedule' AS kind, s.id, coalesce(s.name, n.title) AS name,
      coalesce(s.audience_text, n.audience_text) AS recipients, ${nextRunAt} AS next,
      s.active AND (s.next_run_at IS NOT NULL OR s.resident_date IS NOT NULL) AS runs
    FROM ${scheduleSource} WHERE s.deleted_at IS NULL
    UNION ALL
    SELECT 'notification', id, title, audience_text, scheduled_time, true
    FROM notifications WHERE kind = 'message' AND status = 'Scheduled'
  ) listed`;
  const [rows, count] = await Promise.all([
    sql<{ kind: Kind; id: number }>`SELECT kind, id FROM ${listed} ${where}
      ORDER BY runs DESC, next NULLS LAST, ${sortKeyOf(sql`name`)}, kind, id
      LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`.execute(db),
    sql<{ total: number }>`SELECT count(*) AS total FROM ${listed} ${where}`.execute(db),
  ]);
  const idsOf = (wanted: Kind) => rows.rows.filter(({ kind }) => kind === wanted).map(({ id }) => id);
  const [schedules, notifications] = await Promise.all([
    readSchedules(db, idsOf("schedule"), clock),
    readNotifications(db, idsOf("notification"), clock.zone),
  ]);
  return {
    rows: rows.rows.flatMap(
      ({ kind, id }) => (kind === "schedule" ? schedules : notifications).get(id) ?? [],
    ),
    total: count.rows[0]?.total ?? 0,
  };
}

/** A schedule, or a scheduled notification by its raised id. Throws not-found. */
export async function readSchedule(db: Db, id: number, clock: Clock): Promise<Schedule> {
  const found =
    (await readSchedules(db, [id], clock)).get(id) ??
    (await readNotifications(db, [id - SCHEDULED_NOTIFICATION_OFFSET], clock.zone)).get(
      id - SCHEDULED_NOTIFICATION_OFFSET,
    );
  if (!found) throw noSuchSchedule();
  return found;
}

/** As it is stored. Throws not-found. */
export async function storedSchedule(db: Db, id: number): Promise<StoredSchedule> {
  const { rows } = await sql<StoredSchedule>`
    SELECT ${scheduleColumns} FROM ${scheduleSource} WHERE s.id = ${id} AND s.deleted_at IS NULL`.execute(db);
  if (!rows[0]) throw noSuchSchedule();
  return rows[0];
}

export const noSuchSchedule = () => refusal("no-such-schedule");

type Row = StoredSchedule & {
  message: string | null;
  messageClass: MessageClass | null;
  messagePerHome: boolean | null;
  skips: string[];
};

async function readSchedules(
  db: Db,
  ids: readonly number[],
  { zone, now }: Clock,
): Promise<Map<number, Schedule>> {
  if (ids.length === 0) return new Map();
  const [{ rows }, latest, details] = await Promise.all([
    sql<Row>`
      SELECT ${scheduleColumns},
        CASE WHEN s.template_id IS NULL THEN n.title
          ELSE (SELECT t.name FROM templates t WHERE t.id = s.template_id) END AS message,
        CASE WHEN s.template_id IS NULL THEN n.class
          ELSE (SELECT t.class FROM templates t WHERE t.id = s.template_id) END AS "messageClass",
        CASE WHEN s.template_id IS NULL THEN n.per_home END AS "messagePerHome",
        ARRAY(SELECT o.occurrence FROM schedule_occurrences o
          WHERE o.schedule_id = s.id AND o.state = 'skipped' AND o.planned_for > ${now}
          ORDER BY o.occurrence) AS skips
      FROM ${scheduleSource} WHERE s.id = ANY(${ids}::bigint[]) AND s.deleted_at IS NULL`.execute(db),
    latestRuns(db, ids, zone),
    readDetails(db),
  ]);
  const labels = new Map(details.map(({ id, label }) => [id, label]));
  return new Map(
    rows.map((row) => {
      const runs = latest.get(row.id);
      const shown: Schedule = {
        id: row.id,
        kind: "schedule",
        name: row.name,
        recurrence: row.recurrence,
        dayOfWeek: row.dayOfWeek,
        dayOfMonth: row.dayOfMonth,
        date: row.date,
        residentDate: row.residentDate,
        dayOffset: row.dayOffset,
        time: row.time,
        endTime: row.endTime,
        zone: row.zone,
        rule: ruleText(ruleOf(row, zone)),
        type: typeOf(row.channels),
        channels: row.channels,
        recipients: row.audienceText,
        audience: row.audience,
        active: row.active,
        state: stateOf(row),
        templateId: row.templateId,
        notificationId: row.notificationId,
        ownNotification: row.ownNotification,
        message: row.message,
        class: row.class,
        perHome: row.perHome,
        skipIf: row.skipIf,
        leavesOut: row.skipIf && conditionText(row.skipIf, labels.get(row.skipIf.detail)),
        oncePerHome: row.perHome ?? row.messagePerHome ?? false,
        highPriority: (row.class ?? row.messageClass) === "emergency",
        fieldValues: row.fieldValues,
        nextRunAt: row.nextRunAt?.toISOString() ?? null,
        nextOccurrence: row.nextOccurrence,
        skips: row.skips,
        lastRun: runs?.last ?? null,
        missed: runs?.missed ?? [],
        problem: storedSentences(row.findings, row.problem),
        clientKey: row.clientKey,
        createdBy: row.createdByName,
        updatedAt: row.updatedAt.toISOString(),
      };
      return [row.id, shown];
    }),
  );
}

const typeOf = (channels: readonly Channel[]) =>
  channels.map((channel) => channelMeaning[channel].label).join(", ");

function stateOf({ active, nextRunAt: next, residentDate }: StoredSchedule): Schedule["state"] {
  if (!active) return "paused";
  return next || residentDate ? "active" : "finished";
}

type NotificationRow = {
  id: number;
  title: string;
  channels: Channel[];
  recipients: string;
  audience: AudienceMember[];
  templateId: number | null;
  class: MessageClass;
  perHome: boolean;
  fieldValues: Record<string, string>;
  at: Date;
  clientKey: string | null;
  createdBy: string;
  updatedAt: Date;
};

/** Scheduled notifications as one-time schedules in the organization's time. */
async function readNotifications(
  db: Db,
  ids: readonly number[],
  zone: string,
): Promise<Map<number, Schedule>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<NotificationRow>`
    SELECT id, title, channels, audience_text AS recipients, audience, template_id AS "templateId",
      class, per_home AS "perHome", field_values AS "fieldValues", scheduled_time AS at, client_key AS "clientKey",
      created_by_name AS "createdBy", updated_at AS "updatedAt"
    FROM notifications WHERE id = ANY(${ids}::bigint[]) AND kind = 'message' AND status = 'Scheduled'`.execute(
    db,
  );
  return new Map(
    rows.map(({ at, title, updatedAt, ...row }) => {
      const date = dayIn(zone, at);
      const time = zoned(zone, at).toPlainTime().toString({ smallestUnit: "minute" });
      const shown: Schedule = {
        ...row,
        id: SCHEDULED_NOTIFICATION_OFFSET + row.id,
        kind: "notification",
        name: title,
        recurrence: "once",
        dayOfWeek: null,
        dayOfMonth: null,
        date,
        residentDate: null,
        dayOffset: null,
        time,
        endTime: null,
        zone: null,
        rule: ruleText({ recurrence: "once", date, time, zone }),
        type: typeOf(row.channels),
        active: true,
        state: "active",
        notificationId: row.id,
        ownNotification: true,
        message: title,
        skipIf: null,
        leavesOut: null,
        oncePerHome: row.perHome,
        highPriority: row.class === "emergency",
        nextRunAt: at.toISOString(),
        nextOccurrence: date,
        skips: [],
        lastRun: null,
        missed: [],
        problem: null,
        updatedAt: updatedAt.toISOString(),
      };
      return [row.id, shown];
    }),
  );
}

/** How many people are in the audience of each of these schedules now, without those by residents' dates: it isn't theirs. */
export async function schedulePeople(
  db: Db,
  ids: readonly number[],
): Promise<{ id: number; people: number }[]> {
  const { rows } = await sql<{ audience: Audience; ids: number[] }>`
    SELECT audience, array_agg(id) AS ids FROM (
      SELECT s.id, coalesce(${audienceOf}, n.audience) AS audience FROM ${scheduleSource}
      WHERE s.deleted_at IS NULL AND s.resident_date IS NULL
      UNION ALL
      SELECT ${SCHEDULED_NOTIFICATION_OFFSET}::bigint + id, audience FROM notifications
      WHERE kind = 'message' AND status = 'Scheduled'
        AND id = ANY(${ids.map((id) => id - SCHEDULED_NOTIFICATION_OFFSET)}::bigint[])
    ) listed WHERE id = ANY(${ids}::bigint[]) GROUP BY audience`.execute(db);
  return countAudiences(db, rows);
}
