/** Formats times in one zone: "Tue 25 Nov, 9:00 AM". All functions take an ISO 8601 instant. */

export type InZone = {
  /** IANA name. Defaults to the browser's zone. */
  zone?: string | undefined;
  /** For tests. Defaults to the current time. */
  now?: number;
};

export function browserZone(): string {
  return new Intl.DateTimeFormat("en-US").resolvedOptions().timeZone;
}

/** "America/New_York" → "New York" */
export function placeOf(zone: string): string {
  return (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");
}

const formats = new Map<string, Intl.DateTimeFormat>();
/** Creating a format is slow, and lists need hundreds. */
function format(zone: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([zone, options]);
  let known = formats.get(key);
  if (!known) {
    known = new Intl.DateTimeFormat("en-US", { ...options, ...(zone ? { timeZone: zone } : {}) });
    formats.set(key, known);
  }
  return known;
}

function part(parts: Intl.DateTimeFormatPart[], type: Intl.DateTimeFormatPartTypes) {
  return parts.find((one) => one.type === type)?.value ?? "";
}

/** "9:00 AM", or "9:00 AM EST" if the zone is not the browser's, so that it cannot be misread. */
export function clock(at: string, { zone }: InZone = {}): string {
  const time = format(zone, { hour: "numeric", minute: "2-digit" }).format(new Date(at));
  const plain = time.replaceAll("\u202f", " ");
  const name = zoneMark(at, zone);
  return name ? `${plain} ${name}` : plain;
}

/** "EST" for a zone other than the browser's; "" otherwise. */
export function zoneMark(at: string, zone: string | undefined): string {
  if (!zone || zone === browserZone()) return "";
  return part(format(zone, { timeZoneName: "short" }).formatToParts(new Date(at)), "timeZoneName");
}

/** "Tue 25 Nov", with the year unless it is the current one. */
export function day(at: string, { zone, now = Date.now() }: InZone = {}): string {
  const parts = format(zone, { weekday: "short", day: "numeric", month: "short", year: "numeric" });
  const then = parts.formatToParts(new Date(at));
  const year = part(then, "year");
  const words = `${part(then, "weekday")} ${part(then, "day")} ${part(then, "month")}`;
  return year === part(parts.formatToParts(now), "year") ? words : `${words} ${year}`;
}

/** "Tue 25 Nov, 9:00 AM" */
export function dayAndTime(at: string, inZone: InZone = {}): string {
  return `${day(at, inZone)}, ${clock(at, inZone)}`;
}

/** "Today, 8:12 AM", "Yesterday, 4:30 PM", "Tomorrow, 9:00 AM", otherwise "Tue 25 Nov, 9:00 AM". */
export function nearby(at: string, inZone: InZone = {}): string {
  const days = dayNumber(at, inZone.zone) - dayNumber(inZone.now ?? Date.now(), inZone.zone);
  const word = new Map([
    [-1, "Yesterday"],
    [0, "Today"],
    [1, "Tomorrow"],
  ]).get(days);
  return word ? `${word}, ${clock(at, inZone)}` : dayAndTime(at, inZone);
}

// Two computers' clocks always differ a little, so this many seconds ahead still count as now.
const CLOCKS_DIFFER = 30;

/** "2 days ago", "in 5 minutes", or "just now" within a minute, since it is only rendered again every minute. */
export function ago(at: string, { now = Date.now() }: InZone = {}): string {
  const seconds = (Date.parse(at) - now) / 1000;
  const known = units.find(([, size]) => Math.abs(seconds) >= size);
  if (!known) return seconds > CLOCKS_DIFFER ? "in less than a minute" : "just now";
  const [unit, size] = known;
  return new Intl.RelativeTimeFormat("en-US", { numeric: "auto" }).format(Math.round(seconds / size), unit);
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** "Tuesday, November 25, 2025 at 9:00:02 AM EST", shown on hover. */
export function exact(at: string, { zone }: InZone = {}): string {
  return format(zone, { dateStyle: "full", timeStyle: "long" })
    .format(new Date(at))
    .replaceAll("\u202f", " ");
}

/** The local date in the zone, as days since 1970. */
function dayNumber(at: string | number, zone: string | undefined): number {
  const parts = format(zone, { year: "numeric", month: "numeric", day: "numeric" }).formatToParts(
    new Date(at),
  );
  return (
    Date.UTC(Number(part(parts, "year")), Number(part(parts, "month")) - 1, Number(part(parts, "day"))) /
    86_400_000
  );
}
