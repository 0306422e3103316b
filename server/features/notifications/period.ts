import type { Period } from "#contract/notifications.ts";

/** From its first instant up to, but excluding, the one after its last; null: open-ended. */
export type Span = { from: Date; to: Date | null };

/** A period relative to `now` in `zone`. */
export function spanOf(period: Period, now: Date, zone: string): Span {
  const here = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone);
  const today = here.startOfDay();
  const back: Record<Exclude<Period, "ahead">, Temporal.DurationLike> = {
    today: { days: 0 },
    "7-days": { days: 6 },
    "30-days": { days: 29 },
    "12-months": { months: 12 },
  };
  const date = (time: Temporal.ZonedDateTime) => new Date(time.epochMilliseconds);
  if (period === "ahead") return { from: now, to: null };
  return { from: date(today.subtract(back[period])), to: date(today.add({ days: 1 })) };
}
