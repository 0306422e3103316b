import { DECISION } from "#contract/calls/csv.ts";
import {
  type CsvField,
  csvFields,
  furtherColumns,
  missingColumns,
  recognizeColumns,
  withFurther,
} from "#contract/text/csv-header.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import type { Detail } from "#contract/text/kept-details.ts";
import { cellText } from "#server/features/csv/read-row.ts";
import type { Columns } from "#server/features/csv/refused-rows.ts";

export type ImportRow = Readonly<Record<string, string>>;

/** A column of numbers or addresses beside the best one. */
type Further = { key: string; field: "email" | "phone"; label: string };

/** The caller's keys by what they mean. Throws invalid-input if the name columns are missing. @param dates also of homes */
export function columnsOf(
  rows: readonly ImportRow[],
  details: readonly Detail[],
  dates: boolean | undefined,
): {
  columns: Columns;
  further: Further[];
  ignoredColumns: string[];
} {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const meanings = recognizeColumns(keys, details, { dates });
  const missing = missingColumns(meanings);
  if (missing !== null) throw refusal("columns-missing", { sentence: missing });
  const further = furtherColumns(keys, meanings);
  const besides = new Set(further.map(({ place }) => place));
  return {
    columns: new Map(
      meanings.flatMap((meaning, place) =>
        meaning && !besides.has(place) ? [[meaning, keys[place] ?? ""]] : [],
      ),
    ),
    further: further.map(({ place, field, label }) => ({ key: keys[place] ?? "", field, label })),
    ignoredColumns: keys.filter((key, place) => !meanings[place] && key !== DECISION),
  };
}

/** A row's cells by their fields, with its further numbers and addresses. */
export function byField(
  cells: ImportRow,
  columns: Columns,
  further: readonly Further[],
): Map<CsvField, string> {
  const texts = new Map(
    csvFields.flatMap((field): [CsvField, string][] => {
      const key = columns.get(field);
      return key === undefined ? [] : [[field, cellText(cells[key] ?? "", field)]];
    }),
  );
  for (const [field, own] of Map.groupBy(further, (one) => one.field)) {
    const others = own.map((one) => ({ ...one, text: cellText(cells[one.key] ?? "", field) }));
    texts.set(field, withFurther(texts.get(field) ?? "", others));
  }
  return texts;
}
