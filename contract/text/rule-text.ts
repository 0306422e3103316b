import { zoned, type Occurrence, type ResidentDate, type Rule } from "#contract/recurrence.ts";
import { dayText } from "#contract/text/home-dates.ts";
import { locale, numberText } from "#contract/text/locale.ts";

/** A schedule's rule and its runs as text. */

export const weekdays = [
  "Sunday",
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
] as const;

/** "Every Tuesday, 2:00 PM ET". The zone has no "standard" or "daylight", because the rule applies to both. */
export function ruleText(rule: Rule): string {
  const time = `${clockText(rule.time)} ${zoneText(rule.zone)}`;
  switch (rule.recurrence) {
    case "daily":
      return `Every day, ${time}`;
    case "weekly":
      return `Every ${weekdays[rule.dayOfWeek ?? 1] ?? "Monday"}, ${time}`;
    case "monthly":
      return `Day ${rule.dayOfMonth ?? 1} of every month, ${time}`;
    case "once":
      return rule.date ? `${dayText(rule.date)}, ${time}` : time;
    case "resident-date":
      return `${residentDateText(rule)}, ${time}`;
  }
}

/** What happens on the date, and the date itself in the middle of a sentence. */
export const residentDateTexts: Record<ResidentDate, { event: string; date: string }> = {
  "move-in": { event: "move-in", date: "move-in date" },
  "move-out": { event: "move-out", date: "move-out date" },
  "lease-end": { event: "the lease ends", date: "lease end" },
};

/** "60 days before the lease ends", "On the day of move-in", "1 day after move-out". */
export function residentDateText({
  residentDate,
  dayOffset,
}: Pick<Rule, "residentDate" | "dayOffset">): string {
  const { event } = residentDateTexts[residentDate ?? "move-in"];
  const days = dayOffset ?? 0;
  if (days === 0)
    return residentDate === "lease-end" ? "On the day the lease ends" : `On the day of ${event}`;
  const count = Math.abs(days);
  return `${numberText(count)} ${count === 1 ? "day" : "days"} ${days < 0 ? "before" : "after"} ${event}`;
}

/** "2:00 PM" for "14:00". */
export function clockText(time: string): string {
  return Temporal.PlainTime.from(time).toLocaleString(locale, { hour: "numeric", minute: "2-digit" });
}

const zoneTexts = new Map<string, string>();
/** "ET" for America/New_York. */
export function zoneText(zone: string): string {
  const known = zoneTexts.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: "shortGeneric" });
  const text = format.formatToParts().find(({ type }) => type === "timeZoneName")?.value ?? zone;
  zoneTexts.set(zone, text);
  return text;
}

/** How a run can differ from the rule. */
export const runNotes = ["last-day", "clock-skipped", "clock-repeated"] as const;
export type RunNote = (typeof runNotes)[number];

export function runNote(rule: Rule, { date, start }: Occurrence): RunNote | null {
  const clock = Temporal.PlainDate.from(date).toPlainDateTime(Temporal.PlainTime.from(rule.time));
  if (!zoned(rule.zone, start).toPlainDateTime().equals(clock)) return "clock-skipped";
  const later = clock.toZonedDateTime(rule.zone, { disambiguation: "later" });
  if (later.epochMilliseconds !== start.getTime()) return "clock-repeated";
  return rule.recurrence === "monthly" && clock.day !== (rule.dayOfMonth ?? 1) ? "last-day" : null;
}

const shortMonths: Record<number, string> = {
  29: "February has no day 29 outside leap years. The schedule runs on its last day.",
  30: "February has no day 30. The schedule runs on its last day.",
  31: "February, April, June, September and November have no day 31. The schedule runs on their last day.",
};

/** Notes about a rule and these next runs: short months, and nights when the clocks change. */
export function ruleNotes(rule: Rule, runs: readonly Occurrence[]): string[] {
  const notes: string[] = [];
  const short = rule.recurrence === "monthly" && shortMonths[rule.dayOfMonth ?? 1];
  if (short) notes.push(short);
  const first = runs[0];
  const last = runs.at(-1);
  if (!first || !last) return notes;
  const onTheNight = runs.flatMap((run) => clockNote(rule, run) ?? []);
  if (onTheNight.length > 0) return [...notes, ...onTheNight];
  const change = zoned(rule.zone, first.start).getTimeZoneTransition("next");
  if (change && change.epochMilliseconds <= last.start.getTime()) {
    const before = change.subtract({ nanoseconds: 1 });
    const way = change.offsetNanoseconds > before.offsetNanoseconds ? "forward" : "back";
    notes.push(
      `Clocks go ${way} on ${dayText(change.toPlainDate().toString())}. Runs stay at ${clockText(rule.time)}.`,
    );
  }
  return notes;
}

/** What happens to a run on the night when the clocks change; null for all others. */
function clockNote(rule: Rule, run: Occurrence): string | null {
  const { date, start } = run;
  const note = runNote(rule, run);
  if (note === "clock-repeated") {
    return `${clockText(rule.time)} occurs twice on ${dayText(date)}, because the clocks go back. It runs once, the first time.`;
  }
  if (note !== "clock-skipped") return null;
  const at = zoned(rule.zone, start);
  const time = clockText(at.toPlainTime().toString({ smallestUnit: "minute" }));
  const day = at.toPlainDate().toString();
  const when = day === date ? time : `${time} on ${dayText(day)}`;
  return `${clockText(rule.time)} is skipped on ${dayText(date)}, because the clocks go forward. It runs at ${when}.`;
}
