import type { ChosenColumn, ValueColumn, values as calls } from "#contract/calls/values.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { isSelfFilled } from "#contract/text/message-fields.ts";
import { readDetails } from "#server/audience/details.ts";
import { type Db, transaction } from "#server/db/database.ts";
import type { SheetOfValues } from "#server/db/schema.ts";
import { keepLayout } from "#server/features/imports/guess.ts";
import { stageWorkbook } from "#server/features/imports/stage.ts";
import { writeCells } from "#server/features/imports/staged.ts";
import { readHomeCountry } from "#server/features/people/home-country.ts";
import { fillable, filledBy, keepColumns, kindIn, withoutRepeated } from "#server/features/values/columns.ts";
import { guessChoices, guessIn, propertyOf, readSample } from "#server/features/values/guess-choices.ts";
import { matchRows, rematchRows } from "#server/features/values/match-rows.ts";
import { headersOf } from "#server/features/values/overview.ts";
import { findChangeable, findValues, type StagedValues } from "#server/features/values/staged-values.ts";

type Uploaded = { name: string; bytes: Buffer; fields: string; userId: number };

/** Reads a file and finds whom its rows are for. Answers its id. Throws unsupported-file, too-many-requests. */
export async function uploadValues(db: Db, { fields, ...upload }: Uploaded): Promise<number> {
  const named = fillable(fields.split(",").flatMap((field) => field.trim() || []));
  return stageWorkbook(db, {
    ...upload,
    purpose: "values",
    choose: (tx, sheet) => guessChoices(tx, sheet, named),
    finish: async (tx, id) =>
      matchRows(tx, await findValues(tx, id, upload.userId), await readHomeCountry(tx)),
  });
}

type Change = BodyOf<typeof calls.change>;

/** Changes how a file is read, and finds whom its rows are for anew. Another sheet or row of names begins anew. */
export async function changeValues(
  db: Db,
  id: number,
  change: Change,
  userId: number,
): Promise<StagedValues> {
  return transaction(db, async (tx) => {
    const values = await findChangeable(tx, id, userId);
    const { decisions, ...reading } = change;
    const isRead = Object.values(reading).every((one) => one === undefined);
    const read = isRead ? values : { ...values, choices: await choicesAfter(tx, values, change) };
    const changed = decisions ? withDecisions(read, decisions) : read;
    await saveChoices(tx, changed);
    const country = await readHomeCountry(tx);
    if (isRead) await rematchRows(tx, changed, country, Object.keys(decisions ?? {}).map(Number));
    else await matchRows(tx, changed, country);
    return changed;
  });
}

async function choicesAfter(
  tx: Db,
  values: StagedValues,
  { sheet = values.choices.sheet, headerLine, columns, property, fields: given }: Change,
): Promise<SheetOfValues> {
  const { choices: before, sheets, id, name } = values;
  const found = sheets[sheet];
  if (!found || found.trouble || found.rows === 0)
    throw refusal("import-not-ready", { sentence: "Choose a sheet that can be read" });
  const fields = given ? fillable(given) : before.fields;
  const place = { id, name, sheet, sheetName: found.name };
  const anew = sheet !== before.sheet || headerLine !== undefined;
  const choices = anew ? await guessChoices(tx, place, fields, headerLine) : { ...before, fields };
  if (given && !anew) {
    const { columns: guessed } = await guessIn(tx, place, choices.headerLine, fields);
    choices.columns = keepColumns(choices.columns, guessed, fields);
  }
  if (columns) {
    const hadHome = hasHome(choices.columns);
    choices.columns = await chosenColumns(tx, { ...values, choices }, columns);
    if (!hadHome && choices.property === "")
      choices.property = await propertyOf(tx, place, choices.headerLine, choices.columns);
  }
  if (property !== undefined) choices.property = property;
  return { ...choices, fills: filledBy(choices.columns) };
}

const hasHome = (columns: readonly ValueColumn[]) =>
  columns.some((column) => column && "finds" in column && column.finds === "home");

/** What someone chose for the columns, which is remembered for files with the same names. */
async function chosenColumns(
  tx: Db,
  values: StagedValues,
  chosen: readonly ChosenColumn[],
): Promise<ValueColumn[]> {
  const { id, choices } = values;
  const fromRecord = chosen.find((column) => column && "field" in column && isSelfFilled(column.field));
  if (fromRecord && "field" in fromRecord) throw refusal("column-from-record", { field: fromRecord.field });
  const headers = await headersOf(tx, values);
  const details = await readDetails(tx);
  const rows = await readSample(tx, { id, sheet: choices.sheet }, choices.headerLine);
  const columns = withoutRepeated(
    headers.map((_, place): ValueColumn => {
      const column = chosen[place] ?? null;
      if (!column || "finds" in column) return column;
      return { field: column.field, as: column.as ?? kindIn(column.field, place, rows, details) };
    }),
  );
  await keepLayout(tx, headers, "values", { columns });
  return columns;
}

function withDecisions(values: StagedValues, decisions: Readonly<Record<string, string>>): StagedValues {
  const all = Object.entries({ ...values.choices.decisions, ...decisions });
  return {
    ...values,
    choices: {
      ...values.choices,
      decisions: Object.fromEntries(all.filter(([, decision]) => decision !== "")),
    },
  };
}

async function saveChoices(tx: Db, { id, choices }: StagedValues): Promise<void> {
  await tx
    .updateTable("imports")
    .set({ choices: JSON.stringify(choices) })
    .where("id", "=", id)
    .execute();
}

/** Writes other texts into cells, and finds whom their rows are for anew. */
export async function fixValues(
  db: Db,
  id: number,
  cells: BodyOf<typeof calls.fix>["cells"],
  userId: number,
): Promise<StagedValues> {
  return transaction(db, async (tx) => {
    const before = await findChangeable(tx, id, userId);
    await writeCells(tx, { id, sheet: before.choices.sheet }, cells);
    const values = withDecisions(before, outdated(before, cells));
    await saveChoices(tx, values);
    await rematchRows(tx, values, await readHomeCountry(tx), [...new Set(cells.map(({ line }) => line))]);
    return values;
  });
}

/** Whom someone chose for a row is asked anew once the row names someone else. */
function outdated({ choices: { columns, decisions } }: StagedValues, cells: Cells): Record<string, string> {
  const named = cells.filter(({ column }) => columns[column] && "finds" in columns[column]);
  const lines = named.map(({ line }) => String(line)).filter((line) => decisions[line] !== "out");
  return Object.fromEntries(lines.map((line) => [line, ""]));
}

type Cells = readonly { line: number; column: number }[];
