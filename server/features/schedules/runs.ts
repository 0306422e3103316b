import { counted } from "#contract/text/count-text.ts";
import { compareNames } from "#contract/text/fold.ts";
import { type RawBuilder, sql } from "kysely";
import type { NotificationStatus } from "#contract/delivery.ts";
import { type Finding, storedSentences } from "#contract/findings.ts";
import { dayIn, occurrencesBetween, occurrencesFrom, spanOfDays, zoned } from "#contract/recurrence.ts";
import { channelsWithoutReceipts } from "#contract/run-progress.ts";
import {
  type CalendarRun,
  SCHEDULED_NOTIFICATION_OFFSET,
  type ScheduleRun,
  wrongFirst,
} from "#contract/calls/schedule-replies.ts";
import { progressOf } from "#server/activity/progress.ts";
import type { Db } from "#server/db/database.ts";
import {
  dateQuestion,
  ruleOf,
  scheduleColumns,
  scheduleSource,
  type StoredSchedule,
} from "#server/delivery/schedules/schedule.ts";
import { nextDays } from "#server/delivery/schedules/date-plan.ts";
import type { Page } from "#server/http/route.ts";

/** A run before its day, time and figures are worked out. */
type Run = Omit<
  ScheduleRun,
  "startsAt" | "day" | "time" | "people" | "reached" | "simulated" | "simulatedChannels" | "noReceipts"
> & { startsAt: Date; findings: Finding[] | null };

// What was sent has its own recipients and channels; the schedule's may have changed since. settledAt is to the microsecond,
// as what `dismissMissed` compares it with: a JavaScript date would be up to one millisecond before it.
const settledColumns = sql`o.schedule_id AS "scheduleId", 'schedule' AS kind, false AS unscheduled, coalesce(s.name, own.title) AS name,
  coalesce(sent.channels, s.channels, own.channels) AS channels, o.planned_for AS "startsAt", o.state,
  coalesce(sent.audience_text, s.audience_text, own.audience_text) AS recipients, o.occurrence,
  to_char(o.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "settledAt", o.reason, o.findings,
  o.dismissed_at IS NOT NULL AS dismissed, o.by_name AS by, o.notification_id AS "notificationId", sent.status`;
const settledSource = sql`schedule_occurrences o JOIN schedules s ON s.id = o.schedule_id
  LEFT JOIN notifications own ON own.id = s.notification_id
  LEFT JOIN notifications sent ON sent.id = o.notification_id`;

export const needsDecision = sql`o.state IN ('missed', 'failed') AND o.dismissed_at IS NULL AND s.deleted_at IS NULL`;

/** Runs whose outcome is settled. `rest` is a condition on `o` and `s`, with order and limit. */
function settled(db: Db, rest: RawBuilder<unknown>): Promise<Run[]> {
  return sql<Run>`SELECT ${settledColumns} FROM ${settledSource} WHERE ${rest}`
    .execute(db)
    .then(({ rows }) => rows);
}

async function present(db: Db, runs: readonly Run[], zone: string): Promise<ScheduleRun[]> {
  const sent = runs.flatMap(({ notificationId }) => notificationId ?? []);
  const progress = await progressOf(db, sent);
  return runs.map(({ findings, ...run }) => {
    const its = run.notificationId === null ? undefined : progress.get(run.notificationId);
    const at = zoned(zone, run.startsAt);
    return {
      ...run,
      reason: storedSentences(findings, run.reason),
      startsAt: run.startsAt.toISOString(),
      day: at.toPlainDate().toString(),
      time: at.toPlainTime().toString({ smallestUnit: "minute" }),
      people: its?.people ?? null,
      reached: its ? its.outcomes.delivered + its.outcomes.sent + its.outcomes.shared : null,
      simulated: its?.simulated ?? false,
      simulatedChannels: its?.simulatedChannels ?? [],
      noReceipts: its ? channelsWithoutReceipts(its) : { channels: [], all: false },
    };
  });
}

export type Listing = { page: number; pageSize: number };

/** The outcomes of a schedule's runs, newest first. */
export async function history(
  db: Db,
  id: number,
  zone: string,
  { page, pageSize }: Listing,
): Promise<Page<ScheduleRun>> {
  const [runs, count] = await Promise.all([
    settled(
      db,
      sql`o.schedule_id = ${id} ORDER BY o.planned_for DESC, o.occurrence DESC
        LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`,
    ),
    sql<{ total: number }>`
      SELECT count(*) AS total FROM schedule_occurrences WHERE schedule_id = ${id}`.execute(db),
  ]);
  return { rows: await present(db, runs, zone), total: count.rows[0]?.total ?? 0 };
}

