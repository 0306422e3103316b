import { type ColumnMeaning, columnMeaning, csvColumns } from "#contract/csv-header.ts";

/** What each column of a file, by its place, is taken for; null: it is not imported. */
export type Mapping = readonly (ColumnMeaning | null)[];

/** What was chosen for columns that their names alone do not explain, by header in small letters. */
export type Remembered = Readonly<Record<string, ColumnMeaning | null>>;

export const meanings: readonly ColumnMeaning[] = [...csvColumns, "property"];

// A file without a header gets such names; they say nothing of the next file.
const MADE_UP = /^Column \d+$/;
export const madeUpHeader = (place: number) => `Column ${place + 1}`;
export const isMadeUp = (header: string) => MADE_UP.test(header);

const key = (header: string) => header.trim().toLowerCase();

/** A file's columns as they were chosen before, else as their names say. */
export function mappingOf(headers: readonly string[], remembered: Remembered = {}): Mapping {
  return headers.map((header) => {
    const chosen = remembered[key(header)];
    return chosen === undefined ? (columnMeaning(header) ?? null) : chosen;
  });
}

/** The mapping with one column chosen anew; a column that had the same meaning gives it up. */
export function withChoice(mapping: Mapping, place: number, choice: ColumnMeaning | null): Mapping {
  return mapping.map((meaning, other) => {
    if (other === place) return choice;
    return meaning === choice ? null : meaning;
  });
}

/** What of a mapping the names alone would not say, and what earlier choices it takes back. */
export function toRemember(
  headers: readonly string[],
  mapping: Mapping,
  remembered: Remembered = {},
): Remembered {
  const next = new Map(Object.entries(remembered));
  for (const [place, header] of headers.entries()) {
    const meaning = mapping[place] ?? null;
    if (header.trim() === "" || isMadeUp(header)) continue;
    if (meaning === (columnMeaning(header) ?? null)) next.delete(key(header));
    else next.set(key(header), meaning);
  }
  return Object.fromEntries(next);
}

/** Under what key a column is sent: by its own name where that says it, else by ours. */
export function sentKey(header: string, meaning: ColumnMeaning): string {
  return columnMeaning(header) === meaning ? header : meaning;
}
