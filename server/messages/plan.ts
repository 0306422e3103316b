import { fieldError } from "#contract/errors.ts";
import { formatTime } from "#contract/time-text.ts";

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
