import { homeNumbers } from "#contract/text/home-numbers.ts";

/** How amounts and numbers are written and read in the organization's country. */

/** A text message with one of these would cost twice as much, and none of them can be typed. */
export const plainNumber = (text: string) =>
  text
    .replaceAll(/[\u061c\u200e\u200f]/g, "")
    .replaceAll(/[\u00a0\u2007\u2009\u202f]/g, " ")
    .replaceAll("\u2019", "'");

/** A decimal number ("-1234.5") as the country writes it; `digits`: at least so many after the point. */
export function writtenNumber(value: string, { digits = 0, before = "", after = "" } = {}): string {
  const { group, point, lakhs } = homeNumbers();
  const [whole = "", decimals = ""] = value.replace("-", "").split(".");
  const grouped = whole.replaceAll(lakhs ? /\d(?=(?:\d\d)*\d{3}$)/g : /\d(?=(?:\d{3})+$)/g, `$&${group}`);
  const fraction = decimals.padEnd(digits, "0");
  return `${value.startsWith("-") ? "-" : ""}${before}${grouped}${fraction === "" ? "" : point + fraction}${after}`;
}

/** An amount of the country's currency: "$1,234.50". */
export const writtenAmount = (value: string): string => writtenNumber(value, homeNumbers());

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/**
 * A number as people of the country type it, as a decimal with a point: "1.234,56" in Germany, "$1,234.56" or "(12.50)"
 * in the United States. Null if it is none there: what is ambiguous is not guessed.
 */
export function readNumber(typed: string): string | null {
  const { group, point, lakhs } = homeNumbers();
  const { bare, minuses } = unwrapped(plainNumber(typed).replaceAll("\u2212", "-"));
  if (minuses > 1) return null;
  const between = group === "" ? " " : group;
  const grouped = lakhs ? String.raw`[1-9]\d?(?:G\d\d)*G\d{3}` : String.raw`[1-9]\d{0,2}(?:G\d{3})+`;
  const found = new RegExp(
    `^((?:\\d+|${grouped.replaceAll("G", escaped(between))}))(?:${escaped(point)}(\\d+))?$`,
  ).exec(bare);
  // A point with one or two digits behind it can't be anything else.
  const pointed = found ?? /^(\d+)\.(\d{1,2})$/.exec(bare);
  const [, whole, decimals = ""] = pointed ?? [];
  if (whole === undefined) return null;
  return `${minuses > 0 ? "-" : ""}${whole.replaceAll(between, "")}${decimals === "" ? "" : `.${decimals}`}`;
}

/** Without the currency's sign, and how often it is said to be below zero: by a minus on either side, or in brackets. */
function unwrapped(text: string): { bare: string; minuses: number } {
  const { before, after } = homeNumbers();
  const written = [before.trim(), after.trim()];
  const currency = [...written, ...written.map((sign) => sign.replaceAll(/[^\p{L}\p{Sc}]/gu, ""))];
  let [bare, minuses, left] = [text.trim(), 0, currency.filter((sign) => sign !== "")];
  for (;;) {
    const sign = left.find((one) => bare.startsWith(one) || bare.endsWith(one));
    if (sign !== undefined) {
      // It stands there once.
      left = [];
      bare = bare.startsWith(sign) ? bare.slice(sign.length) : bare.slice(0, -sign.length);
    } else if (/^\(.*\)$/.test(bare)) {
      minuses += 1;
      bare = bare.slice(1, -1);
    } else if (/^-|-$/.test(bare)) {
      minuses += 1;
      bare = bare.startsWith("-") ? bare.slice(1) : bare.slice(0, -1);
    } else return { bare, minuses };
    bare = bare.trim();
  }
}
