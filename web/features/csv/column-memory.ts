import type { ColumnMeaning } from "#contract/csv-header.ts";
import { type Mapping, meanings, type Remembered, toRemember } from "#web/features/csv/column-choices.ts";

const KEY = "csv-columns";

const isMeaning = (value: unknown): value is ColumnMeaning =>
  (meanings as readonly unknown[]).includes(value);

/** The choices that were imported with in this browser; none where it keeps nothing. */
export function recallColumns(): Remembered {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(
      Object.entries(kept).filter(
        (entry): entry is [string, ColumnMeaning | null] => entry[1] === null || isMeaning(entry[1]),
      ),
    );
  } catch {
    return {};
  }
}

export function rememberColumns(headers: readonly string[], mapping: Mapping): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(toRemember(headers, mapping, recallColumns())));
  } catch {
    // A browser that keeps nothing asks again next time.
  }
}
