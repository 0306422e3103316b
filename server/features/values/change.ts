import { sql } from "kysely";
import type { values as calls } from "#contract/calls/values.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { readDetails } from "#server/audience/details.ts";
import { type Db, transaction } from "#server/db/database.ts";
import type { SheetOfValues } from "#server/db/schema.ts";
import {
  guessHeader,
  guessProperty,
  headersAt,
  readTop,
  type Sheet,
} from "#server/features/imports/guess.ts";
import { stageWorkbook } from "#server/features/imports/stage.ts";
import { writeCells } from "#server/features/imports/staged.ts";
import { readHomeCountry } from "#server/features/people/home-country.ts";
import { fillable, filledBy, guessColumns } from "#server/features/values/columns.ts";
import { matchRows } from "#server/features/values/match-rows.ts";
import { headersOf } from "#server/features/values/overview.ts";
import { findChangeable, findValues, type StagedValues } from "#server/features/values/staged-values.ts";

type Uploaded = { name: string; bytes: Buffer; fields: string; userId: number };

/** Reads a file and finds whom its rows are for. Answers its id. Throws unsupported-file, too-many-requests. */
export async function uploadValues(db: Db, { fields, ...upload }: Uploaded): Promise<number> {
  const named = fillable(fields.split(",").filter((field) => field !== ""));
  const id = await stageWorkbook(db, {
    ...upload,
    purpose: "values",
    choose: (tx, sheet) => guess(tx, sheet, named),
  });
  await transaction(db, async (tx) => {
    await matchRows(tx, await findValues(tx, id, upload.userId, true), await readHomeCountry(tx));
  });
  return id;
}

const SAMPLE = 200;

/** How a sheet is probably meant. */
async function guess(tx: Db, sheet: Sheet, fields: string[], headerLine?: number): Promise<SheetOfValues> {
  const top = await readTop(tx, sheet);
  const header = headerLine ?? guessHeader(top);
  const { rows } = await sql<{ cells: string[] }>`
    SELECT cells FROM import_rows r WHERE import_id = ${sheet.id} AND sheet = ${sheet.sheet} AND line > ${header}
    ORDER BY line LIMIT ${SAMPLE}`.execute(tx);
  const details = await readDetails(tx);
  const samples = rows.map(({ cells }) => cells);
  const columns = guessColumns(headersAt(top, header), samples, { fields, details });
  const mapping = columns.map((one) => {
    if (!one || !("finds" in one)) return null;
    return one.finds === "home" ? "propertyUnit" : one.finds;
  });
  const { property } = await guessProperty(tx, sheet, { top, header, mapping });
  const { sheet: place } = sheet;
  return {
    sheet: place,
    headerLine: header,
    columns,
    property,
    decisions: {},
    fields,
    fills: filledBy(columns),
  };
}

/** Changes how a file is read, and finds whom its rows are for anew. Another sheet or row of names begins anew. */
export async function changeValues(
  db: Db,
  id: number,
  change: BodyOf<typeof calls.change>,
  userId: number,
): Promise<StagedValues> {
  return transaction(db, async (tx) => {
    const values = await findChangeable(tx, id, userId);
    const { sheet = values.choices.sheet, headerLine, columns, property, decisions } = change;
    const fields = change.fields ? fillable(change.fields) : values.choices.fields;
    const found = values.sheets[sheet];
    if (!found || found.trouble || found.rows === 0)
      throw refusal("import-not-ready", { sentence: "Choose a sheet that can be read" });
    const anew = sheet !== values.choices.sheet || headerLine !== undefined;
    const named = { id, name: values.name, sheet, sheetName: found.name };
    const choices = anew ? await guess(tx, named, fields, headerLine) : { ...values.choices, fields };
    if (columns) {
      const { length } = await headersOf(tx, { ...values, choices });
      choices.columns = Array.from({ length }, (_, place) => columns[place] ?? null);
    }
    if (property !== undefined) choices.property = property;
    if (decisions) {
      const all = Object.entries({ ...choices.decisions, ...decisions });
      choices.decisions = Object.fromEntries(all.filter(([, decision]) => decision !== ""));
    }
    // Cells of another sheet would keep what was found there.
    if (sheet !== values.choices.sheet) await forgetTroubles(tx, values);
    const changed = { ...values, choices };
    await matchRows(tx, changed, await readHomeCountry(tx));
    return changed;
  });
}

async function forgetTroubles(tx: Db, { id }: StagedValues): Promise<void> {
  await sql`UPDATE import_rows SET troubles = NULL WHERE import_id = ${id} AND troubles IS NOT NULL`.execute(
    tx,
  );
}

/** Writes other texts into cells, and finds whom the rows are for anew. */
export async function fixValues(
  db: Db,
  id: number,
  cells: BodyOf<typeof calls.fix>["cells"],
  userId: number,
): Promise<StagedValues> {
  return transaction(db, async (tx) => {
    const values = await findChangeable(tx, id, userId);
    await writeCells(tx, { id, sheet: values.choices.sheet }, cells);
    await matchRows(tx, values, await readHomeCountry(tx));
    return values;
  });
}
