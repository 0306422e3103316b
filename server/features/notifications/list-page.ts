import { type RawBuilder, sql } from "kysely";
import type { Channel, NotificationStatus } from "#contract/delivery.ts";
import type { ListStatus } from "#contract/notifications.ts";
import type { Db } from "#server/db/database.ts";
import { containing } from "#server/db/like.ts";
import { newestPage } from "#server/db/newest-page.ts";
import type { Span } from "#server/features/notifications/period.ts";

export type ListQuery = {
  q?: string | undefined;
  status?: ListStatus | undefined;
  channel?: Channel | undefined;
  span?: Span | undefined;
  /** Only those with text, and without schedules' runs. */
  repeatable?: boolean | undefined;
  /** Without those whose time is ahead. */
  recent?: boolean | undefined;
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
  const where = conditionOf(query);
  if (query.q || query.span !== undefined || query.repeatable === true) {
    const { ids, ...total } = await newestPage(
      db,
      { table: "notifications", time: "list_time", where },
      query,
    );
    return { ...total, rows: await read(sql`SELECT unnest(${ids}::bigint[])`) };
  }
  const offset = (page - 1) * pageSize;
  const counting = countTallied(db, query);
  // Walked from the nearer end, which is only known if the total is.
  if (offset <= NEAR) {
    const ids = sql`SELECT id FROM notifications WHERE ${where}
      ORDER BY list_time DESC, id DESC LIMIT ${pageSize} OFFSET ${offset}`;
    const [rows, total] = await Promise.all([read(ids), counting]);
    return { rows, ...total };
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

function conditionOf({ q, status, channel, span, repeatable, recent }: ListQuery): RawBuilder<unknown> {
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
  // By the database's clock, like the time of what was just sent.
  if (recent) conditions.push(sql`list_time <= now()`);
  return sql.join(conditions, sql` AND `);
}

function statusesOf(status: ListStatus): NotificationStatus[] {
  return status === "Failures" ? ["Failed", "Partially Delivered"] : [status];
}

type Total = { total: number; about: boolean };

async function countTallied(db: Db, query: ListQuery): Promise<Total> {
  const { status, channel, recent } = query;
  const ahead = sql`(SELECT count(*) FROM notifications
    WHERE ${conditionOf({ ...query, recent: false })} AND list_time > now())`;
  const { rows } = await sql<{ total: number }>`
    SELECT (coalesce(sum(count), 0) - ${recent ? ahead : sql`0`})::int AS total FROM notification_tallies
    WHERE ${status ? sql`status = ANY(${statusesOf(status)}::text[])` : sql`true`}
      AND ${channel ? sql`${channel} = ANY(channels)` : sql`true`}`.execute(db);
  return { total: rows[0]?.total ?? 0, about: false };
}
