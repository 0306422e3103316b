import { dayText } from "#contract/rule-text.ts";

/** "Thu 26 Nov" for yyyy-MM-dd, with the year when it is not that of `today`. */
export function shortDay(day: string, today = Temporal.Now.plainDateISO().toString()): string {
  const text = dayText(day);
  return day.slice(0, 4) === today.slice(0, 4) ? text.slice(0, -" 2026".length) : text;
}
