import { dayText, partsOfDay, wordedDay } from "#contract/text/home-dates.ts";
import { dateFormat } from "#contract/text/locale.ts";
import { weekdays } from "#contract/text/rule-text.ts";

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

/** "Mon". */
export const weekdayOf = (day: string): string =>
  (weekdays[Temporal.PlainDate.from(day).dayOfWeek % DAYS_OF_WEEK] ?? "").slice(0, 3);

/** "November 2026". */
export function monthText(day: string): string {
  return dateFormat({ month: "long", year: "numeric", timeZone: "UTC" }).format(Date.parse(day));
}

/** A week as "November 22 to 28, 2026" or "Nov 29 to Dec 5, 2026". */
export function weekText([first = "", ...days]: readonly string[]): string {
  const last = days.at(-1) ?? first;
  const begins = monthAndDay(first);
  const ends = monthAndDay(last);
  const year = last.slice(0, 4);
  if (begins.month !== ends.month) return `${wordedDay(begins)} to ${wordedDay({ ...ends, year })}`;
  return wordedDay({ day: `${begins.day} to ${ends.day}`, month: monthAndDay(last, "long").month, year });
}

/** "Monday, November 23". */
export const longDay = (day: string): string => dayText(day, "full", { year: false });

function monthAndDay(of: string, length: "short" | "long" = "short") {
  const { day, month } = partsOfDay(Date.parse(of), { day: "numeric", month: length, timeZone: "UTC" });
  return { day, month };
}

/** "Dec 1" for the first day of the next month, otherwise just the number. */
export function dayLabel(day: string, outside: boolean): string {
  const { day: number } = Temporal.PlainDate.from(day);
  return number === 1 && outside ? wordedDay(monthAndDay(day)) : String(number);
}

/** Says if the clocks change in a zone on a day; null on most days. */
export function clockChange(day: string, zone: string): string | null {
  const { hoursInDay } = Temporal.PlainDate.from(day).toZonedDateTime(zone);
  if (hoursInDay === 24) return null;
  return hoursInDay > 24 ? "Clocks go back" : "Clocks go forward";
}
