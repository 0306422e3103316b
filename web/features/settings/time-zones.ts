import { fold } from "#contract/text/fold.ts";
import { locale } from "#contract/text/locale.ts";
import { currentZone, formerZone } from "#contract/text/time-zones.ts";
import type { Found } from "#web/ui/form/use-search.ts";

type ZoneOption = { key: string; label: string; detail: string; searched: string };

const common = [
  "America/New_York",
  "America/Chicago",
  "America/Denver",
  "America/Phoenix",
  "America/Los_Angeles",
  "America/Anchorage",
  "Pacific/Honolulu",
];

/** "America/New_York" → "America/New York", "Asia/Calcutta" → "Asia/Kolkata" */
export const zoneLabel = (zone: string) => currentZone(zone).replaceAll("_", " ");

/**
 * A zone's detail is "Eastern Standard Time, GMT-5". It is also found by its former name and by those that it has in the other half of the year.
 */
function zoneOption(timeZone: string, now: Date): ZoneOption {
  const part = (timeZoneName: "long" | "short" | "shortOffset") => {
    const format = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName });
    return (date: Date) =>
      format.formatToParts(date).find(({ type }) => type === "timeZoneName")?.value ?? "";
  };
  const [nameAt, shortAt, offsetAt] = [part("long"), part("short"), part("shortOffset")];
  const [name, offset] = [nameAt(now), offsetAt(now)];
  const label = zoneLabel(timeZone);
  const detail = name.startsWith("GMT") ? offset : `${name}, ${offset}`;
  const names = [0, 6]
    .map((month) => new Date(now.getFullYear(), month, 1))
    .flatMap((date) => [nameAt(date), shortAt(date)]);
  return {
    key: timeZone,
    label,
    detail,
    searched: fold([label, formerZone(timeZone)?.replaceAll("_", " "), detail, ...names].join(" ")),
  };
}

function listZones(): ZoneOption[] {
  const now = new Date();
  const zones = new Set([...common, ...Intl.supportedValuesOf("timeZone").map(currentZone), "UTC"]);
  return [...zones].map((key) => zoneOption(key, now));
}

let known: ZoneOption[] | undefined;

/** The zones whose name, place or offset has every word of the text, those of the United States first. */
export function searchZones(text: string): Promise<Found<ZoneOption>> {
  const words = fold(text.replaceAll("_", " ")).split(" ");
  // Listed when the list first opens: several hundred formats take a tenth of a second.
  known ??= listZones();
  const options = known.filter(({ searched }) => words.every((word) => searched.includes(word)));
  return Promise.resolve({ options, total: options.length });
}
