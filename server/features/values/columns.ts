import type { FindingColumn, ValueColumn, ValuesProblem } from "#contract/calls/values.ts";
import { type ColumnMeaning, recognizeColumns } from "#contract/text/csv-header.ts";
import { fold } from "#contract/text/fold.ts";
import type { Detail, DetailKind } from "#contract/text/kept-details.ts";
import { fieldNamed, isSelfFilled } from "#contract/text/message-fields.ts";
import { readNumber } from "#contract/text/number-text.ts";
import { cellOf } from "#contract/text/sheet-columns.ts";
import { readCell } from "#server/features/csv/detail-cell.ts";

const finding: Partial<Record<ColumnMeaning, FindingColumn>> = {
  username: "username",
  email: "email",
  phone: "phone",
  propertyUnit: "home",
  property: "property",
  fullName: "name",
};

/** The columns that find someone by themselves. */
export const findsAlone = (column: ValueColumn): boolean =>
  column !== null && "finds" in column && column.finds !== "property" && column.finds !== "name";

type Known = { fields: readonly string[]; details: readonly Detail[] };

/** What the columns are probably for, by their names and the first rows. */
export function guessColumns(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  { fields, details }: Known,
): ValueColumn[] {
  const meanings = recognizeColumns(headers);
  const byPlace = fieldsByPlace(headers, { fields, details }, (place) => meanings[place] === null);
  const columns = headers.map((_, place): ValueColumn => {
    const field = byPlace.get(place);
    if (field !== undefined) return { field, as: kindIn(field, place, rows, details) };
    const meaning = meanings[place] ?? "role";
    // Of a couple, the first names differ.
    const isName = meaning === "firstName" && !meanings.includes("fullName");
    const finds = isName ? "name" : finding[meaning];
    return finds ? { finds } : null;
  });
  return isByHome(columns) && !hasHomeTwice(columns, rows) ? columns.map(withoutName) : columns;
}

const placeOf = (columns: readonly ValueColumn[], finds: FindingColumn) =>
  columns.findIndex((column) => column && "finds" in column && column.finds === finds);
const withoutName = (column: ValueColumn) =>
  column && "finds" in column && column.finds === "name" ? null : column;

/** Each row is for everyone who leases its home, whomever it names, unless others of them have rows of their own. */
const isByHome = (columns: readonly ValueColumn[]) =>
  (["username", "email", "phone"] as const).every((finds) => placeOf(columns, finds) === -1);

function hasHomeTwice(columns: readonly ValueColumn[], rows: readonly (readonly string[])[]): boolean {
  const [home, property] = [placeOf(columns, "home"), placeOf(columns, "property")];
  const named = rows.map((cells) => [cellOf(cells[property]), cellOf(cells[home])] as const);
  const homes = named.filter(([, text]) => text !== "").map((one) => fold(one.join("\n")));
  return new Set(homes).size < homes.length;
}

/** The columns that are named after a field, or of whose other names a single one contains its words. */
function fieldsByPlace(
  headers: readonly string[],
  { fields, details }: Known,
  isOpen: (place: number) => boolean,
): Map<number, string> {
  const found = new Map<number, string>();
  for (const field of fields) {
    const label = details.find((one) => one.field === field)?.label ?? field;
    const named = headers.findIndex((header) => [plain(field), plain(label)].includes(plain(header)));
    if (named !== -1 && !found.has(named)) found.set(named, field);
  }
  const filled = new Set(found.values());
  for (const field of fields.filter((one) => !filled.has(one))) {
    const words = field.split("_");
    const places = [...headers.keys()].filter((place) => {
      const own = wordsIn(headers[place]!);
      return isOpen(place) && !found.has(place) && words.every((word) => own.includes(word));
    });
    if (places.length === 1) found.set(places[0]!, field);
  }
  return found;
}

/** The words of a text, folded. */
export const wordsIn = (text: string): string[] =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
/** "Due Date", "due-date" and "DueDate" are one. */
const plain = (text: string) => wordsIn(text).join("");

/** How the cells of a field are read: as its detail is kept, or as its name and they say. */
export function kindIn(
  field: string,
  place: number,
  rows: readonly (readonly string[])[],
  details: readonly Detail[],
): DetailKind {
  const texts = rows.map((cells) => cellOf(cells[place])).filter((text) => text !== "");
  return details.find((one) => one.field === field)?.kind ?? kindOf(field, texts);
}

const MONEY = /(?:^|_)(?:amount|balance|charge|cost|deposit|fee|payment|price|rent|sum|total)s?(?:_|$)/;
const DAY = /(?:^|_)(?:date|day|deadline)(?:_|$)/;

/**
 * Numbers of storage rooms have zeros to lose: only what is surely money or a day is read as such, by its name or by nearly
 * all of its cells.
 */
function kindOf(field: string, texts: readonly string[]): DetailKind {
  const isNumber = (text: string) => readCell("amount", text) !== null;
  const isDay = (text: string) => readCell("date", text) !== null;
  const most = (reads: (text: string) => boolean) =>
    texts.length > 0 && texts.filter(reads).length * 10 > texts.length * 9;
  const some = (reads: (text: string) => boolean) => texts.length === 0 || texts.some(reads);
  if (most(isMoney) || (MONEY.test(field) && some(isNumber))) return "amount";
  return most(isDay) || (DAY.test(field) && some(isDay)) ? "date" : "text";
}

const isMoney = (text: string) =>
  readCell("amount", text) !== null &&
  (/\p{Sc}/u.test(text) || readNumber(text)?.split(".")[1]?.length === 2);

/** Columns as they were chosen before, for these fields; what is new among the fields has the columns of its name. */
export function keepColumns(
  before: readonly ValueColumn[],
  guessed: readonly ValueColumn[],
  fields: readonly string[],
): ValueColumn[] {
  const kept = guessed.map((_, place) => {
    const column = before[place] ?? null;
    return column && "field" in column && !fields.includes(column.field) ? null : column;
  });
  const filled = filledBy(kept);
  return guessed.map((guess, place) => {
    const isNew = guess && "field" in guess && !filled.includes(guess.field);
    return kept[place] ?? (isNew ? guess : null);
  });
}

/** Each field and each way to find people has one column, the first. */
export function withoutRepeated(columns: readonly ValueColumn[]): ValueColumn[] {
  const seen = new Set<string>();
  return columns.map((column) => {
    const key = column && ("finds" in column ? `finds ${column.finds}` : column.field);
    if (key === null || seen.has(key)) return null;
    seen.add(key);
    return column;
  });
}

/** The message's fields that a file can fill. */
export const fillable = (fields: readonly string[]): string[] =>
  fields.filter((field) => fieldNamed(field) === field && !isSelfFilled(field));

export const filledBy = (columns: readonly ValueColumn[]): string[] =>
  columns.flatMap((column) => (column && "field" in column ? [column.field] : []));

/** Why no row can be used with these columns; null: they can be. */
export function problemOf(columns: readonly ValueColumn[]): ValuesProblem | null {
  if (!columns.some(findsAlone)) return "no-one-found";
  return filledBy(columns).length === 0 ? "no-field" : null;
}
