import type { FastifyInstance } from "fastify";
import ical, { ICalEventTransparency } from "ical-generator";
import { channelMeaning } from "#contract/delivery.ts";
import { schedulePath } from "#contract/calls/schedule-replies.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import type { Db } from "#server/db/database.ts";
import { opensCalendar } from "#server/features/schedules/calendar-link.ts";
import { plannedBetween } from "#server/features/schedules/runs.ts";
import { readSettings } from "#server/features/settings/queries.ts";

const DAY_MS = 24 * 60 * 60_000;
/** A year, a few weeks at a time, so that for hundreds of schedules only what the file holds is worked out. */
const SPANS = 5;
const SPAN_MS = 73 * DAY_MS;
/** The next ones, up to a megabyte: larger files block this process, and some calendar apps refuse them. */
const MOST_EVENTS = 5000;
const HOUR_SECONDS = 3600;

type Feed = { db: Db; publicUrl: URL; now: () => Date };

/**
 * The schedules for calendar apps, which cannot sign in: anyone who has the secret link reads what is planned for the
 * coming year. It contains titles, channels and times, and nothing about people.
 */
export function calendarFeed(app: FastifyInstance, { db, publicUrl, now }: Feed): void {
  app.get<{ Params: { file: string } }>("/calendar/:file", async (request, reply) => {
    void reply.header("Cache-Control", "no-store");
    if (!(await opensCalendar(db, request.params.file))) {
      throw refusal("calendar-link-invalid");
    }
    return reply
      .type("text/calendar; charset=utf-8")
      .header("Content-Disposition", 'inline; filename="schedules.ics"')
      .send(await writeCalendar({ db, publicUrl, now }));
  });
}

/** One event per occurrence, at its instant: calendar apps disagree about short months and skipped hours. */
async function writeCalendar({ db, publicUrl, now }: Feed): Promise<string> {
  const { siteName, timezone: zone } = await readSettings(db);
  const from = now();
  const runs: Awaited<ReturnType<typeof plannedBetween>> = [];
  for (let n = 0; n < SPANS && runs.length < MOST_EVENTS; n += 1) {
    const [start, end] = [from.getTime() + n * SPAN_MS, from.getTime() + (n + 1) * SPAN_MS - 1];
    runs.push(...(await plannedBetween(db, zone, { from: new Date(start), to: new Date(end) })));
  }
  const calendar = ical({
    name: `${siteName} schedules`,
    prodId: { company: "Porchlight", product: "Schedules", language: "EN" },
    ttl: HOUR_SECONDS,
  });
  for (const { scheduleId, occurrence, startsAt, name, channels } of runs.slice(0, MOST_EVENTS)) {
    calendar.createEvent({
      id: `${scheduleId}-${occurrence}@${publicUrl.hostname}`,
      start: startsAt,
      stamp: from,
      summary: name,
      description: channels.map((channel) => channelMeaning[channel].label).join(", "),
      url: new URL(schedulePath(scheduleId), publicUrl).href,
      // Shown as free time.
      transparency: ICalEventTransparency.TRANSPARENT,
    });
  }
  const text = `${calendar.toString().trimEnd()}\r\n`;
  return runs.length > 0 ? text : text.replace("END:VCALENDAR", `${UTC.join("\r\n")}\r\nEND:VCALENDAR`);
}

/** A calendar has at least one component (RFC 5545, 3.6), so one without events has a time zone. */
const UTC = [
  "BEGIN:VTIMEZONE",
  "TZID:Etc/UTC",
  "BEGIN:STANDARD",
  "DTSTART:19700101T000000",
  "TZOFFSETFROM:+0000",
  "TZOFFSETTO:+0000",
  "END:STANDARD",
  "END:VTIMEZONE",
];
