import { zoned } from "#contract/recurrence.ts";

/** The moment from which the sample's times count back, and the organization's zone. */
export type SampleClock = { now: Date; zone: string };

/** "09:00" so many days ago; days ahead are negative. */
export function timeOf({ now, zone }: SampleClock, daysAgo: number, at: string): Date {
  const day = zoned(zone, now).toPlainDate().subtract({ days: daysAgo });
  return new Date(day.toZonedDateTime({ timeZone: zone, plainTime: at }).epochMilliseconds);
}
