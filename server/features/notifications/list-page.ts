import { type RawBuilder, sql } from "kysely";
import type { Channel, NotificationStatus } from "#contract/delivery.ts";
import type { ListStatus } from "#contract/notifications.ts";
import type { Db } from "#server/db/database.ts";
import { containing } from "#server/db/like.ts";
import type { Span } from "#server/features/notifications/period.ts";

export type ListQuery = {
  q?: string | undefined;
  status?: ListStatus | undefined;
  channel?: Channel | undefined;
  span?: Span | undefined;
  /** Only those with text, and without schedules' runs. */
  repeatable?: boolean | undefined;
  page: number;
  pageSize: number;
};

/** This close to the beginning, a page is read without knowing where the end is. */
const NEAR = 1000;

/** One page, newest first: by when it went out, will go out or was last edited. `read` gets the ids of its rows. */
export async function listPage<Row>(
  db: Db,
  query: ListQuery,
  read: (ids: RawBuilder<unknown>) => Promise<Row[]>,
): Promise<Total & { rows: Row[] }> {
  const { page, pageSize } = query;
  const offset = (page - 1) * pageSize;
  const where = conditionOf(query);
  const searched = Boolean(query.q) || query.span !== undefined || query.repeatable === true;
  const found = searched ? await find(db, where, { offset, pageSize }) : null;
  if (found && !found.about)
    return { ...found, rows: await read(sql`SELECT unnest(${found.ids}::bigint[])`) };
  const counting = found ? estimate(db, where) : countTallied(db, query);
  // Walked from the nearer end, which is only known if the total is.
  if (searched || offset <= NEAR) {
    const ids = sql`SELECT id FROM notifications WHERE ${where}
      ORDER BY list_time DESC, id DESC LIMIT ${pageSize} OFFSET ${offset}`;
    const [rows, { total, about }] = await Promise.all([read(ids), counting]);
    return {
      rows,
      ...(about
        ? await corrected(db, { where, total, offset, pageSize, found: rows.length })
        : { total, about }),
    };
  }
  const { total } = await counting;
  const wanted = Math.min(pageSize, total - offset);
  if (wanted <= 0) return { rows: [], total, about: false };
  const after = total - offset - wanted;
  const backwards = after < offset;
  const ids = sql`SELECT id FROM notifications WHERE ${where}
    ORDER BY ${backwards ? sql`list_time, id` : sql`list_time DESC, id DESC`}
    LIMIT ${wanted} OFFSET ${backwards ? after : offset}`;
  return { rows: await read(ids), total, about: false };
}

function conditionOf({ q, status, channel, span, repeatable }: ListQuery): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`kind = 'message'`];
  if (q) conditions.push(sql`search_text LIKE ${containing(q)}`);
  if (status) conditions.push(sql`status = ANY(${statusesOf(status)}::text[])`);
  if (channel) conditions.push(sql`${channel} = ANY(channels)`);
  if (span) {
    conditions.push(sql`list_time >= ${span.from}`);
    if (span.to) conditions.push(sql`list_time < ${span.to}`);
  }
  if (repeatable) {
    conditions.push(sql`content ~ '[^[:space:]]' AND NOT EXISTS (
      SELECT FROM schedule_occurrences o WHERE o.notification_id = notifications.id)`);
  }
  return sql.join(conditions, sql` AND `);
}

function statusesOf(status: ListStatus): NotificationStatus[] {
  return status === "Failures" ? ["Failed", "Partially Delivered"] : [status];
}

type Total = { total: number; about: boolean };

async function countTallied(db: Db, { status, channel }: ListQuery): Promise<Total> {
  const { rows } = await sql<{ total: number }>`
    SELECT coalesce(sum(count), 0)::int AS total FROM notification_tallies
    WHERE ${status ? sql`status = ANY(${statusesOf(status)}::text[])` : sql`true`}
      AND ${channel ? sql`${channel} = ANY(channels)` : sql`true`}`.execute(db);
  return { total: rows[0]?.total ?? 0, about: false };
}

/** Up to this many are counted; beyond it the planner's estimate is used. */
const COUNTED = 5000;

/** Looked for once, for the total and the page; `about`: there are too many, and these are not the page's. */
async function find(
  db: Db,
  where: RawBuilder<unknown>,
  { offset, pageSize }: { offset: number; pageSize: number },
): Promise<Total & { ids: number[] }> {
  const { rows } = await sql<{ total: number; ids: number[] }>`
    WITH found AS MATERIALIZED (
      SELECT id, list_time FROM notifications WHERE ${where} LIMIT ${COUNTED + 1})
    SELECT (SELECT count(*) FROM found) AS total, ARRAY(
      SELECT id FROM found ORDER BY list_time DESC, id DESC LIMIT ${pageSize} OFFSET ${offset}) AS ids`.execute(
    db,
  );
  const { total, ids } = rows[0]!;
  return { total, ids, about: total > COUNTED };
}

async function estimate(db: Db, where: RawBuilder<unknown>): Promise<Total> {
  const { rows } = await sql<{ "QUERY PLAN": { Plan: { "Plan Rows": number } }[] }>`
    EXPLAIN (FORMAT JSON) SELECT FROM notifications WHERE ${where}`.execute(db);
  const planned = rows[0]?.["QUERY PLAN"][0]?.Plan["Plan Rows"] ?? 0;
  return { total: Math.max(COUNTED + 1, Math.round(planned / 1000) * 1000), about: true };
}

type Estimated = {
  where: RawBuilder<unknown>;
  total: number;
  offset: number;
  pageSize: number;
  /** Rows on this page. */
  found: number;
};

/** What a page tells about an estimate: a full one has others after it, and one that is not full is the last. */
async function corrected(db: Db, { where, total, offset, pageSize, found }: Estimated): Promise<Total> {
  if (found === pageSize) return { total: Math.max(total, offset + found + 1), about: true };
  if (found > 0) return { total: offset + found, about: false };
  const { rows } = await sql<{ total: number }>`
    SELECT count(*) AS total FROM notifications WHERE ${where}`.execute(db);
  return { total: rows[0]?.total ?? 0, about: false };
}
