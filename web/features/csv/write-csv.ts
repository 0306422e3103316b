import Papa from "papaparse";
import { guardFormula } from "#contract/text/csv-cells.ts";

/** Rows as the text of a file that a spreadsheet opens without calculating anything. */
export function writeCsv(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [headers, ...rows].map((row) => row.map(guardFormula));
  return Papa.unparse(cells, { newline: "\r\n" });
}

/** The export's reply as a file: the first object's keys are the header. Empty for no one. */
export function writeExport(people: readonly Record<string, unknown>[]): string {
  const headers = Object.keys(people[0] ?? {});
  if (headers.length === 0) return "";
  return writeCsv(
    headers,
    people.map((person) => headers.map((header) => cellOf(person[header]))),
  );
}

function cellOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === null || value === undefined ? "" : JSON.stringify(value);
}
