import { sql } from "kysely";
import { channelMeaning, type Channel } from "#contract/delivery.ts";
import { type ResidentDate, zoned } from "#contract/recurrence.ts";
import { SCHEDULED_NOTIFICATION_OFFSET, type Upcoming } from "#contract/calls/schedule-replies.ts";
import type { Db } from "#server/db/database.ts";
import { nextRunAt, scheduleSource } from "#server/delivery/schedules/schedule.ts";
import { residentDateText } from "#contract/text/rule-text.ts";
import { formatTime } from "#contract/text/time-text.ts";
import type { Page } from "#server/http/route.ts";

type Row = Pick<Upcoming, "id" | "kind" | "notificationId"> & {
  title: string;
  channels: Channel[];
  recipients: string;
  residentDate: ResidentDate | null;
  dayOffset: number | null;
  time: Date;
};

type UpcomingQuestion = { page: number; pageSize: number; zone: string; now: Date };

/** One page of what is planned, with each schedule's next run, soonest first. */
export async function listUpcoming(
  db: Db,
  { page, pageSize, zone, now }: UpcomingQuestion,
): Promise<Page<Upcoming>> {
  const planned = sql`(
    SELECT ${SCHEDULED_NOTIFICATION_OFFSET}::bigint + id AS id, 'notification' AS kind, id AS "notificationId", title, channels, audience_text AS recipients,
      NULL AS "residentDate", NULL::smallint AS "dayOffset", scheduled_time AS time
    FROM notifications WHERE kind = 'message' AND status = 'Scheduled' AND scheduled_time IS NOT NULL
    UNION ALL
    SELECT s.id, 'schedule', NULL, coalesce(s.name, n.title), coalesce(s.channels, n.channels),
      coalesce(s.audience_text, n.audience_text), s.resident_date, s.day_offset, ${nextRunAt}
    FROM ${scheduleSource} WHERE s.active AND s.deleted_at IS NULL AND ${nextRunAt} IS NOT NULL
  ) planned`;
  const [rows, count] = await Promise.all([
    sql<Row>`SELECT * FROM ${planned} ORDER BY time, id LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`.execute(
      db,
    ),
    sql<{ total: number }>`SELECT count(*) AS total FROM ${planned}`.execute(db),
  ]);
  return {
    rows: rows.rows.map(({ title, channels, recipients, residentDate, dayOffset, time, ...row }) => ({
      ...row,
      timeframe: timeframe(time, now, zone),
      title,
      details: [
        channels.map((channel) => channelMeaning[channel].label).join(", "),
        ...(residentDate ? [residentDateText({ residentDate, dayOffset })] : []),
        recipients,
        formatTime(time, zone, now),
      ].join(" · "),
    })),
    total: count.rows[0]?.total ?? 0,
  };
}

/** Calendar days in `zone`, not spans of 24 hours. A late run that has not begun counts as today's. */
function timeframe(time: Date, now: Date, zone: string): string {
  const day = (date: Date) => zoned(zone, date).toPlainDate();
  const { days } = day(now).until(day(time), { largestUnit: "day" });
  if (days <= 0) return "Today";
  return days === 1 ? "Tomorrow" : `In ${days} days`;
}
