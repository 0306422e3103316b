import { dateFormat } from "#contract/text/locale.ts";

/** Times as the screens write them, in a zone. */

/** Splits instants into what is written of them: `{ weekday: "Wed", day: "25", month: "Nov", … }`. */
export function timeParts(zone: string, seconds: { second?: "2-digit" } = {}) {
  const format = dateFormat({
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
