/**
 * When a schedule runs: one calculation for the browser's preview, the calendar, the feed and the scheduler.
 *
 * A rule is a local time on days of a zone's calendar. A time that daylight saving skips moves forward by the gap. One
 * that occurs twice runs once, the first time. Day 29, 30 or 31 of a shorter month is its last day. On which days a rule
 * by residents' dates runs depends on who lives where, which only the server knows.
 */

export const recurrenceKinds = ["daily", "weekly", "monthly", "once", "resident-date"] as const;
export type RecurrenceKind = (typeof recurrenceKinds)[number];

/** The dates of a resident that a schedule can go by. */
export const residentDates = ["move-in", "move-out", "lease-end"] as const;
export type ResidentDate = (typeof residentDates)[number];
export const DAY_OFFSET_MAX = 365;

export type Rule = {
  recurrence: RecurrenceKind;
  /** 0 (Sunday) to 6, for weekly. */
  dayOfWeek?: number | null;
  /** 1 to 31, for monthly. */
  dayOfMonth?: number | null;
  /** yyyy-MM-dd, for once. */
  date?: string | null;
  /** For resident-date: whose date it is, this many days after it; before it if negative. */
  residentDate?: ResidentDate | null;
  dayOffset?: number | null;
  /** HH:mm, when a run starts. */
  time: string;
  /** HH:mm, later than `time`: the latest a run may start. Without one, until the day ends. */
  endTime?: string | null;
  /** IANA time zone. */
  zone: string;
};

export type Occurrence = {
  /** The rule's day, yyyy-MM-dd, which identifies the occurrence: there is at most one per day. */
  date: string;
  start: Date;
  /** The last moment at which a run may start. After it, the run is missed. */
  end: Date;
};

const MINUTE_MS = 60_000;

/** All occurrences from `firstDay` (yyyy-MM-dd) on, in order. Endless for a recurring rule. */
export function* occurrencesFrom(rule: Rule, firstDay: string): Generator<Occurrence> {
  let held: Occurrence | undefined;
  for (const day of daysOf(rule, Temporal.PlainDate.from(firstDay))) {
    const occurrence = occurrenceOn(rule, day);
    // If a zone skips a day (Apia, 2011), its occurrence falls on the same instant as the next day's. They count as one.
    if (held && held.start.getTime() < occurrence.start.getTime()) yield held;
    held = occurrence;
  }
  if (held) yield held;
}

/** Occurrences that start after `after` and no later than `until`. */
export function occurrencesBetween(rule: Rule, after: Date, until: Date): Occurrence[] {
  const found: Occurrence[] = [];
  for (const occurrence of occurrencesFrom(rule, dayBefore(rule, after))) {
    if (occurrence.start > until) break;
    if (occurrence.start > after) found.push(occurrence);
  }
  return found;
}

/** The first occurrence that starts after `after`, except on the days in `except`; null if there is none. */
export function nextOccurrence(
  rule: Rule,
  after: Date,
  except: ReadonlySet<string> = new Set(),
): Occurrence | null {
  for (const occurrence of occurrencesFrom(rule, dayBefore(rule, after))) {
    if (occurrence.start > after && !except.has(occurrence.date)) return occurrence;
  }
  return null;
}

/** The next runs of a schedule that is saved `now`. The current minute still counts. */
export function nextRuns(rule: Rule, now: Date, count: number, except?: ReadonlySet<string>): Occurrence[] {
  const found: Occurrence[] = [];
  let after = beforeMinuteOf(now);
  while (found.length < count) {
    const next = nextOccurrence(rule, after, except);
    if (!next) break;
    found.push(next);
    after = next.start;
  }
  return found;
}

/** The last moment before the current minute. */
export function beforeMinuteOf(now: Date): Date {
  return new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS - 1);
}

/** The calendar day of an instant in a zone, yyyy-MM-dd. */
export function dayIn(zone: string, at: Date): string {
  return zoned(zone, at).toPlainDate().toString();
}

/** The first and the last moment of a zone's days from `first` to `last` (yyyy-MM-dd). */
export function spanOfDays(zone: string, first: string, last: string): { from: Date; to: Date } {
  const end = Temporal.PlainDate.from(last).add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds;
  return {
    from: new Date(Temporal.PlainDate.from(first).toZonedDateTime(zone).epochMilliseconds),
    to: new Date(end - 1),
  };
}

export function zoned(zone: string, at: Date): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone);
}

/** The rule's occurrence on one of its days. */
export function occurrenceOn(rule: Rule, day: Temporal.PlainDate | string): Occurrence {
  const date = Temporal.PlainDate.from(day);
  const start = instantOf(date, rule.time, rule.zone);
  const end = rule.endTime
    ? instantOf(date, rule.endTime, rule.zone)
    : instantOf(date.add({ days: 1 }), "00:00", rule.zone) - 1;
  // If daylight saving moves the start past the end, the window keeps its length.
  const length = minutesOf(rule.endTime ?? "24:00") - minutesOf(rule.time);
  return {
    date: date.toString(),
    start: new Date(start),
    end: new Date(end > start ? end : start + length * MINUTE_MS),
  };
}

function instantOf(date: Temporal.PlainDate, time: string, zone: string): number {
  const clock = date.toPlainDateTime(Temporal.PlainTime.from(time));
  return clock.toZonedDateTime(zone, { disambiguation: "compatible" }).epochMilliseconds;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}

/** A day early enough that every occurrence after `at` is on it or later, whatever daylight saving does. */
function dayBefore({ zone }: Rule, at: Date): string {
  return zoned(zone, at).toPlainDate().subtract({ days: 2 }).toString();
}

/** The rule's days from `first` on. */
function* daysOf(rule: Rule, first: Temporal.PlainDate): Generator<Temporal.PlainDate> {
  switch (rule.recurrence) {
    case "daily":
      for (let day = first; ; day = day.add({ days: 1 })) yield day;
    case "weekly": {
      // Temporal counts Monday 1 to Sunday 7.
      const ahead = ((rule.dayOfWeek ?? 1) - first.dayOfWeek + 7) % 7;
      for (let day = first.add({ days: ahead }); ; day = day.add({ weeks: 1 })) yield day;
    }
    case "monthly":
      for (let month = first.with({ day: 1 }); ; month = month.add({ months: 1 })) {
        const day = month.with({ day: rule.dayOfMonth ?? 1 });
        if (Temporal.PlainDate.compare(day, first) >= 0) yield day;
      }
    case "once": {
      const day = rule.date ? Temporal.PlainDate.from(rule.date) : null;
      if (day && Temporal.PlainDate.compare(day, first) >= 0) yield day;
      return;
    }
    case "resident-date":
  }
}
