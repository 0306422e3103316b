import { audience } from "#contract/calls/audience.ts";
import { dayText } from "#contract/text/home-dates.ts";
import { dateFormat } from "#contract/text/locale.ts";
import { useRead } from "#web/api/use-read.ts";
import { placeOf } from "#web/ui/time/format-time.ts";

/** A local date and time: yyyy-MM-dd and HH:mm. */
type ClockReading = { day: string; time: string };

export type OrganizationClock = {
  /** IANA name. */
  zone: string;
  /** The current local time, according to the server's clock, not the browser's. */
  read: () => ClockReading;
};

/** The organization's clock; undefined until the server has answered. */
export function useOrganizationClock(): OrganizationClock | undefined {
  const { data, dataUpdatedAt } = useRead(audience.today);
  if (!data) return undefined;
  const ahead = Date.parse(data.now) - dataUpdatedAt;
  return { zone: data.timeZone, read: () => readClock(Date.now() + ahead, data.timeZone) };
}

/** The local date and time in the zone (by default the browser's) at an instant, in milliseconds since 1970. */
export function readClock(at: number, zone = Temporal.Now.timeZoneId()): ClockReading {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
  return {
    day: local.toPlainDate().toString(),
    time: local.toPlainTime().toString({ smallestUnit: "minute" }),
  };
}

/**
 * The instant, in ISO 8601, of a local day and time in the zone. A time that daylight saving skips moves forward by the
 * gap. One that occurs twice means the first, as on the server.
 */
export function instantOf(day: string, time: string, zone: string): string {
  return new Date(
    Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(zone).epochMilliseconds,
  ).toISOString();
}

/** "14:05" → "2:05 PM" */
export function timeText(time: string): string {
  return dateFormat({ hour: "numeric", minute: "2-digit", timeZone: "UTC" })
    .format(new Date(`2000-01-01T${time}:00Z`))
    .replaceAll("\u202f", " ");
}

/** "Wed, Nov 25, 2026 at 9:00 AM EST, New York time": the actual local time, including the zone. */
export function plannedText(day: string, time: string, zone: string): string {
  const at = instantOf(day, time, zone);
  const clock = dateFormat({ hour: "numeric", minute: "2-digit", timeZoneName: "short", timeZone: zone })
    .format(Date.parse(at))
    .replaceAll("\u202f", " ");
  return `${dayText(readClock(Date.parse(at), zone).day)} at ${clock}, ${placeOf(zone)} time`;
}