/** Null when there is none. */
export async function readRun(
  db: Db,
  id: number,
  occurrence: string,
  zone: string,
): Promise<ScheduleRun | null> {
  const runs = await settled(db, sql`o.schedule_id = ${id} AND o.occurrence = ${occurrence}`);
  return (await present(db, runs, zone))[0] ?? null;
}

/** Runs that were missed or could not start and wait for someone's decision, latest first. */
export async function missedRuns(
  db: Db,
  zone: string,
  { page, pageSize }: Listing,
): Promise<Page<ScheduleRun>> {
  const [runs, count] = await Promise.all([
    settled(
      db,
      sql`${needsDecision} ORDER BY o.at DESC, o.planned_for DESC, o.schedule_id
        LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`,
    ),
    sql<{ total: number }>`
      SELECT count(*) AS total FROM schedule_occurrences o JOIN schedules s ON s.id = o.schedule_id
      WHERE ${needsDecision}`.execute(db),
  ]);
  return { rows: await present(db, runs, zone), total: count.rows[0]?.total ?? 0 };
}

const MISSED_SHOWN = 3;

/** For each of these schedules, the newest run that started and the newest ones that wait for someone's decision. */
export async function latestRuns(
  db: Db,
  ids: readonly number[],
  zone: string,
): Promise<Map<number, { last: ScheduleRun | null; missed: ScheduleRun[] }>> {
  const runs = await settled(
    db,
    sql`o.schedule_id = ANY(${ids}::bigint[]) AND (
        (o.state = 'started' AND NOT EXISTS (SELECT FROM schedule_occurrences later
          WHERE later.schedule_id = o.schedule_id AND later.state = 'started'
            AND (later.planned_for, later.occurrence) > (o.planned_for, o.occurrence)))
        OR (${needsDecision} AND (SELECT count(*) FROM schedule_occurrences later
          WHERE later.schedule_id = o.schedule_id AND later.state IN ('missed', 'failed')
            AND later.dismissed_at IS NULL AND later.planned_for > o.planned_for) < ${MISSED_SHOWN}))
      ORDER BY o.planned_for DESC`,
  );
  const shown = Map.groupBy(await present(db, runs, zone), ({ scheduleId }) => scheduleId);
  return new Map(
    ids.map((id) => {
      const own = shown.get(id) ?? [];
      const last = own.find(({ state }) => state === "started") ?? null;
      return [id, { last, missed: own.filter(({ state }) => state !== "started") }];
    }),
  );
}

type Days = {
  zone: string;
  from: string;
  to: string;
  perDay?: number | undefined;
  perHour?: number | undefined;
};

/**
 * Runs of these days, planned and past, and what was sent without a schedule, in order of time: `perDay` of each day or
 * `perHour` of each hour, what went wrong first. The total counts all.
 */
export async function runsOfDays(
  db: Db,
  { zone, from, to, perDay, perHour }: Days,
): Promise<Page<CalendarRun>> {
  const span = spanOfDays(zone, from, to);
  const unit = perHour === undefined ? "day" : "hour";
  const most = perHour ?? perDay;
  const [past, planned, notifications, sent] = await Promise.all([
    settled(
      db,
      sql`o.planned_for BETWEEN ${span.from} AND ${span.to} AND (s.deleted_at IS NULL OR o.state = 'started')`,
    ),
    activeSchedules(db).then((active) => plannedRuns(db, active, zone, span)),
    notificationRuns(db, span),
    sentWithoutSchedule(db, span, { zone, unit, most: most ?? MOST_PER_DAY }),
  ]);
  const runs = [...past, ...planned, ...notifications];
  const hourOf = ({ startsAt }: Run) =>
    zoned(zone, startsAt).toPlainDateTime().toString().slice(0, HOUR_LENGTH);
  const dayOf = (hour: string) => hour.slice(0, DAY_LENGTH);
  const counts = new Map<string, number>();
  const count = (hour: string, by: number) => {
    for (const key of [hour, dayOf(hour)]) counts.set(key, (counts.get(key) ?? 0) + by);
  };
  for (const run of runs) count(hourOf(run), 1);
  for (const { hour, total } of sent.hours) count(hour, total);
  const groups = Map.groupBy(inOrder([...runs, ...sent.runs]), (run) =>
    unit === "hour" ? hourOf(run) : dayOf(hourOf(run)),
  );
  const some = [...groups.values()].flatMap((group) => inOrder(wrongFirst(group, most)));
  const rows = await present(db, some, zone);
  return {
    rows: rows.map((run) => ({
      ...run,
      runsThatDay: counts.get(run.day) ?? 0,
      runsThatHour: counts.get(`${run.day}T${run.time.slice(0, 2)}`) ?? 0,
    })),
    total: runs.length + sent.hours.reduce((sum, { total }) => sum + total, 0),
  };
}

