import pLimit from "p-limit";
import { sql } from "kysely";
import { refusal } from "#contract/refusals/refusal.ts";
import { visibleLine } from "#contract/text/visible-text.ts";
import { type Db, transaction } from "#server/db/database.ts";
import type { ImportChoices, StagedSheet } from "#server/db/schema.ts";
import type { Sheet } from "#server/features/imports/guess.ts";
import { cellsWith } from "#server/features/imports/staged.ts";
import { readInThread } from "#server/spreadsheets/read-in-thread.ts";
import { type MergedCells, type SheetRow, UnreadableWorkbook } from "#server/spreadsheets/workbook.ts";

/** What one person keeps at once, beside what messages have. The oldest goes when another one comes. */
const MOST_KEPT = { people: 5, values: 20 };

// Reading keeps a processor busy. One file is read at a time, however many arrive.
const limit = pLimit(1);
const MOST_WAITING = 4;

type Upload = {
  name: string;
  bytes: Buffer;
  userId: number;
  /** Of a CSV file; by default, the content says it. */
  encoding?: string | undefined;
  /** For the import of people, of which one person keeps a few, or for the values of a message. */
  purpose?: "people" | "values";
  /** How its first sheet with rows is read. */
  choose: (tx: Db, sheet: Sheet) => Promise<object>;
  /** What belongs to the file from the start. */
  finish?: (tx: Db, id: number) => Promise<void>;
};

/** Reads a file into rows that are kept for a day. Answers its id. Throws unsupported-file, too-many-requests. */
export async function stageWorkbook(db: Db, upload: Upload): Promise<number> {
  if (limit.pendingCount >= MOST_WAITING) throw refusal("too-many-files-read", {}, { retryAfter: 30 });
  try {
    return await limit(() => transaction(db, (tx) => stage(tx, upload)));
  } catch (error) {
    if (error instanceof UnreadableWorkbook)
      throw refusal(`sheet-${error.trouble}`, { name: upload.name }, { cause: error });
    throw error;
  }
}

async function stage(
  tx: Db,
  { name, bytes, userId, purpose = "people", encoding, choose, finish }: Upload,
): Promise<number> {
  await forgetOldest(tx, userId, purpose);
  const { id } = await tx
    .insertInto("imports")
    .values({ name, size: bytes.length, created_by: userId, purpose, sheets: "[]", choices: "{}" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const sheets: StagedSheet[] = [];
  let text: ImportChoices["text"];
  for await (const part of readInThread(bytes, encoding)) {
    const sheet = sheets.length - 1;
    if (part.kind === "sheet") {
      text = part.text;
      const called = visibleLine(part.name).slice(0, 100) || `Sheet ${sheets.length + 1}`;
      sheets.push({ name: called, rows: 0, errors: 0, trouble: null });
    } else if (part.kind === "rows") {
      sheets[sheet]!.rows += part.rows.length;
      await insertRows(tx, { id, sheet }, part.rows);
    } else {
      Object.assign(sheets[sheet]!, { errors: part.errors, trouble: part.trouble });
      await fillMerged(tx, { id, sheet }, part.merged);
    }
  }
  const first = sheets.findIndex(({ rows, trouble }) => rows > 1 && !trouble);
  const usable = first === -1 ? sheets.findIndex(({ rows, trouble }) => rows > 0 && !trouble) : first;
  if (usable === -1) throw new UnreadableWorkbook("too-large");
  const choices = await choose(tx, { id, name, sheet: usable, sheetName: sheets[usable]!.name });
  await tx
    .updateTable("imports")
    .set({ sheets: JSON.stringify(sheets), choices: JSON.stringify({ ...choices, text }) })
    .where("id", "=", id)
    .execute();
  await finish?.(tx, id);
  return id;
}

async function forgetOldest(tx: Db, userId: number, purpose: "people" | "values"): Promise<void> {
  await sql`
    DELETE FROM imports WHERE id IN (
      SELECT id FROM imports WHERE created_by = ${userId} AND purpose = ${purpose} AND kept_at IS NULL AND finished_at IS NULL
      ORDER BY id DESC OFFSET ${MOST_KEPT[purpose] - 1})`.execute(tx);
}

type Where = { id: number; sheet: number };

async function insertRows(tx: Db, { id, sheet }: Where, rows: readonly SheetRow[]): Promise<void> {
  const cells = rows.map((row) => JSON.stringify(row.cells));
  await sql`
    INSERT INTO import_rows (import_id, sheet, line, cells)
    SELECT ${id}::bigint, ${sheet}::smallint, line, cells
    FROM unnest(${rows.map(({ line }) => line)}::int[], ${cells}::jsonb[]) AS t (line, cells)`.execute(tx);
}

/** Each row of merged cells has their text: a home beside two residents is the home of both. */
async function fillMerged(tx: Db, { id, sheet }: Where, merged: readonly MergedCells[]): Promise<void> {
  for (const [column, cells] of Map.groupBy(merged, (one) => one.column)) {
    await sql`
      UPDATE import_rows r
      SET cells = ${cellsWith(column, sql`(origin.cells -> ${column}::int)`)}
      FROM unnest(${cells.map(({ first }) => first)}::int[], ${cells.map(({ last }) => last)}::int[]) AS m (first, last)
      JOIN import_rows origin ON origin.import_id = ${id} AND origin.sheet = ${sheet} AND origin.line = m.first
      WHERE r.import_id = ${id} AND r.sheet = ${sheet} AND r.line > m.first AND r.line <= m.last
        AND origin.cells ->> ${column}::int <> ''`.execute(tx);
  }
}
