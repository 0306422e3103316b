import type { Rule } from "#contract/recurrence.ts";

/** When a message goes out. A draft's rule is what it follows once it is planned. */
export type Plan =
  | { kind: "draft"; rule?: Rule }
  | { kind: "now" }
  | { kind: "at"; at: Date }
  | { kind: "rule"; rule: Rule };

/**
 * Reads "2026-11-25T09:00" as a local time in `zone`, and "2026-11-25T09:00:00-05:00" as that instant. A time skipped by
 * daylight saving moves forward by the gap; one that occurs twice means the first.
 */
export function toInstant(time: string, zone: string): Date {
  const hasOffset = /(Z|[+-]\d{2}:?\d{2})$/i.test(time);
  const instant = hasOffset
    ? Temporal.Instant.from(time)
    : Temporal.PlainDateTime.from(time).toZonedDateTime(zone, { disambiguation: "compatible" }).toInstant();
  return new Date(instant.epochMilliseconds);
}
