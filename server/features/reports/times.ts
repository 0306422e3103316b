/** Times of a report, in the organization's zone, which each one names. */

const parts = (zone: string) =>
  new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
  });

/** Writes instants as "Mon 17 Nov 2025, 4:30:02 PM EST" and, in the year of `of`, as "17 Nov, 4:30:02 PM EST". */
export function timesIn(zone: string, of: Date) {
  const format = parts(zone);
  const partsOf = (at: Date) =>
    Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
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
