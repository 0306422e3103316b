import { type RawBuilder, sql } from "kysely";
import type { Db } from "#server/db/database.ts";

/** Rows of a table that meet a condition, newest first unless asked otherwise: by the column `time`, then by id. */
type Newest = {
  table: "notifications" | "audit";
  time: string;
  where: RawBuilder<unknown>;
  oldestFirst?: boolean;
};

type Asked = { offset: number; limit: number };
type Total = { total: number; about: boolean };

/** Up to this many are counted; beyond it the planner's estimate is used. */
const COUNTED = 5000;

/** The ids of one page, and the total; `about`: an estimate. */
export async function newestPage(db: Db, newest: Newest, asked: Asked): Promise<Total & { ids: number[] }> {
  const found = await find(db, newest, asked);
  if (!found.about) return found;
  const [ids, total] = await Promise.all([walk(db, newest, asked), estimate(db, newest)]);
  return { ids, ...(await corrected(db, newest, { ...asked, total, found: ids.length })) };
}

/** Looked for once, for the total and the page; `about`: there are too many, and these are not the page's. */
async function find(db: Db, newest: Newest, asked: Asked) {
  const { table, time, where } = newest;
  const { rows } = await sql<{ total: number; ids: number[] }>`
    WITH found AS MATERIALIZED (
      SELECT id, ${sql.ref(time)} FROM ${sql.table(table)} WHERE ${where} LIMIT ${COUNTED + 1})
    SELECT (SELECT count(*) FROM found) AS total, ARRAY(
      SELECT id FROM found ORDER BY ${orderOf(newest)} ${limits(asked)}) AS ids`.execute(db);
  const { total, ids } = rows[0]!;
  return { total, ids, about: total > COUNTED };
}

/** In the order of an index. */
async function walk(db: Db, newest: Newest, asked: Asked): Promise<number[]> {
  const { table, where } = newest;
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM ${sql.table(table)} WHERE ${where} ORDER BY ${orderOf(newest)} ${limits(asked)}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

const orderOf = ({ time, oldestFirst = false }: Newest) =>
  oldestFirst ? sql`${sql.ref(time)}, id` : sql`${sql.ref(time)} DESC, id DESC`;
const limits = ({ offset, limit }: Asked) => sql`LIMIT ${limit} OFFSET ${offset}`;

async function estimate(db: Db, { table, where }: Newest): Promise<number> {
  const { rows } = await sql<{ "QUERY PLAN": { Plan: { "Plan Rows": number } }[] }>`
    EXPLAIN (FORMAT JSON) SELECT FROM ${sql.table(table)} WHERE ${where}`.execute(db);
  const planned = rows[0]?.["QUERY PLAN"][0]?.Plan["Plan Rows"] ?? 0;
  return Math.max(COUNTED + 1, Math.round(planned / 1000) * 1000);
}

/** What a page reveals about an estimate: a full one has others after it, and one that is not full is the last. */
async function corrected(
  db: Db,
  { table, where }: Newest,
  { offset, limit, total, found }: Asked & { total: number; found: number },
): Promise<Total> {
  if (found === limit) return { total: Math.max(total, offset + found + 1), about: true };
  if (found > 0) return { total: offset + found, about: false };
  const { rows } = await sql<{ total: number }>`
    SELECT count(*) AS total FROM ${sql.table(table)} WHERE ${where}`.execute(db);
  return { total: rows[0]?.total ?? 0, about: false };
}
