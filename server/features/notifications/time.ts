import { fieldError } from "#contract/errors.ts";

/**
 * Local times of the organization. A time skipped by daylight saving moves forward by the gap; one that occurs twice
 * means the first.
 */

const minute = 60_000;

/** Reads "2026-11-25T09:00" as a local time in `zone`, and "2026-11-25T09:00:00-05:00" as that instant. */
export function toInstant(time: string, zone: string): Date {
  const hasOffset = /(Z|[+-]\d{2}:?\d{2})$/i.test(time);
  const instant = hasOffset
    ? Temporal.Instant.from(time)
    : Temporal.PlainDateTime.from(time).toZonedDateTime(zone, { disambiguation: "compatible" }).toInstant();
  return new Date(instant.epochMilliseconds);
}

/** Refuses a time that has passed; the current minute still counts as now. */
export function refusePast(time: Date, now: Date, zone: string): void {
  if (time.getTime() > now.getTime() - minute) return;
  const sentence = `${formatTime(time, zone, now)} has already passed. Choose a later time, or send immediately.`;
  throw fieldError("date-in-the-past", "scheduled_time", sentence);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Splits instants into what is written of them: `{ weekday: "Wed", day: "25", month: "Nov", … }`. */
export function timeParts(zone: string, seconds: { second?: "2-digit" } = {}) {
  const key = `${zone} ${seconds.second ?? ""}`;
  // Creating a format is slow, and lists need many times.
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      weekday: "short",
      day: "numeric",
      month: "short",
      year: "numeric",
      hour: "numeric",
      minute: "2-digit",
      timeZoneName: "short",
      ...seconds,
    });
  formats.set(key, format);
  return (date: Date) =>
    Object.fromEntries(format.formatToParts(date).map((part) => [part.type, part.value]));
}

/**
 * "Wed 25 Nov, 9:00 AM EST", as the screens show it. The year is included unless it is that of `now`. Text that is
 * stored and read on another day is written without `now`, and so with its year.
 */
export function formatTime(time: Date, zone: string, now?: Date): string {
  const partsOf = timeParts(zone);
  const { weekday, day, month, year, hour, minute, dayPeriod, timeZoneName } = partsOf(time);
  const date = now && partsOf(now)["year"] === year ? `${day} ${month}` : `${day} ${month} ${year}`;
  return `${weekday} ${date}, ${hour}:${minute} ${dayPeriod} ${timeZoneName}`;
}
