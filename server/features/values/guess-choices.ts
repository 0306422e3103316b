import { sql } from "kysely";
import type { ValueColumn } from "#contract/calls/values.ts";
import { readDetails } from "#server/audience/details.ts";
import type { Db } from "#server/db/database.ts";
import type { SheetOfValues } from "#server/db/schema.ts";
import {
  guessHeader,
  guessProperty,
  headersAt,
  readLayout,
  readTop,
  type Sheet,
} from "#server/features/imports/guess.ts";
import { filledBy, guessColumns, keepColumns } from "#server/features/values/columns.ts";

const SAMPLE = 200;

/** How a sheet is probably meant: as a file with the same names was the last time, otherwise by its names and cells. */
export async function guessChoices(
  tx: Db,
  sheet: Sheet,
  fields: string[],
  headerLine?: number,
): Promise<SheetOfValues> {
  const header = headerLine ?? guessHeader(await readTop(tx, sheet));
  const { headers, columns: guessed } = await guessIn(tx, sheet, header, fields);
  const kept = await readLayout(tx, headers, "values");
  const columns = kept ? keepColumns(kept.columns, guessed, fields) : guessed;
  return {
    sheet: sheet.sheet,
    headerLine: header,
    columns,
    property: await propertyOf(tx, sheet, header, columns),
    decisions: {},
    fields,
    fills: filledBy(columns),
  };
}

/** What the columns below these names are probably for. */
export async function guessIn(
  tx: Db,
  sheet: { id: number; sheet: number },
  headerLine: number,
  fields: readonly string[],
): Promise<{ headers: string[]; columns: ValueColumn[] }> {
  const headers = headersAt(await readTop(tx, sheet), headerLine);
  const rows = await readSample(tx, sheet, headerLine);
  return { headers, columns: guessColumns(headers, rows, { fields, details: await readDetails(tx) }) };
}

/** The first rows, of which columns are told apart. */
export async function readSample(
  tx: Db,
  { id, sheet }: { id: number; sheet: number },
  headerLine: number,
): Promise<string[][]> {
  const { rows } = await sql<{ cells: string[] }>`
    SELECT cells FROM import_rows r WHERE import_id = ${id} AND sheet = ${sheet} AND line > ${headerLine}
    ORDER BY line LIMIT ${SAMPLE}`.execute(tx);
  return rows.map(({ cells }) => cells);
}

/** The property that only a title names. */
export async function propertyOf(
  tx: Db,
  sheet: Sheet,
  header: number,
  columns: readonly ValueColumn[],
): Promise<string> {
  const mapping = columns.map((one) => {
    if (!one || !("finds" in one)) return null;
    if (one.finds === "home") return "propertyUnit";
    return one.finds === "property" ? "property" : null;
  });
  const top = await readTop(tx, sheet);
  return (await guessProperty(tx, sheet, { top, header, mapping })).property;
}
