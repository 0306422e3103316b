import { dateFromSerial, format, isDateFormat } from "numfmt";
import { type DateForm, homeDates } from "#contract/text/home-dates.ts";
import { homeNumbers } from "#contract/text/home-numbers.ts";

/** How a number looks in its cell. */

const GENERAL = "General";
// The formats that a workbook only names by number. Those of dates follow the computer's country.
const builtIn: Readonly<Record<number, string>> = {
  1: "0",
  2: "0.00",
  3: "#,##0",
  4: "#,##0.00",
  5: '"$"#,##0_);\\("$"#,##0\\)',
  6: '"$"#,##0_);\\("$"#,##0\\)',
  7: '"$"#,##0.00_);\\("$"#,##0.00\\)',
  8: '"$"#,##0.00_);\\("$"#,##0.00\\)',
  9: "0%",
  10: "0.00%",
  11: "0.00E+00",
  12: "# ?/?",
  13: "# ??/??",
  15: "d-mmm-yy",
  16: "d-mmm",
  17: "mmm-yy",
  18: "h:mm AM/PM",
  19: "h:mm:ss AM/PM",
  20: "h:mm",
  21: "h:mm:ss",
  37: "#,##0_);\\(#,##0\\)",
  38: "#,##0_);\\(#,##0\\)",
  39: "#,##0.00_);\\(#,##0.00\\)",
  40: "#,##0.00_);\\(#,##0.00\\)",
  41: '_(* #,##0_);_(* \\(#,##0\\);_(* "-"_);_(@_)',
  42: '_("$"* #,##0_);_("$"* \\(#,##0\\);_("$"* "-"_);_(@_)',
  43: '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)',
  44: '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)',
  45: "mm:ss",
  46: "[h]:mm:ss",
  47: "mm:ss.0",
  48: "##0.0E+0",
  49: "@",
};

/** The pattern of a format: the workbook's own by that number, or a built-in one. */
export function patternOf(id: number, own: ReadonlyMap<number, string>): string {
  return (
    own.get(id) ?? builtIn[id] ?? (id === 14 ? dayPattern() : id === 22 ? `${dayPattern()} h:mm` : GENERAL)
  );
}

function dayPattern({ order, separator }: DateForm = homeDates()): string {
  return { mdy: ["m", "d", "yyyy"], dmy: ["d", "m", "yyyy"], ymd: ["yyyy", "mm", "dd"] }[order].join(
    `\\${separator}`,
  );
}

/** Days between the two calendars that Excel counts in. */
const FROM_1904 = 1462;

/**
 * A number as its format shows it on a computer of the home country; one that nobody formatted, with all its digits. A
 * day whose format has another order than the home country's is written in that one, or it would be read as another day.
 */
export function numberLooks(value: number, pattern: string, from1904: boolean): string {
  if (pattern === GENERAL) return plainNumber(value);
  try {
    if (!isDateFormat(pattern)) {
      const look = atHome(format(pattern, value, { throws: true }).trim());
      // Accounting shows nothing as a dash.
      return value === 0 && /^[^\d\p{L}]*-[^\d\p{L}]*$/u.test(look) ? "0" : look;
    }
    const day = from1904 ? value + FROM_1904 : value;
    if (!isOtherOrder(pattern)) return format(pattern, day, { throws: true }).trim();
    return TIME.test(pattern) ? `${dayOf(day)} ${format("hh:mm", day)}` : dayOf(day);
  } catch {
    return plainNumber(value);
  }
}

// Excel writes a long phone number as 4.47912E+11, which no one means.
const plainNumber = (value: number) =>
  Number.isSafeInteger(value) ? String(value) : atHome(format(GENERAL, value));

/** Formats are written with a comma between thousands and a decimal point. Excel shows them as the country does. */
function atHome(number: string): string {
  const { group, point } = homeNumbers();
  return number.replaceAll(/[.,](?=\d)/g, (mark) => (mark === "," ? group || " " : point));
}

/** The part of a format that shows the time of day. */
const TIME = /h+\W+m+(?:\W+s+(?:\.0+)?)?(?:\s*am\/pm)?/i;

/** Whether a format shows day and month as numbers, and not in the home country's order. */
function isOtherOrder(pattern: string): boolean {
  const parts = pattern
    .toLowerCase()
    .replaceAll(/"[^"]*"|\\.|\[[^\]]*\]/g, "")
    .replace(TIME, "");
  if (/[hs]|mmm|ddd/.test(parts)) return false;
  const at = { d: parts.indexOf("d"), m: parts.indexOf("m"), y: parts.indexOf("y") };
  if (Math.min(at.d, at.m, at.y) === -1) return false;
  const order = at.y < Math.min(at.d, at.m) ? "ymd" : at.d < at.m ? "dmy" : "mdy";
  return order !== "ymd" && order !== homeDates().order;
}

function dayOf(serial: number): string {
  const [year = 0, month = 0, day = 0] = dateFromSerial(serial);
  return dayLooks(
    [String(year).padStart(4, "0"), ...[month, day].map((part) => String(part).padStart(2, "0"))].join("-"),
  );
}

/** A day or moment in ISO form, as the home country writes days. */
export function dayLooks(iso: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(iso) ?? [];
  if (!year || !month || !day) return iso;
  const { order, separator } = homeDates();
  const [m, d] = [String(Number(month)), String(Number(day))];
  return { mdy: [m, d, year], dmy: [d, m, year], ymd: [year, month, day] }[order].join(separator);
}
