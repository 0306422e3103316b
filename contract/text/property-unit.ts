import { composed } from "#contract/text/composed.ts";

type PropertyUnit = { property: string | null; unit: string | null };

/** Words before a unit: "Apt 4B", "Unit #12", "No. 7". */
const UNIT_WORD = String.raw`(?:unit|apartment|apt|suite|ste|flat|room|rm|lot|space|no|nr)\b\.?`;
/** What units are called: 4B, B4, 12, A-101, 2/4, PH2. Five digits are a postal code. */
const UNIT_NAME = String.raw`(?:\d{1,4}[a-z]{0,2}|[a-z]{1,3}\d{1,4}[a-z]?|[a-z0-9]{1,4}-[a-z0-9]{1,4})`;
/** Units without a number. */
const NAMED_UNIT = String.raw`(?:penthouse|ph|basement|garage|office|storefront|front|rear|upper|lower|left|right|main)`;

const MARK = `(?:${UNIT_WORD}\\s*#?|#)`;

const marked = new RegExp(`^${MARK}\\s*(.+)$`, "iu");
const nameOnly = new RegExp(`^(?=.*\\d)${UNIT_NAME}$`, "iu");
const shortName = new RegExp(`^(?:${NAMED_UNIT}(?:\\s+${UNIT_NAME})?|[a-z]{1,2})$`, "iu");
const markInside = new RegExp(`(?<=[\\s,;/|-])${MARK}\\s*`, "giu");
const markedAtStart = new RegExp(`^${MARK}\\s*(${UNIT_NAME})\\s+(\\D.*)$`, "iu");
// A number after one of these is part of the property's name: "Building 4", "Route 66".
const numberedName =
  /(?:^|\s)(?:building|bldg|block|tower|wing|phase|route|rte|highway|hwy|pier|section)\.?$/iu;
/** Separators between property and unit. A hyphen needs spaces around it, because of "Stratford-upon-Avon". */
const separator = /\s*[,;/|]\s*|\s+[-–—]\s+/gu;

/**
 * Splits one field into property and unit: "Maple Court 4B", "Maple Court / 4B", "Maple Court, Unit 4B",
 * "Apt 4B, Maple Court". Text that cannot be split is the property. A unit alone has no property.
 * Linear in the length of the text, whatever it contains, because an import calls it thousands of times.
 */
export function splitPropertyUnit(text: string): PropertyUnit {
  const written = withoutEnds(composed(text).replaceAll(/\s+/gu, " "), " ,;/|");
  if (written === "") return { property: null, unit: null };
  const alone = unitOf(written);
  if (alone) return { property: null, unit: alone };
  return atSeparator(written) ?? byMark(written) ?? byLastWord(written) ?? { property: written, unit: null };
}

/** The text without these characters at its ends. A regular expression for the end would be quadratic. */
function withoutEnds(text: string, characters: string): string {
  let [from, to] = [0, text.length];
  while (from < to && characters.includes(text.charAt(from))) from++;
  while (to > from && characters.includes(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}

/** The unit's name if the text is only a unit. */
function unitOf(text: string): string | null {
  const name = marked.exec(text)?.[1] ?? (nameOnly.test(text) ? text : null);
  return name && name.split(" ").length <= 2 ? name : null;
}

function atSeparator(text: string): PropertyUnit | null {
  const breaks = [...text.matchAll(separator)];
  const [first, last] = [breaks.at(0), breaks.at(-1)];
  if (!first || !last) return null;
  const after = text.slice(last.index + last[0].length);
  const unit = unitOf(after) ?? (shortName.test(after) ? after : null);
  if (unit) return { property: withoutEnds(text.slice(0, last.index), " ,;/|"), unit };
  const leading = unitOf(text.slice(0, first.index));
  if (!leading) return null;
  return { property: withoutEnds(text.slice(first.index + first[0].length), " ,;/|"), unit: leading };
}

function byMark(text: string): PropertyUnit | null {
  // A unit's name is the one or two last words.
  const twoWords = text.lastIndexOf(" ", text.lastIndexOf(" ") - 1) + 1;
  for (const mark of text.matchAll(markInside)) {
    const unit = text.slice(mark.index + mark[0].length);
    if (text.length - unit.length < twoWords || !/^[^,;/|]+$/u.test(unit)) continue;
    const property = withoutEnds(text.slice(0, mark.index), " ,;/|-");
    if (property !== "") return { property, unit };
  }
  const start = markedAtStart.exec(text);
  return start?.[1] && start[2] ? { property: start[2], unit: start[1] } : null;
}

function byLastWord(text: string): PropertyUnit | null {
  const space = text.lastIndexOf(" ");
  const [property, unit] = [text.slice(0, Math.max(space, 0)), text.slice(space + 1)];
  const named = nameOnly.test(unit) && /\p{L}/u.test(property) && !numberedName.test(property);
  return named ? { property, unit } : null;
}
