import { partsOfDay, wordedDay } from "#contract/text/home-dates.ts";

/** Times as the screens write them, in a zone. */

/** Splits instants into what is written of them: `{ weekday: "Wed", day: "25", month: "Nov", … }`. */
export function timeParts(zone: string, seconds: { second?: "2-digit" } = {}) {
  return (date: Date) =>
    partsOfDay(date, {
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
}

/**
 * "Wed, Nov 25, 9:00 AM EST", as the screens show it. The year is included unless it is that of `now`. Text that is
 * stored and read on another day is written without `now`, and so with its year.
 */
export function formatTime(time: Date, zone: string, now?: Date): string {
  const partsOf = timeParts(zone);
  const { hour, minute, dayPeriod, timeZoneName, ...day } = partsOf(time);
  const year = now && partsOf(now).year === day.year ? undefined : day.year;
  return `${wordedDay({ ...day, year })}, ${hour}:${minute} ${dayPeriod} ${timeZoneName}`;
}
