import { unguardFormula } from "#contract/text/csv-cells.ts";
import {
  type ColumnMeaning,
  type CsvField,
  csvFields,
  dateFields,
  detailIn,
  furtherColumns,
  meaningOf,
  residentFields,
  residentOf,
  withFurther,
} from "#contract/text/csv-header.ts";

/** What each column of a file holds, by its place; null: it is not imported. */
export type Mapping = readonly (ColumnMeaning | null)[];
type Columns = { headers: readonly string[]; mapping: Mapping };

/** The file's header of a resident's field or detail. */
export function headerOf({ headers, mapping }: Columns, key: string, resident: number): string {
  return headers[placeOf(mapping, key, resident)] ?? key;
}

/** The place of the column with a resident's field or detail; -1 if there is none. */
export function placeOf(mapping: Mapping, key: string, resident: number): number {
  const place = mapping.indexOf(meaningOf(key as CsvField, resident));
  return place === -1 ? mapping.indexOf(`detail:${key}`) : place;
}

/** The mapping with one column changed. Another column with the same meaning loses it, unless several may have it. */
export function withChoice(mapping: Mapping, place: number, choice: ColumnMeaning | null): Mapping {
  return mapping.map((meaning, other) => {
    if (other === place) return choice;
    return meaning === choice && choice !== "otherContacts" ? null : meaning;
  });
}

/** What a column can hold: our fields, those of further residents if the file has such columns, and details. */
export function choicesIn(mapping: Mapping, details: readonly { field: string }[] = []): ColumnMeaning[] {
  const residents = Math.max(...mapping.map((meaning) => (meaning ? residentOf(meaning) : 1)));
  const further = Array.from({ length: residents - 1 }, (_, n) =>
    residentFields.map((field) => meaningOf(field, n + 2)),
  );
  return [...csvFields, ...further.flat(), ...details.map(({ field }) => `detail:${field}` as const)];
}

/** One person as an import takes them: cells by field. */
export type PersonRow = Record<string, string>;

export type RowReader = {
  /** The residents that a row has cells of, otherwise the first one. */
  residentsIn: (cells: readonly string[]) => number[];
  rowOf: (cells: readonly string[], resident: number) => PersonRow;
};

/** A cell's text without what guards it in a spreadsheet. */
export const cellOf = (cell: string | undefined) => unguardFormula(cell ?? "").trim();

/** Reads the people in the rows of a file with these columns. */
export function rowReader(headers: readonly string[], mapping: Mapping): RowReader {
  const further = furtherColumns(headers, mapping);
  const besides = new Set(further.map(({ place }) => place));
  const lists = [...mapping.keys()].filter(
    (place) => mapping[place] === "otherContacts" && !besides.has(place),
  );
  return {
    residentsIn(cells) {
      const found = new Set<number>();
      for (const [place, meaning] of mapping.entries()) {
        const own = residentFields.some((field) => field === meaning?.split(" ")[0]);
        const ofHome = ["homeRole", ...dateFields].some((field) => field === meaning?.split(" ")[0]);
        if (meaning && own && !ofHome && cellOf(cells[place]) !== "") found.add(residentOf(meaning));
      }
      if (found.size === 0) found.add(1);
      return [...found].sort((a, b) => a - b);
    },
    rowOf(cells, resident) {
      const row: PersonRow = {};
      for (const field of csvFields) {
        // A username is one person's.
        if (field === "username" && resident > 1) continue;
        const own = mapping.indexOf(meaningOf(field, resident));
        const place = own === -1 && dateFields.some((one) => one === field) ? mapping.indexOf(field) : own;
        if (place !== -1) row[field] = (cells[place] ?? "").trim();
      }
      // A balance is of the home's first name, as its other contacts are.
      for (const [place, meaning] of resident > 1 ? [] : mapping.entries()) {
        const field = detailIn(meaning);
        if (field !== null) row[field] = cellOf(cells[place]);
      }
      if (lists.length === 0 || resident > 1) delete row["otherContacts"];
      else
        row["otherContacts"] = lists
          .map((place) => cellOf(cells[place]))
          .filter(Boolean)
          .join("; ");
      for (const [field, own] of resident > 1 ? [] : Map.groupBy(further, (one) => one.field)) {
        const others = own.map((one) => ({ ...one, text: cellOf(cells[one.place]) }));
        row[field] = withFurther(row[field] ?? "", others);
      }
      return row;
    },
  };
}
