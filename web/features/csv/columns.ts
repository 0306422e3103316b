import {
  type ColumnMeaning,
  type CsvField,
  csvFields,
  meaningOf,
  residentFields,
  residentOf,
} from "#contract/text/csv-header.ts";

/** What each column of a file holds, by its place; null: it is not imported. */
export type Mapping = readonly (ColumnMeaning | null)[];
type Columns = { headers: readonly string[]; mapping: Mapping };

/** The file's header of a field of a resident. */
export function headerOf({ headers, mapping }: Columns, field: CsvField, resident: number): string {
  return headers[mapping.indexOf(meaningOf(field, resident))] ?? field;
}

/** The mapping with one column changed. Another column with the same meaning loses it, unless several may have it. */
export function withChoice(mapping: Mapping, place: number, choice: ColumnMeaning | null): Mapping {
  return mapping.map((meaning, other) => {
    if (other === place) return choice;
    return meaning === choice && choice !== "otherContacts" ? null : meaning;
  });
}

/** What a column can hold: our fields, and those of further residents if the file has such columns. */
export function choicesIn(mapping: Mapping): ColumnMeaning[] {
  const residents = Math.max(...mapping.map((meaning) => (meaning ? residentOf(meaning) : 1)));
  const further = Array.from({ length: residents - 1 }, (_, n) =>
    residentFields.map((field) => meaningOf(field, n + 2)),
  );
  return [...csvFields, ...further.flat()];
}
