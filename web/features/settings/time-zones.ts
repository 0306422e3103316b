import type { Found } from "#web/ui/use-search.ts";

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

/** "America/New_York" → "America/New York" */
export const zoneLabel = (zone: string) => zone.replaceAll("_", " ");

/** A zone's detail is "Eastern Standard Time, GMT-5". It is also found by the name that it has in the other half of the year. */
function zoneOption(timeZone: string, now: Date): ZoneOption {
  const part = (timeZoneName: "long" | "shortOffset") => {
    const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName });
    return (date: Date) =>
      format.formatToParts(date).find(({ type }) => type === "timeZoneName")?.value ?? "";
  };
  const [nameAt, offsetAt] = [part("long"), part("shortOffset")];
  const [name, offset] = [nameAt(now), offsetAt(now)];
  const label = zoneLabel(timeZone);
  const detail = name.startsWith("GMT") ? offset : `${name}, ${offset}`;
  const names = [0, 6].map((month) => nameAt(new Date(now.getFullYear(), month, 1)));
  return { key: timeZone, label, detail, searched: [label, detail, ...names].join(" ").toLowerCase() };
}

function listZones(): ZoneOption[] {
  const now = new Date();
  const zones = new Set([...common, ...Intl.supportedValuesOf("timeZone"), "UTC"]);
  return [...zones].map((key) => zoneOption(key, now));
}

let known: ZoneOption[] | undefined;

/** The zones whose name, place or offset has every word of the text, those of the United States first. */
export function searchZones(text: string): Promise<Found<ZoneOption>> {
  const words = text.toLowerCase().split(/\s+/);
  // Listed when the list first opens: several hundred formats take a tenth of a second.
  known ??= listZones();
  const options = known.filter(({ searched }) => words.every((word) => searched.includes(word)));
  return Promise.resolve({ options, total: options.length });
}
