import Papa from "papaparse";
import { Readable } from "node:stream";
import { sql } from "kysely";
import type { values as calls } from "#contract/calls/values.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import { guardFormula } from "#contract/text/csv-cells.ts";
import { fieldText } from "#contract/text/message-fields.ts";
import { upperFirst } from "#contract/text/upper-first.ts";
import { rowTroubles } from "#contract/text/value-troubles.ts";
import { inAudience } from "#server/audience/audience.ts";
import { nameOf } from "#server/audience/person.ts";
import type { Db } from "#server/db/database.ts";
import type { StoredTrouble } from "#server/db/schema.ts";
import type { File } from "#server/http/route.ts";
import { keepLayout } from "#server/features/imports/guess.ts";
import { headersOf } from "#server/features/values/overview.ts";
import { rowsOf, type StagedValues } from "#server/features/values/staged-values.ts";

const PAGE = 1000;
const toLine = (cells: readonly string[]) => `${Papa.unparse([cells.map(guardFormula)])}\r\n`;
const csv = (name: string, lines: AsyncIterable<string>): File => ({
  name: `${name}.csv`,
  type: "text/csv; charset=utf-8",
  bytes: Readable.from(lines),
});

const TO_FIX = "To fix";

/**
 * The rows that can't be sent, with why, and where their homes are. Someone corrects them and uploads this file: what the
 * columns are for is remembered.
 */
export async function fileToFix(db: Db, values: StagedValues): Promise<File> {
  const { columns, property } = values.choices;
  const headers = await headersOf(db, values);
  // Only the title of the file said it.
  const isNamed = columns.some((column) => column && "finds" in column && column.finds === "property");
  const place =
    isNamed || property === "" ? { names: [], cells: [] } : { names: ["Property"], cells: [property] };
  await keepLayout(db, [TO_FIX, ...headers, ...place.names], "values", {
    columns: [null, ...columns, ...place.names.map(() => ({ finds: "property" as const }))],
  });
  async function* lines() {
    yield `\uFEFF${toLine([TO_FIX, ...headers, ...place.names])}`;
    for (let after = 0; ;) {
      const { rows } = await sql<{ line: number; cells: string[]; troubles: StoredTrouble[] }>`
        SELECT line, cells, troubles FROM import_rows r
        WHERE ${rowsOf(values)} AND r.troubles <> '[]' AND r.line > ${after} ORDER BY line LIMIT ${PAGE}`.execute(
        db,
      );
      yield rows
        .map(({ line, cells, troubles }) => {
          const own = headers.map((_, column) => cells[column] ?? "");
          return toLine([`Row ${line}: ${rowTroubles(troubles, headers)}`, ...own, ...place.cells]);
        })
        .join("");
      if (rows.length < PAGE) return;
      after = rows.at(-1)!.line;
    }
  }
  return csv(`${values.name.replace(/\.\w+$/, "")} to fix`, lines());
}

const ownColumns = [
  ["Username", "username"],
  ["Name", "name"],
  ["Unit", "home"],
] as const;

/** A row for each of the recipients, found again by the username, and an empty column for each field. */
export function blankSheet(db: Db, { recipients, fields }: BodyOf<typeof calls.blank>): File {
  // A message may ask for someone's {{name}}.
  const own = ownColumns.filter(([header]) => !fields.includes(header.toLowerCase()));
  async function* lines() {
    yield `\uFEFF${toLine([...own.map(([header]) => header), ...fields.map((field) => upperFirst(fieldText(field)))])}`;
    const among = await inAudience(db, recipients);
    for (let after = 0; ;) {
      const { rows } = await sql<{ id: number; username: string; name: string; home: string }>`
        SELECT u.id, u.username, ${nameOf("u")} AS name, coalesce(u.property_unit, '') AS home FROM users u
        WHERE ${among} AND u.id > ${after} ORDER BY u.id LIMIT ${PAGE}`.execute(db);
      yield rows
        .map((person) => toLine([...own.map(([, key]) => person[key]), ...fields.map(() => "")]))
        .join("");
      if (rows.length < PAGE) return;
      after = rows.at(-1)!.id;
    }
  }
  return csv("values to fill in", lines());
}
