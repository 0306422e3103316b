import Papa from "papaparse";
import { Readable } from "node:stream";
import { sql } from "kysely";
import type { SheetFault } from "#contract/calls/imports.ts";
import type { LeftReason } from "#contract/calls/import-results.ts";
import { guardFormula } from "#contract/text/csv-cells.ts";
import type { Db } from "#server/db/database.ts";
import { type StagedImport, headersOf } from "#server/features/imports/staged.ts";
import type { File } from "#server/http/route.ts";

/** Keeps with their rows why people were left out of an import. */
export async function keepLeftOut(
  tx: Db,
  { id, choices }: Pick<StagedImport, "id" | "choices">,
  faults: readonly Pick<SheetFault, "line" | "column" | "reason">[],
): Promise<void> {
  if (faults.length === 0) return;
  const rows = [...Map.groupBy(faults, ({ line }) => line)];
  const reasons = rows.map(([, own]): LeftReason[] => own.map(({ column, reason }) => ({ column, reason })));
  await sql`
    UPDATE import_rows r SET troubles = t.troubles
    FROM unnest(${rows.map(([line]) => line)}::int[], ${reasons.map((own) => JSON.stringify(own))}::jsonb[]) AS t (line, troubles)
    WHERE import_id = ${id} AND sheet = ${choices.sheet} AND r.line = t.line`.execute(tx);
}

type Left = { line: number; cells: string[]; reasons: LeftReason[] };

/** The next rows that a finished import left out. */
export async function readLeftOut(db: Db, id: number, after: number, most: number): Promise<Left[]> {
  const { rows } = await sql<Left>`
    SELECT line, cells, troubles AS reasons FROM import_rows
    WHERE import_id = ${id} AND troubles IS NOT NULL AND line > ${after} ORDER BY line LIMIT ${most}`.execute(
    db,
  );
  return rows;
}

const PAGE = 1000;
const toLine = (cells: readonly string[]) => `${Papa.unparse([cells.map(guardFormula)])}\r\n`;

/** The rows that were left out, with why. The same file can be imported again. */
export async function fileLeftOut(db: Db, staged: StagedImport): Promise<File> {
  const headers = await headersOf(db, staged);
  async function* lines() {
    yield `\uFEFF${toLine(["To fix", ...headers])}`;
    for (let after = 0; ;) {
      const rows = await readLeftOut(db, staged.id, after, PAGE);
      yield rows
        .map(({ line, cells, reasons }) => toLine([`Row ${line}: ${reasonText(reasons, headers)}`, ...cells]))
        .join("");
      if (rows.length < PAGE) return;
      after = rows.at(-1)!.line;
    }
  }
  return {
    name: `${staged.name.replace(/\.\w+$/, "")} left out.csv`,
    type: "text/csv; charset=utf-8",
    bytes: Readable.from(lines()),
  };
}

const reasonText = (reasons: readonly LeftReason[], headers: readonly string[]) =>
  reasons
    .map(({ column, reason }) => (column === null ? reason : `${headers[column] ?? ""}: ${reason}`))
    .join("; ");
