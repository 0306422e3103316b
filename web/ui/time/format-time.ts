import { partsOfDay, wordedDay } from "#contract/text/home-dates.ts";
import { locale, relativeTimeFormat } from "#contract/text/locale.ts";

/** Formats times in one zone: "Tue, Nov 25, 9:00 AM". All functions take an ISO 8601 instant. */

type InZone = {
  /** IANA name. Defaults to the browser's zone. */
  zone?: string | undefined;
  /** For tests. Defaults to the current time. */
  now?: number;
};

let knownZone: { name: string; offset: number } | undefined;
/** The browser's zone. Asking for it is slow, so it is asked again only when the clock's offset has changed. */
export function browserZone(): string {
  const offset = new Date().getTimezoneOffset();
  if (knownZone?.offset !== offset) {
    knownZone = { name: new Intl.DateTimeFormat(locale).resolvedOptions().timeZone, offset };
  }
  return knownZone.name;
}

/** "America/New_York" → "New York" */
export function placeOf(zone: string): string {
  return (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");
}

/** Lists need hundreds of texts, so all of them are made of the parts of one format. */
function partsOf(at: string | number, zone: string | undefined) {
  return partsOfDay(new Date(at), {
    weekday: "long",
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
    timeZone: zone,
  });
}

/** "9:00 AM", or "9:00 AM EST" on one line if the zone is not the browser's, so that it cannot be misread. */
export function clock(at: string, { zone }: InZone = {}): string {
  const { hour, minute, dayPeriod } = partsOf(at, zone);
  const name = zoneMark(at, zone);
  return name ? `${hour}:${minute}\u00a0${dayPeriod}\u00a0${name}` : `${hour}:${minute} ${dayPeriod}`;
}

/** "EST" for a zone other than the browser's; "" otherwise. */
export function zoneMark(at: string, zone: string | undefined): string {
  return !zone || zone === browserZone() ? "" : partsOf(at, zone).timeZoneName;
}

/** "Tue, Nov 25", with the year unless it is the current one. */
export function day(at: string, { zone, now = Date.now() }: InZone = {}): string {
  const then = partsOf(at, zone);
  return wordedDay({
    weekday: then.weekday.slice(0, 3),
    day: then.day,
    month: then.month.slice(0, 3),
    year: then.year === partsOf(now, zone).year ? undefined : then.year,
  });
}

/** "Tue, Nov 25, 9:00 AM" */
export function dayAndTime(at: string, inZone: InZone = {}): string {
  return `${day(at, inZone)}, ${clock(at, inZone)}`;
}

/** "Yesterday", "Today" or "Tomorrow"; undefined for any other day. */
function wordOf(at: string, { zone, now = Date.now() }: InZone): string | undefined {
  return new Map([
    [-1, "Yesterday"],
    [0, "Today"],
    [1, "Tomorrow"],
  ]).get(dayNumber(at, zone) - dayNumber(now, zone));
}

/** "Today", "Yesterday", "Tomorrow", otherwise "Tue, Nov 25". */
export function nearbyDay(at: string, inZone: InZone = {}): string {
  return wordOf(at, inZone) ?? day(at, inZone);
}

/** "8:12 AM" today, "Yesterday", "Tomorrow", otherwise "Tue, Nov 25". */
export function brief(at: string, inZone: InZone = {}): string {
  return wordOf(at, inZone) === "Today" ? clock(at, inZone) : nearbyDay(at, inZone);
}

/** "Today, 8:12 AM", "Yesterday, 4:30 PM", "Tomorrow, 9:00 AM", otherwise "Tue, Nov 25, 9:00 AM". */
export function nearby(at: string, inZone: InZone = {}): string {
  return `${nearbyDay(at, inZone)}, ${clock(at, inZone)}`;
}

/** The same within a sentence: "yesterday at 4:30 PM". */
export function nearbyInSentence(at: string, inZone: InZone = {}): string {
  const word = wordOf(at, inZone);
  return word ? `${word.toLowerCase()} at ${clock(at, inZone)}` : dayAndTime(at, inZone);
}

// Two computers' clocks always differ a little, so this many seconds ahead still count as now.
const CLOCKS_DIFFER = 30;

/** "2 days ago", "in 5 minutes", or "just now" within a minute, since it is only rendered again every minute. */
export function ago(at: string, { now = Date.now() }: InZone = {}): string {
  const seconds = (Date.parse(at) - now) / 1000;
  const known = units.find(([, size]) => Math.abs(seconds) >= size);
  if (!known) return seconds > CLOCKS_DIFFER ? "in less than a minute" : "just now";
  const [unit, size] = known;
  return relativeTimeFormat({ numeric: "auto" }).format(Math.round(seconds / size), unit);
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
  const { hour, minute, second, dayPeriod, timeZoneName, ...day } = partsOf(at, zone);
  return `${wordedDay(day)} at ${hour}:${minute}:${second} ${dayPeriod} ${timeZoneName}`;
}

/** The local date in the zone, as days since 1970. */
function dayNumber(at: string | number, zone: string | undefined): number {
  const { month, day, year } = partsOf(at, zone);
  return Date.parse(`${month} ${day}, ${year} UTC`) / 86_400_000;
}
