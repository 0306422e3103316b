import { timeParts } from "#contract/text/time-text.ts";

/**
 * Writes a report's times in the organization's zone, which each one names: "Mon 17 Nov 2025, 4:30:02 PM EST" and, in the
 * year of `of`, "17 Nov, 4:30:02 PM EST".
 */
export function timesIn(zone: string, of: Date) {
  const partsOf = timeParts(zone, { second: "2-digit" });
  const usual = partsOf(of)["year"];
  const clock = ({ hour, minute, second, dayPeriod, timeZoneName }: Record<string, string>) =>
    `${hour}:${minute}:${second} ${dayPeriod} ${timeZoneName}`;
  return {
    full: (at: Date) => {
      const known = partsOf(at);
      return `${known["weekday"]} ${known["day"]} ${known["month"]} ${known["year"]}, ${clock(known)}`;
    },
    short: (at: Date) => {
      const known = partsOf(at);
      const year = known["year"] === usual ? "" : ` ${known["year"]}`;
      return `${known["day"]} ${known["month"]}${year}, ${clock(known)}`;
    },
  };
}

export type Times = ReturnType<typeof timesIn>;

/** "All times are New York time (America/New_York)." */
export function zoneSentence(zone: string): string {
  const place = (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");
  return `All times are ${place} time (${zone}).`;
}
