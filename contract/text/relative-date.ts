import * as z from "zod";
import { dayText } from "#contract/text/home-dates.ts";
import { pluralRules } from "#contract/text/locale.ts";

/**
 * A date that a schedule calculates for each run: a number of days after it, or a day of its month or a later month (day
 * 31 is the last day of a shorter month). "The first of next month" is day 1, one month after.
 */
export const relativeDate = z.union(
  [
    z.strictObject({ daysAfter: z.number().int().min(0).max(366) }),
    z.strictObject({
      day: z.number().int().min(1).max(31),
      monthsAfter: z.number().int().min(0).max(12),
    }),
  ],
  { error: "A date relative to the run must be { daysAfter }, or { day, monthsAfter }" },
);
export type RelativeDate = z.output<typeof relativeDate>;

/** A field's value as a schedule stores it. */
export type ScheduleValue = string | RelativeDate;

/** Separates fixed values from those that each run calculates. */
export function textsAndDates(values: Readonly<Record<string, ScheduleValue>>): {
  texts: Record<string, string>;
  dates: Record<string, RelativeDate>;
} {
  const texts: Record<string, string> = {};
  const dates: Record<string, RelativeDate> = {};
  for (const [field, value] of Object.entries(values)) {
    if (typeof value === "string") texts[field] = value;
    else dates[field] = value;
  }
  return { texts, dates };
}

/** The day it means for a run on `date` (yyyy-MM-dd). */
function resolveRelativeDate(relative: RelativeDate, date: string): Temporal.PlainDate {
  const run = Temporal.PlainDate.from(date);
  if ("daysAfter" in relative) return run.add({ days: relative.daysAfter });
  return run.with({ day: 1 }).add({ months: relative.monthsAfter }).with({ day: relative.day });
}

/** The values as a run on `date` uses them: "December 1, 2026". */
export function valuesForRun(
  values: Readonly<Record<string, ScheduleValue>>,
  date: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => [
      field,
      typeof value === "string" ? value : writtenDate(resolveRelativeDate(value, date)),
    ]),
  );
}

/** A date as a tenant reads it: "November 25, 2026". */
export function writtenDate(day: Temporal.PlainDate): string {
  return dayText(day.toString(), "long");
}

const suffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };

/** "6 days after the run", "the 1st of next month", "the last day of the month". */
export function relativeDateText(relative: RelativeDate): string {
  if ("daysAfter" in relative) {
    const { daysAfter } = relative;
    if (daysAfter === 0) return "the day of the run";
    return daysAfter === 1 ? "the day after the run" : `${daysAfter} days after the run`;
  }
  const { day, monthsAfter } = relative;
  const ordinals = pluralRules({ type: "ordinal" });
  const which = day === 31 ? "the last day" : `the ${day}${suffixes[ordinals.select(day)] ?? "th"}`;
  if (monthsAfter === 0) return `${which} of the month`;
  return monthsAfter === 1 ? `${which} of next month` : `${which} of the month ${monthsAfter} months later`;
}
