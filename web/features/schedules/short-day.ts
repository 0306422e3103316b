import { dayText } from "#contract/text/home-dates.ts";

/** Formats yyyy-MM-dd as "Thu, Nov 26", with the year unless it is that of `today`. */
export const shortDay = (day: string, today = Temporal.Now.plainDateISO().toString()): string =>
  dayText(day, "short", { year: day.slice(0, 4) !== today.slice(0, 4) });
