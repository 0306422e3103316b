import { instantOf } from "#web/features/compose/zoned.ts";
import { placeOf } from "#web/ui/moments.ts";

/** "14:05" → "2:05 PM" */
export function timeInWords(time: string): string {
  return new Intl.DateTimeFormat("en-US", { hour: "numeric", minute: "2-digit", timeZone: "UTC" })
    .format(new Date(`2000-01-01T${time}:00Z`))
    .replaceAll("\u202f", " ");
}

/** "Wed 25 Nov 2026 at 9:00 AM EST, New York time": what the clock there will really show, zone and all. */
export function plannedInWords(day: string, time: string, zone: string): string {
  const at = new Date(instantOf(day, time, zone));
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-US", { ...options, timeZone: zone }).format(at).replaceAll("\u202f", " ");
  const date = [{ weekday: "short" }, { day: "numeric" }, { month: "short" }, { year: "numeric" }] as const;
  const clock = format({ hour: "numeric", minute: "2-digit", timeZoneName: "short" });
  return `${date.map(format).join(" ")} at ${clock}, ${placeOf(zone)} time`;
}

export const weekdays = [
  { value: 1, label: "Monday" },
  { value: 2, label: "Tuesday" },
  { value: 3, label: "Wednesday" },
  { value: 4, label: "Thursday" },
  { value: 5, label: "Friday" },
  { value: 6, label: "Saturday" },
  { value: 0, label: "Sunday" },
] as const;
