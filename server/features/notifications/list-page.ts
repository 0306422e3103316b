import { type RawBuilder, sql } from "kysely";
import type { Channel, NotificationStatus } from "#contract/delivery.ts";
import type { ListStatus, Period } from "#contract/calls/notifications.ts";
import type { Db } from "#server/db/database.ts";
import { containing } from "#server/db/like.ts";
import { newestPage } from "#server/db/newest-page.ts";
import type { Span } from "#server/features/notifications/period.ts";

export type ListQuery = {
  q?: string | undefined;
  status?: ListStatus | undefined;
  channel?: Channel | undefined;
  time?: Period | undefined;
  /** What `time` stands for. */
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

type Total = { total: number; about: boolean };
type Found = Total & { ids: number[] };
type Limits = { offset: number; limit: number };

/** Which of the matching notifications: by whether their time is ahead, by the database's clock, like what was just sent. */
type Part = "all" | "past" | "ahead";

/**
 * The ids of one page. First what has happened, by when it went out or was last edited, the newest first. Then what is
 * planned, the next first. Otherwise what is planned for next year would hide what was just sent.
 */
export async function listPage(db: Db, query: ListQuery): Promise<Found> {
  const limits = { offset: (query.page - 1) * query.pageSize, limit: query.pageSize };
  // What is only planned has the same order wherever it is listed alone.
  if (query.time === "ahead" || (query.status === "Scheduled" && query.recent !== true)) {
    return read(db, query, { part: "all", nextFirst: true }, limits);
  }
  if (query.span !== undefined) return read(db, query, { part: "all", nextFirst: false }, limits);
  const past = await read(db, query, { part: "past", nextFirst: false }, limits);
  if (query.recent === true) return past;
  const ahead = await read(
    db,
    query,
    { part: "ahead", nextFirst: true },
    { offset: Math.max(0, limits.offset - past.total), limit: limits.limit - past.ids.length },
  );
  return {
    ids: [...past.ids, ...ahead.ids],
    total: past.total + ahead.total,
    about: past.about || ahead.about,
  };
}

type Order = { part: Part; nextFirst: boolean };

async function read(db: Db, query: ListQuery, { part, nextFirst }: Order, limits: Limits): Promise<Found> {
  const where = conditionOf(query, part);
  if (query.q || query.span !== undefined || query.repeatable === true || nextFirst) {
    return newestPage(
      db,
      { table: "notifications", time: "list_time", where, oldestFirst: nextFirst },
      limits,
    );
  }
  const counting = countTallied(db, query, part);
  const { offset, limit } = limits;
  // Walked from the nearer end, which is only known if the total is.
  if (offset <= NEAR) {
    const [ids, total] = await Promise.all([walk(db, where, { offset, limit, backwards: false }), counting]);
    return { ids, total, about: false };
  }
  const total = await counting;
  const wanted = Math.min(limit, total - offset);
  if (wanted <= 0) return { ids: [], total, about: false };
  const after = total - offset - wanted;
  const backwards = after < offset;
  const ids = await walk(db, where, { offset: backwards ? after : offset, limit: wanted, backwards });
  return { ids: backwards ? ids.toReversed() : ids, total, about: false };
}

async function walk(
  db: Db,
  where: RawBuilder<unknown>,
  { offset, limit, backwards }: Limits & { backwards: boolean },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`SELECT id FROM notifications WHERE ${where}
    ORDER BY ${backwards ? sql`list_time, id` : sql`list_time DESC, id DESC`}
    LIMIT ${limit} OFFSET ${offset}`.execute(db);
  return rows.map(({ id }) => id);
}

function conditionOf({ q, status, channel, span, repeatable }: ListQuery, part: Part): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`kind = 'message'`];
  if (q) conditions.push(sql`fold(search_text) LIKE ${containing(q)}`);
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
  if (part !== "all") conditions.push(part === "past" ? sql`list_time <= now()` : sql`list_time > now()`);
  return sql.join(conditions, sql` AND `);
}

function statusesOf(status: ListStatus): NotificationStatus[] {
  return status === "Failures" ? ["Failed", "Partially Delivered"] : [status];
}

/** Counted from the sums that every change keeps, without looking at more rows than those whose time is ahead. */
async function countTallied(db: Db, query: ListQuery, part: Part): Promise<number> {
  const { status, channel } = query;
  const ahead = sql`(SELECT count(*) FROM notifications WHERE ${conditionOf(query, "ahead")})`;
  const { rows } = await sql<{ total: number }>`
    SELECT (coalesce(sum(count), 0) - ${part === "past" ? ahead : sql`0`})::int AS total FROM notification_tallies
    WHERE ${status ? sql`status = ANY(${statusesOf(status)}::text[])` : sql`true`}
      AND ${channel ? sql`${channel} = ANY(channels)` : sql`true`}`.execute(db);
  return rows[0]?.total ?? 0;
}
