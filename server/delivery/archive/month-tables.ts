import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { beginsWith } from "#server/db/months.ts";
import type { Rows } from "./month-files.ts";

/**
 * The tables with a partition for each month. Detached in this order, because anything that writes to the others has
 * read a delivery.
 */
export const partitioned = ["deliveries", "attempts", "delivery_events", "run_people"] as const;

/** The tables of an archive, and the order of their rows. The last one is small and whole. */
const keys = {
  deliveries: ["id"],
  attempts: ["delivery_id", "n"],
  delivery_events: ["delivery_id", "id"],
  run_people: ["user_id", "run_id"],
  earlier_addresses: ["delivery_id", "round"],
} as const;
export type MonthTable = keyof typeof keys;
export const monthTables = Object.keys(keys) as MonthTable[];

/** Where a month's rows are while they are no partition. */
export const tableOf = (table: MonthTable, month: number) =>
  table === "earlier_addresses" ? table : `${table}_${month}`;

/** The condition for the rows of a month in `earlier_addresses`. */
export const earlierOf = (month: number) => beginsWith(sql`delivery_id`, month);

/** The columns that a row consists of, without those that are computed. */
async function columnsOf(db: Db, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT attname AS name FROM pg_attribute
    WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
    ORDER BY attnum`.execute(db);
  return rows.map(({ name }) => name);
}

const PAGE = 2000;

/** The rows of a month that is detached, in the order of their key. */
export async function rowsOf(db: Db, table: MonthTable, month: number, signal?: AbortSignal): Promise<Rows> {
  const name = tableOf(table, month);
  const columns = await columnsOf(db, name);
  async function* pages() {
    const key = sql.join(keys[table].map((column) => sql.ref(column)));
    const shown = sql.join(columns.map((column) => sql.ref(column)));
    const all = table === "earlier_addresses" ? earlierOf(month) : sql`true`;
    for (let last: number[] = keys[table].map(() => -1); ;) {
      signal?.throwIfAborted();
      const { rows } = await sql<{ line: string; key: number[] }>`
        SELECT to_json(t)::text AS line, ARRAY[${key}]::bigint[] AS key
        FROM (SELECT ${shown} FROM ${sql.table(name)}
          WHERE (${key}) > (${sql.join(last.map((part) => sql.lit(part)))}) AND ${all}
          ORDER BY ${key} LIMIT ${PAGE}) t`.execute(db);
      if (rows.length > 0) yield rows.map(({ line }) => line);
      if (rows.length < PAGE) return;
      last = rows.at(-1)!.key;
    }
  }
  return { table, columns, pages: pages() };
}

/** Inserts rows that are JSON texts. Columns that this build doesn't have any more are left out. */
export async function insertRows(
  db: Db,
  { table, into, columns }: { table: MonthTable; into: string; columns: readonly string[] },
  lines: readonly string[],
): Promise<void> {
  const known = await columnsOf(db, into);
  const names = sql.join(columns.filter((column) => known.includes(column)).map((column) => sql.ref(column)));
  await sql`
    INSERT INTO ${sql.table(into)} (${names})
    SELECT ${names} FROM json_populate_recordset(NULL::${sql.table(table)}, ${`[${lines.join(",")}]`}::json)`.execute(
    db,
  );
}