/** Of "2026-11-24T09". */
const HOUR_LENGTH = 13;
const DAY_LENGTH = 10;

/** No span of a calendar has more days. */
const MOST_DATED = 400;

/** A busy system sends hundreds of messages a day. */
const MOST_PER_DAY = 500;

type Hour = { hour: string; total: number };

/** What someone sent right away: `most` of each day or hour, what failed first, and how many each hour has. */
async function sentWithoutSchedule(
  db: Db,
  { from, to }: Span,
  { zone, unit, most }: { zone: string; unit: "day" | "hour"; most: number },
): Promise<{ runs: Run[]; hours: Hour[] }> {
  const local = sql`n.sent_time AT TIME ZONE ${zone}`;
  const { rows } = await sql<{ hours: Hour[] | null; runs: (PlannedNotification & { at: string })[] | null }>`
    WITH sent AS MATERIALIZED (
      SELECT n.id, n.status, n.sent_time, to_char(${local}, 'YYYY-MM-DD"T"HH24') AS hour,
        row_number() OVER (PARTITION BY date_trunc(${unit}, ${local})
          ORDER BY n.status = 'Failed' DESC, n.sent_time, n.id) AS place
      FROM notifications n
      WHERE n.kind = 'message' AND n.list_time BETWEEN ${from} AND ${to} AND n.sent_time IS NOT NULL
        AND n.scheduled_time IS NULL
        AND NOT EXISTS (SELECT FROM schedule_occurrences o WHERE o.notification_id = n.id)
    )
    SELECT
      (SELECT jsonb_agg(h) FROM (SELECT hour, count(*)::int AS total FROM sent GROUP BY hour) h) AS hours,
      (SELECT jsonb_agg(r) FROM (
        SELECT n.id, n.title AS name, n.channels, n.audience_text AS recipients, n.sent_time AS at, n.status,
          n.status_reason AS reason, n.findings, true AS ran
        FROM sent JOIN notifications n ON n.id = sent.id WHERE place <= ${most}) r) AS runs`.execute(db);
  const { hours, runs } = rows[0]!;
  return {
    hours: hours ?? [],
    runs: (runs ?? []).map((run) => ({
      ...ofNotification({ ...run, at: new Date(run.at) }),
      unscheduled: true,
    })),
  };
}

/** Active schedules that have a run today, whatever its outcome, and scheduled notifications. */
export async function runsOfToday(db: Db, zone: string, now: Date): Promise<ScheduleRun[]> {
  const today = dayIn(zone, now);
  const span = spanOfDays(zone, today, today);
  const active = await activeSchedules(db);
  const [past, planned, notifications] = await Promise.all([
    settled(db, sql`o.planned_for BETWEEN ${span.from} AND ${span.to} AND s.active AND s.deleted_at IS NULL`),
    plannedRuns(db, active, zone, span),
    notificationRuns(db, span),
  ]);
  const known = new Set([...past, ...planned].map(keyOf));
  const passed = active.flatMap((schedule) =>
    occurrencesBetween(ruleOf(schedule, zone), new Date(span.from.getTime() - 1), span.to).map(
      ({ date, start }) => toRun(schedule, date, start, "passed"),
    ),
  );
  const runs = [...past, ...planned, ...passed.filter((run) => !known.has(keyOf(run))), ...notifications];
  return present(db, inOrder(runs), zone);
}

/** What is still to run between two moments, in order of time. */
export async function plannedBetween(db: Db, zone: string, span: Span): Promise<Run[]> {
  const [schedules, notifications] = await Promise.all([
    activeSchedules(db).then((active) => plannedRuns(db, active, zone, span)),
    notificationRuns(db, span),
  ]);
  return [...schedules, ...notifications.filter(({ state }) => state === "planned")].sort(
    (a, b) => a.startsAt.getTime() - b.startsAt.getTime() || a.scheduleId - b.scheduleId,
  );
}

const keyOf = ({ scheduleId, occurrence }: Run) => `${scheduleId} ${occurrence}`;

function inOrder(runs: Run[]): Run[] {
  return runs.sort(
    (a, b) =>
      a.startsAt.getTime() - b.startsAt.getTime() ||
      compareNames(a.name, b.name) ||
      a.scheduleId - b.scheduleId,
  );
}

type Span = { from: Date; to: Date };

async function activeSchedules(db: Db): Promise<StoredSchedule[]> {
  const { rows } = await sql<StoredSchedule>`
    SELECT ${scheduleColumns} FROM ${scheduleSource} WHERE s.active AND s.deleted_at IS NULL`.execute(db);
  return rows;
}

