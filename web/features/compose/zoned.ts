const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** How far the zone's clock is ahead of UTC at that instant, in milliseconds. */
function offsetAt(instant: number, zone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(instant);
  const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value);
  const wall = Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second"));
  return wall - Math.floor(instant / 1000) * 1000;
}

/**
 * The instant, as ISO 8601, at which a clock in the zone shows that day (yyyy-MM-dd) and time (HH:mm). A time
 * that daylight saving skips moves forward by the gap; of one that comes twice it is the first, as on the server.
 */
export function instantOf(day: string, time: string, zone: string): string {
  const wall = Date.parse(`${day}T${time}:00Z`);
  const before = offsetAt(wall - DAY, zone);
  const after = offsetAt(wall + DAY, zone);
  const fits = [before, after].find((offset) => offsetAt(wall - offset, zone) === offset);
  return new Date(wall - (fits ?? before)).toISOString();
}
