import type { Period } from "#contract/calls/notifications.ts";
import { zoned } from "#contract/recurrence.ts";

/** From its first instant up to, but excluding, the one after its last; null: open-ended. */
export type Span = { from: Date; to: Date | null };

// A day on which the clocks change at midnight doesn't begin at the time of the others.
const startOf = (day: Temporal.ZonedDateTime) => new Date(day.startOfDay().epochMilliseconds);

/** A day (yyyy-MM-dd) in `zone`. */
export function spanOfDay(day: string, zone: string): Span {
  const date = Temporal.PlainDate.from(day).toZonedDateTime(zone);
  return { from: startOf(date), to: startOf(date.add({ days: 1 })) };
}

/** A period relative to `now` in `zone`. */
export function spanOf(period: Period, now: Date, zone: string): Span {
  const here = zoned(zone, now);
  const back: Record<Exclude<Period, "ahead">, Temporal.DurationLike> = {
    today: { days: 0 },
    "7-days": { days: 6 },
    "30-days": { days: 29 },
    "12-months": { months: 12 },
  };
  if (period === "ahead") return { from: now, to: null };
  return { from: startOf(here.subtract(back[period])), to: startOf(here.add({ days: 1 })) };
}