/** What the rules say from each schedule's next run on, without skipped days. */
async function plannedRuns(
  db: Db,
  active: readonly StoredSchedule[],
  zone: string,
  { from, to }: Span,
): Promise<Run[]> {
  const schedules = active.filter(({ nextRunAt }) => nextRunAt !== null && nextRunAt <= to);
  // Up to 9999: manual runs, "now …", come after every day.
  const { rows } = await sql<{ id: number; day: string }>`
    SELECT o.schedule_id AS id, o.occurrence AS day FROM schedule_occurrences o
    JOIN schedules s ON s.id = o.schedule_id WHERE s.active AND s.deleted_at IS NULL
      AND o.occurrence BETWEEN s.next_occurrence AND '9999'`.execute(db);
  const settledDays = Map.groupBy(rows, ({ id }) => id);
  const byDate = await Promise.all(
    schedules
      .filter(({ residentDate }) => residentDate)
      .map((schedule) => datedRuns(db, schedule, zone, { from, to })),
  );
  const byRule = schedules.flatMap((schedule) => {
    const left = new Set(settledDays.get(schedule.id)?.map(({ day }) => day));
    const runs: Run[] = [];
    const rule = ruleOf(schedule, zone);
    // An occurrence may start a day after the day it is named for.
    const early = Temporal.PlainDate.from(dayIn(rule.zone, from)).subtract({ days: 2 }).toString();
    const next = schedule.nextOccurrence ?? early;
    for (const { date, start } of occurrencesFrom(rule, next > early ? next : early)) {
      if (start > to) break;
      if (start >= from && !left.has(date)) runs.push(toRun(schedule, date, start, "planned"));
    }
    return runs;
  });
  return [...byRule, ...byDate.flat()];
}

/** The days of a schedule by residents' dates for those who are on file by now. */
async function datedRuns(db: Db, schedule: StoredSchedule, zone: string, { from, to }: Span): Promise<Run[]> {
  const rule = ruleOf(schedule, zone);
  const [first, last] = [dayIn(rule.zone, from), dayIn(rule.zone, to)];
  const day = schedule.datesDay ?? first;
  const question = dateQuestion(schedule);
  const span = { from: day > first ? day : first, to: last, most: MOST_DATED };
  const days = question ? await nextDays(db, question, rule, span) : [];
  return days
    .filter(({ start }) => start >= from && start <= to)
    .map(({ date, start, people }) => ({
      ...toRun(schedule, date, start, "planned"),
      recipients: `${counted(people, "person")} of ${schedule.audienceText}`,
    }));
}

const notSettled = { settledAt: null, dismissed: false, by: null };

function toRun(schedule: StoredSchedule, date: string, start: Date, state: Run["state"]): Run {
  return {
    scheduleId: schedule.id,
    kind: "schedule",
    name: schedule.name,
    channels: schedule.channels,
    recipients: schedule.audienceText,
    occurrence: date,
    startsAt: start,
    state,
    reason: null,
    findings: null,
    notificationId: null,
    status: null,
    unscheduled: false,
    ...notSettled,
  };
}

type PlannedNotification = {
  id: number;
  name: string;
  channels: Run["channels"];
  recipients: string;
  at: Date;
  status: NotificationStatus;
  reason: string | null;
  findings: Finding[] | null;
  ran: boolean;
};

/** Notifications that were scheduled on their own; those of a schedule's runs belong to the schedule. */
async function notificationRuns(db: Db, { from, to }: Span): Promise<Run[]> {
  const { rows } = await sql<PlannedNotification>`
    SELECT n.id, n.title AS name, n.channels, n.audience_text AS recipients, n.scheduled_time AS at, n.status,
      n.status_reason AS reason, n.findings, r.id IS NOT NULL AS ran
    FROM notifications n LEFT JOIN runs r ON r.notification_id = n.id
    WHERE n.kind = 'message' AND n.scheduled_time BETWEEN ${from} AND ${to}
      AND n.status NOT IN ('Draft', 'Recurring') AND (n.status <> 'Cancelled' OR r.id IS NOT NULL)
      AND NOT EXISTS (SELECT FROM schedule_occurrences o WHERE o.notification_id = n.id)`.execute(db);
  return rows.map(ofNotification);
}

function ofNotification(row: PlannedNotification): Run {
  const { id, name, channels, recipients, at, status, reason, findings, ran } = row;
  return {
    scheduleId: SCHEDULED_NOTIFICATION_OFFSET + id,
    kind: "notification",
    name,
    channels,
    recipients,
    occurrence: at.toISOString(),
    startsAt: at,
    state: ran ? "started" : status === "Scheduled" ? "planned" : "failed",
    reason,
    findings,
    notificationId: id,
    status,
    unscheduled: false,
    ...notSettled,
  };
}
