import { type RawBuilder, sql } from "kysely";
import type { Db } from "#server/db/database.ts";

/** Rows of a table that meet a condition, newest first: by the column `time`, then by id. */
type Newest = { table: "notifications" | "audit"; time: string; where: RawBuilder<unknown> };

type Asked = { page: number; pageSize: number };
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
async function find(db: Db, { table, time, where }: Newest, asked: Asked) {
  const { rows } = await sql<{ total: number; ids: number[] }>`
    WITH found AS MATERIALIZED (
      SELECT id, ${sql.ref(time)} FROM ${sql.table(table)} WHERE ${where} LIMIT ${COUNTED + 1})
    SELECT (SELECT count(*) FROM found) AS total, ARRAY(
      SELECT id FROM found ORDER BY ${newestFirst(time)} ${limits(asked)}) AS ids`.execute(db);
  const { total, ids } = rows[0]!;
  return { total, ids, about: total > COUNTED };
}

/** In the order of an index. */
async function walk(db: Db, { table, time, where }: Newest, asked: Asked): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM ${sql.table(table)} WHERE ${where} ORDER BY ${newestFirst(time)} ${limits(asked)}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

const newestFirst = (time: string) => sql`${sql.ref(time)} DESC, id DESC`;
const limits = ({ page, pageSize }: Asked) => sql`LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`;

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
  { page, pageSize, total, found }: Asked & { total: number; found: number },
): Promise<Total> {
  const before = (page - 1) * pageSize;
  if (found === pageSize) return { total: Math.max(total, before + found + 1), about: true };
  if (found > 0) return { total: before + found, about: false };
  const { rows } = await sql<{ total: number }>`
    SELECT count(*) AS total FROM ${sql.table(table)} WHERE ${where}`.execute(db);
  return { total: rows[0]?.total ?? 0, about: false };
}
