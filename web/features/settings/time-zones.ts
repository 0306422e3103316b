import type { Found } from "#web/ui/use-search.ts";

type ZoneOption = { key: string; label: string; detail: string };

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

/** "Eastern Standard Time, GMT-5" */
function zoneDetail(timeZone: string, now: Date): string {
  const part = (timeZoneName: "long" | "shortOffset") =>
    new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName })
      .formatToParts(now)
      .find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [name, offset] = [part("long"), part("shortOffset")];
  return name.startsWith("GMT") ? offset : `${name}, ${offset}`;
}

function listZones(): ZoneOption[] {
  const now = new Date();
  const zones = new Set([...common, ...Intl.supportedValuesOf("timeZone"), "UTC"]);
  return [...zones].map((key) => ({ key, label: zoneLabel(key), detail: zoneDetail(key, now) }));
}

let known: ZoneOption[] | undefined;

/** The zones whose name, place or offset has every word of the text, those of the United States first. */
export function searchZones(text: string): Promise<Found<ZoneOption>> {
  const words = text.toLowerCase().split(/\s+/);
  // Listed when the list first opens: several hundred formats take a tenth of a second.
  known ??= listZones();
  const options = known.filter(({ label, detail }) => {
    const searched = `${label} ${detail}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
  return Promise.resolve({ options, total: options.length });
}
