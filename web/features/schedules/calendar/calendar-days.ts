import { locale } from "#contract/text/locale.ts";

/** Calendar days as yyyy-MM-dd, in weeks that start on Sunday. */

export type CalendarView = "month" | "week";

const DAYS_OF_WEEK = 7;

const sundayBefore = (day: Temporal.PlainDate) => day.subtract({ days: day.dayOfWeek % DAYS_OF_WEEK });

/** The full weeks shown for the month or week around a day. */
export function weeksAround(view: CalendarView, day: string): string[][] {
  const date = Temporal.PlainDate.from(day);
  const last = view === "week" ? date : date.with({ day: date.daysInMonth });
  const weeks: string[][] = [];
  for (
    let sunday = sundayBefore(view === "week" ? date : date.with({ day: 1 }));
    Temporal.PlainDate.compare(sunday, last) <= 0;
    sunday = sunday.add({ weeks: 1 })
  ) {
    weeks.push(Array.from({ length: DAYS_OF_WEEK }, (_, days) => sunday.add({ days }).toString()));
  }
  return weeks;
}

/** The same day in the previous (-1) or next (1) month or week. */
export function stepFrom(view: CalendarView, day: string, steps: number): string {
  const date = Temporal.PlainDate.from(day);
  return date.add(view === "week" ? { weeks: steps } : { months: steps }).toString();
}

/** "November 2026". */
export function monthText(day: string): string {
  return formatDay(day, { month: "long", year: "numeric" });
}

/** A week as "22 to 28 November 2026" or "29 Nov to 5 Dec 2026". */
export function weekText([first = "", ...days]: readonly string[]): string {
  const last = days.at(-1) ?? first;
  const one = first.slice(0, 7) === last.slice(0, 7);
  const text = (day: string) =>
    `${Number(day.slice(8))} ${formatDay(day, { month: one ? "long" : "short" })}`;
  return `${one ? Number(first.slice(8)) : text(first)} to ${text(last)} ${last.slice(0, 4)}`;
}

/** "Monday 23 November". */
export function longDay(day: string): string {
  const date = Temporal.PlainDate.from(day);
  return `${formatDay(day, { weekday: "long" })} ${date.day} ${formatDay(day, { month: "long" })}`;
}

function formatDay(day: string, options: Intl.DateTimeFormatOptions): string {
  return Temporal.PlainDate.from(day).toLocaleString(locale, options);
}

/** "1 Dec" for the first day of the next month, otherwise just the number. */
export function dayLabel(day: string, outside: boolean): string {
  const { day: number } = Temporal.PlainDate.from(day);
  return number === 1 && outside ? `1 ${formatDay(day, { month: "short" })}` : String(number);
}

/** Says if the clocks change in a zone on a day; null on most days. */
export function clockChange(day: string, zone: string): string | null {
  const { hoursInDay } = Temporal.PlainDate.from(day).toZonedDateTime(zone);
  if (hoursInDay === 24) return null;
  return hoursInDay > 24 ? "Clocks go back" : "Clocks go forward";
}
