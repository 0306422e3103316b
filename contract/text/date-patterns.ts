/** How people write dates: the names of months and days in several languages, and the patterns around them. */

type Written = { value: number; write: (value: number) => string };

const locales = ["en", "es", "fr", "de", "pt", "it", "nl", "pl"];
export const sameCase = (like: string, text: string) =>
  like.length > 1 && like === like.toUpperCase()
    ? text.toUpperCase()
    : like === like.toLowerCase()
      ? text.toLowerCase()
      : text;

type Names = Map<string, Written>;

/** Names by how they are written in lower case. The value counts from 1: months, and days of the week from Monday. */
function names(part: "month" | "weekday", days: readonly string[]): Names {
  const found: Names = new Map();
  const add = (locale: string, style: "long" | "short", cut: (name: string) => string) => {
    // Beside a day, because some languages write a month differently then.
    const format = new Intl.DateTimeFormat(locale, {
      [part]: style,
      ...(part === "month" && { day: "numeric" }),
      timeZone: "UTC",
    });
    const all = days.map((day) =>
      cut(format.formatToParts(Date.parse(day)).find(({ type }) => type === part)?.value ?? ""),
    );
    all.forEach((name, index) => {
      if (!found.has(name.toLowerCase())) {
        found.set(name.toLowerCase(), { value: index + 1, write: (value) => all[value - 1] ?? name });
      }
    });
  };
  for (const locale of locales) add(locale, "long", (name) => name);
  add("en", "short", (name) => name);
  if (part === "month") found.set("sept", { ...found.get("sep")!, value: 9 });
  else
    for (const [name, value] of [
      ["tues", 2],
      ["thur", 4],
      ["thurs", 4],
    ] as const)
      found.set(name, { ...found.get("tue")!, value });
  return found;
}

const monthDays = Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, "0")}-15`);
// 1 June 2026 is a Monday.
const weekDays = Array.from({ length: 7 }, (_, day) => `2026-06-0${day + 1}`);

const DAY = String.raw`(?:3[01]|[12]\d|0?[1-9])`;
const ORDINAL = String.raw`(?:st|nd|rd|th|er|[ºª°.](?=\s))?`;
const YEAR = String.raw`(?:19|20)\d{2}`;
const TO = String.raw`\s*(?:-|–|—|&|/|to|and|through|thru|till?|until|y|e|et|und|bis|al?|au|i|do)\s*`;
/** After "12 May": it is an address. */
export const streets =
  /^\.?\s+(?:st|street|ave|avenue|rd|road|ln|lane|dr|drive|ct|court|pl|place|blvd|boulevard|way|sq|square|ter|terrace|close|crescent|cir|circle|trail|pkwy|parkway|hwy|highway)\b/i;
/** After "Unit 5 may": it is no month. */
export const verbs =
  /^\s+(?:be|have|not|need|get|see|hear|lose|experience|notice|take|cause|require|use|still|also|only|apply|remain|contact|want)\b/i;
/** What makes 11/18 a date. */
export const beforeNumbers =
  /\b(?:on|by|until|till|from|before|after|due|through|thru|since|starting|beginning|ending|between|dated?|for)[:\s]+(?:the\s+)?$/i;
export const afterNumbers = /^(?:\s*,?\s*(?:at|from|between)\s+\d|\s*,?\s*\d{1,2}(?::\d\d)?\s*[ap]\.?m\b)/i;
export const measures = /^\s*(?:inch|in\.|cup|mile|hour|of\b|bath|bed|full|"|″|'|%|lb|gal)/i;
export const relativeDays: Record<string, number> = { tomorrow: 1, yesterday: -1 };

let built: ReturnType<typeof build> | undefined;

/** Built on first use, because formats and patterns of this size take a moment. */
export function datePatterns() {
  return (built ??= build());
}

function build() {
  const months = names("month", monthDays);
  const weekdays = names("weekday", weekDays);
  const oneOf = (all: Names) =>
    [...all.keys()]
      .toSorted((a, b) => b.length - a.length)
      .map((name) => name.replaceAll(".", String.raw`\.`))
      .join("|");
  const weekday = String.raw`(?:(?<weekday>${oneOf(weekdays)})\.?,?\s+(?:the\s+)?)?`;
  const month = `(?<month>${oneOf(months)})`;
  const all = (source: string) => new RegExp(source, "dgiu");
  return {
    months,
    weekdays,
    monthFirst: all(
      String.raw`(?<![\p{L}\d])${weekday}${month}\.?[\s-]{1,2}(?:the\s+)?(?<day>${DAY})${ORDINAL}(?:${TO}(?:the\s+)?(?<last>${DAY})${ORDINAL}(?![\d:]|\s*[ap]\.?m\b|[\s-]*(?:${oneOf(months)})))?(?:,?\s+(?<year>${YEAR}))?(?![\p{L}\d]|[.,:/-]\d|%)`,
    ),
    dayFirst: all(
      String.raw`(?<![\p{L}\d$€£#]|[.,:/]\d?)${weekday}(?:(?<day>${DAY})${ORDINAL}${TO}(?:the\s+)?)?(?<last>${DAY})${ORDINAL}[\s-]{0,2}(?:(?:of|de|di|del)\s+)?${month}(?!\p{L})\.?(?:(?:,|-)?\s*(?:(?:de|del)\s+)?(?<year>${YEAR})(?!\d))?`,
    ),
    yearFirst: all(
      String.raw`(?<![\p{L}\d/.-])(?<year>${YEAR})(?<sep>[-/.])(?<month>1[0-2]|0?[1-9])\k<sep>(?<day>${DAY})(?!\d|[-/.]\d)`,
    ),
    chinese: all(
      String.raw`(?<!\d)(?:(?<year>${YEAR})\s*[年년]\s*)?(?<month>1[0-2]|0?[1-9])\s*[月월]\s*(?<day>${DAY})\s*[日号號일]`,
    ),
    numbers: all(
      String.raw`(?<![\p{L}\d/.$€£#+(-])${weekday}(?<one>\d{1,2})(?<sep>[/.-])(?<two>\d{1,2})(?:\k<sep>(?<year>(?:19|20)?\d{2}))?(?!\d|[/.-]\d|%)`,
    ),
    words: all(
      String.raw`(?<![\p{L}\d])(?<word>today|tonight|tomorrow|this\s+(?:morning|afternoon|evening))(?![\p{L}\d])|(?<![\p{L}\d])(?<lead>on|by|until|till|this|next|coming|before|from)\s+(?<weekday>${oneOf(weekdays)})(?![\p{L}\d]|,?\s+(?:the\s+)?(?:\d|${oneOf(months)}))`,
    ),
  };
}
