import { wordedDay } from "#contract/text/home-dates.ts";
import { timeParts } from "#contract/text/time-text.ts";

/**
 * Writes a report's times in the organization's zone, which each one names: "Mon, Nov 17, 2025, 4:30:02 PM EST" and, in the
 * year of `of`, "Nov 17, 4:30:02 PM EST".
 */
export function timesIn(zone: string, of: Date) {
  const partsOf = timeParts(zone, { second: "2-digit" });
  const usual = partsOf(of).year;
  const clock = ({ hour, minute, second, dayPeriod, timeZoneName }: Record<string, string>) =>
    `${hour}:${minute}:${second} ${dayPeriod} ${timeZoneName}`;
  return {
    full: (at: Date) => {
      const known = partsOf(at);
      return `${wordedDay(known)}, ${clock(known)}`;
    },
    short: (at: Date) => {
      const { day, month, year, ...known } = partsOf(at);
      return `${wordedDay({ day, month, year: year === usual ? undefined : year })}, ${clock(known)}`;
    },
  };
}

export type Times = ReturnType<typeof timesIn>;

/** "All times are New York time (America/New_York)." */
export function zoneSentence(zone: string): string {
  const place = (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");
  return `All times are ${place} time (${zone}).`;
}
