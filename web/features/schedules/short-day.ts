import { dayText } from "#contract/text/rule-text.ts";

/** Formats yyyy-MM-dd as "Thu 26 Nov", with the year unless it is that of `today`. */
export function shortDay(day: string, today = Temporal.Now.plainDateISO().toString()): string {
  const text = dayText(day);
  return day.slice(0, 4) === today.slice(0, 4) ? text.slice(0, -" 2026".length) : text;
}
