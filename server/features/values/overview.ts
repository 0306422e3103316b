import { sql } from "kysely";
import type { ValuesOverview } from "#contract/calls/values.ts";
import type { Db } from "#server/db/database.ts";
import { headersAt, readTop } from "#server/features/imports/guess.ts";
import { problemOf } from "#server/features/values/columns.ts";
import { rowsOf, type StagedValues } from "#server/features/values/staged-values.ts";

const SHOWN_ROWS = 12;

export async function headersOf(db: Db, { id, choices }: StagedValues): Promise<string[]> {
  return headersAt(await readTop(db, { id, sheet: choices.sheet }), choices.headerLine);
}

/** A file with values, how it is read, and how many of its rows can be sent. */
export async function readOverview(db: Db, values: StagedValues): Promise<ValuesOverview> {
  const { id, name, size, sheets, choices } = values;
  const { sheet, headerLine, columns } = choices;
  const [top, counts, troubles] = await Promise.all([
    readTop(db, { id, sheet }),
    readCounts(db, values),
    readTroubles(db, values),
  ]);
  return {
    id,
    name,
    size,
    createdAt: values.created_at.toISOString(),
    kept: values.kept_at !== null,
    sheets,
    sheet,
    headerLine,
    top: top.slice(0, Math.max(SHOWN_ROWS, top.findIndex(({ line }) => line === headerLine) + 1)),
    headers: headersAt(top, headerLine),
    columns,
    property: choices.property,
    fields: choices.fills,
    open: choices.fields.filter((field) => !choices.fills.includes(field)),
    ...counts,
    ready: counts.rows - counts.toFix - counts.leftOut,
    troubles,
    problem: problemOf(columns),
    decisions: choices.decisions,
  };
}

type Counts = { rows: number; toFix: number; leftOut: number; people: number };

async function readCounts(db: Db, values: StagedValues): Promise<Counts> {
  const { rows } = await sql<Counts>`
    SELECT count(*) AS rows, count(*) FILTER (WHERE r.troubles <> '[]') AS "toFix",
      count(*) FILTER (WHERE r.troubles = '[]') AS "leftOut",
      (SELECT count(*) FROM person_values v WHERE v.values_id = ${values.id}) AS people
    FROM import_rows r WHERE ${rowsOf(values)}`.execute(db);
  return rows[0]!;
}

async function readTroubles(
  db: Db,
  { id, choices: { sheet } }: StagedValues,
): Promise<ValuesOverview["troubles"]> {
  const { rows } = await sql<ValuesOverview["troubles"][number]>`
    SELECT t.one ->> 'kind' AS kind, (t.one ->> 'column')::int AS column, count(*) AS rows
    FROM import_rows r CROSS JOIN jsonb_array_elements(r.troubles) t (one)
    WHERE r.import_id = ${id} AND r.sheet = ${sheet} AND r.troubles IS NOT NULL
    GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2`.execute(db);
  return rows;
}
