import type { FindingColumn, ValueColumn, ValuesProblem } from "#contract/calls/values.ts";
import { type ColumnMeaning, recognizeColumns } from "#contract/text/csv-header.ts";
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
};

/** What the columns are probably for, by their names and the first rows. */
export function guessColumns(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  { fields, details }: { fields: readonly string[]; details: readonly Detail[] },
): ValueColumn[] {
  const meanings = recognizeColumns(headers);
  const taken = new Set<string>();
  return headers.map((header, place) => {
    const field = fieldOf(header, fields, details);
    if (field !== undefined && !taken.has(field)) {
      taken.add(field);
      const kind = details.find((one) => one.field === field)?.kind;
      const texts = rows.map((cells) => cellOf(cells[place])).filter((text) => text !== "");
      return { field, as: kind ?? kindOf(field, texts) };
    }
    const finds = finding[meanings[place] ?? "role"];
    return finds ? { finds } : null;
  });
}

/** The message's field that a column is named after. */
function fieldOf(header: string, fields: readonly string[], details: readonly Detail[]): string | undefined {
  const named = fieldNamed(header.replaceAll(/[^\p{L}\p{N}]+/gu, " "));
  const labelled = details.find(({ label }) => label.toLowerCase() === header.trim().toLowerCase())?.field;
  return fields.find((field) => field === named || field === labelled);
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
  if (most(isMoney) || (MONEY.test(field) && texts.some(isNumber))) return "amount";
  return most(isDay) || (DAY.test(field) && texts.some(isDay)) ? "date" : "text";
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
  fields.filter((field) => !isSelfFilled(field));

export const filledBy = (columns: readonly ValueColumn[]): string[] =>
  columns.flatMap((column) => (column && "field" in column ? [column.field] : []));

/** Why no row can be used with these columns; null: they can be. */
export function problemOf(columns: readonly ValueColumn[]): ValuesProblem | null {
  const finds = columns.flatMap((column) => (column && "finds" in column ? [column.finds] : []));
  if (!finds.some((one) => one !== "property")) return "no-one-found";
  return filledBy(columns).length === 0 ? "no-field" : null;
}
