import { fold } from "#contract/text/fold.ts";
import { dayText } from "#contract/text/home-dates.ts";
import { homeNumbers } from "#contract/text/home-numbers.ts";
import type { DetailKind } from "#contract/text/kept-details.ts";
import { readNumber, writtenAmount, writtenNumber } from "#contract/text/number-text.ts";
import { fieldNamed, selfFilledFields } from "#contract/text/message-fields.ts";

/** What an organization keeps of each person beside the written columns: a balance, a storage number. */

/** What other parts of a message are called; a detail of that name would never be used. */
const RESERVED = [...selfFilledFields, "one_time_link", "link_expires", "recipient", "decision"];
const joined = (field: string) => field.replaceAll("_", "");
const reserved = new Set(RESERVED.map((field) => joined(field)));

/** Whether a field of that name has a meaning of its own. */
export const isReservedField = (field: string): boolean => reserved.has(joined(field));

/**
 * The field that messages write for a detail of this label: "Balance due (€)" is `balance_due`. A label without Latin
 * letters has none of its own.
 */
export function detailField(label: string): string | null {
  const words = fold(label)
    .replaceAll(/[^a-z0-9]+/g, " ")
    .trim();
  return fieldNamed(words.slice(0, 64).trim());
}

const LARGEST = /^-?\d{1,12}(?:\.\d{1,6})?$/;

/**
 * A value as it is stored: a decimal with a point, a day as yyyy-MM-dd, or a text. Null if it is none of that kind.
 * An amount has the decimals of the organization's currency.
 */
export function storedDetail(kind: DetailKind, text: string): string | null {
  switch (kind) {
    case "text":
      return text;
    case "date":
      return isDay(text) ? text : null;
    case "number":
      return LARGEST.test(text) ? plainDecimal(text, 0) : null;
    case "amount": {
      const { digits } = homeNumbers();
      const amount = LARGEST.test(text) ? plainDecimal(text, digits) : null;
      return amount !== null && (amount.split(".")[1] ?? "").length <= digits ? amount : null;
    }
    default:
      return kind satisfies never;
  }
}

/** "-007.50" → "-7.5", with at least so many decimals. */
function plainDecimal(text: string, digits: number): string {
  const [whole = "", decimals = ""] = text.replace("-", "").split(".");
  const fraction = decimals.replace(/0+$/, "").padEnd(digits, "0");
  const number = whole.replace(/^0+(?=\d)/, "") + (fraction === "" ? "" : `.${fraction}`);
  return text.startsWith("-") && /[1-9]/.test(number) ? `-${number}` : number;
}

function isDay(text: string): boolean {
  if (!/^(?:19|2\d)\d\d-\d\d-\d\d$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** A stored value as people read it, and as messages have it: "$1,234.50", "November 25, 2026". */
export function writtenDetail(kind: DetailKind, value: string): string {
  switch (kind) {
    case "text":
      return value;
    case "number":
      return writtenNumber(value);
    case "amount":
      return writtenAmount(value);
    case "date":
      return dayText(value, "long");
    default:
      return kind satisfies never;
  }
}

/** A stored value as it stands in a field, and `readDetail` reads it: "1,234.50". */
export function typedDetail(kind: DetailKind, value: string): string {
  if (value === "") return "";
  if (kind === "amount") return writtenNumber(value, { digits: homeNumbers().digits });
  return kind === "number" ? writtenNumber(value) : value;
}

/** What someone of the organization's country types, as it is stored; null if it is none of that kind. */
export function readDetail(kind: DetailKind, typed: string): string | null {
  if (kind !== "number" && kind !== "amount") return storedDetail(kind, typed);
  const number = readNumber(typed);
  return number === null ? null : storedDetail(kind, number);
}

/** How the organization's country writes a value of this kind: "1,234.50". */
export const detailExample = (kind: DetailKind): string =>
  ({ text: "", number: writtenNumber("1234.5"), amount: writtenAmount("1234.50"), date: "" })[kind];
