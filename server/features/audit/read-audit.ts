import { type RawBuilder, sql } from "kysely";
import { actionsOfKind, type AuditAction } from "#contract/calls/audit-actions.ts";
import type { AuditEvent, audit } from "#contract/calls/audit.ts";
import type { Role } from "#contract/calls/auth.ts";
import type { Channel } from "#contract/delivery.ts";
import type { QueryOf } from "#contract/endpoint.ts";
import type { Db } from "#server/db/database.ts";
import { containing } from "#server/db/like.ts";
import { newestPage } from "#server/db/newest-page.ts";
import { eventOf } from "#server/features/audit/event.ts";
import { spanOf } from "#server/features/notifications/period.ts";
import type { Page } from "#server/http/route.ts";

export type Filter = QueryOf<typeof audit.export>;

/** The organization's zone, and the time by which periods are meant. */
export type Clock = { zone: string; now: Date };

export type AuditRow = {
  id: number;
  at: Date;
  actorId: number | null;
  actorName: string;
  /** At that time; null if no account did it, or on rows older than these columns. */
  actorUsername: string | null;
  actorRole: Role | null;
  /** A build that came before may have written one that this build does not know. */
  action: AuditAction | (string & {});
  subjectType: string;
  subjectId: number | null;
  subjectName: string;
  /** Of a person. */
  subjectUsername: string | null;
  /** It can still be opened. */
  exists: boolean;
  /** Of an account. */
  channel: Channel | null;
  detail: Record<string, unknown>;
  ip: string | null;
  userAgent: string | null;
};

export async function listAudit(
  db: Db,
  { page, pageSize, ...filter }: Filter & { page: number; pageSize: number },
  clock: Clock,
): Promise<Page<AuditEvent>> {
  const where = conditionOf(filter, clock);
  const limits = { offset: (page - 1) * pageSize, limit: pageSize };
  const { ids, ...total } = await newestPage(db, { table: "audit", time: "at", where }, limits);
  return { ...total, rows: await eventsOf(db, sql`a.id = ANY(${ids}::bigint[])`, clock) };
}

// Read in pages, so that a million events take no more memory than a thousand.
const CHUNK = 1000;

/** Every event that the filter finds, newest first, in pages. */
export async function* allEvents(db: Db, filter: Filter, clock: Clock): AsyncGenerator<AuditEvent[]> {
  const where = conditionOf(filter, clock);
  let last: { at: string; id: number } | undefined;
  for (;;) {
    const after = last ? sql`(at, id) < (${last.at}::timestamptz, ${last.id}::bigint)` : sql`true`;
    // As text, because a Date has no microseconds.
    const { rows } = await sql<{ id: number; at: string }>`
      SELECT id, at::text FROM audit WHERE ${where} AND ${after} ORDER BY at DESC, id DESC LIMIT ${CHUNK}`.execute(
      db,
    );
    if (rows.length === 0) return;
    yield await eventsOf(db, sql`a.id = ANY(${rows.map(({ id }) => id)}::bigint[])`, clock);
    last = rows.at(-1);
  }
}

function conditionOf({ q, person, kind, time }: Filter, { zone, now }: Clock): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [];
  if (q) conditions.push(found(q));
  if (person) conditions.push(sql`actor_id = ${person}`);
  if (kind) conditions.push(sql`action = ANY(${actionsOfKind(kind)}::text[])`);
  const span = time && spanOf(time, now, zone);
  if (span) conditions.push(sql`at >= ${span.from}`);
  return conditions.length > 0 ? sql.join(conditions, sql` AND `) : sql`true`;
}

/** Fewer than three letters are in no index, except where a word begins. */
function found(q: string): RawBuilder<unknown> {
  if (q.length > 2) return sql`fold(search_text) LIKE ${containing(q)}`;
  const begins = sql`substr(${containing(q)}, 2)`;
  return sql`(fold(search_text) LIKE ${begins} OR fold(search_text) LIKE '% ' || ${begins})`;
}

async function eventsOf(db: Db, where: RawBuilder<unknown>, { zone }: Clock): Promise<AuditEvent[]> {
  const { rows } = await sql<AuditRow>`
    SELECT a.id, a.at, a.actor_id AS "actorId", a.actor_name AS "actorName", 
      a.actor_username AS "actorUsername", a.actor_role AS "actorRole", a.action,
      a.subject_type AS "subjectType", a.subject_id AS "subjectId", a.subject_name AS "subjectName", a.subject_username AS "subjectUsername",
      ${exists} AS exists, account.channel, a.detail, a.ip, a.user_agent AS "userAgent"
    FROM audit a
    LEFT JOIN accounts account ON a.subject_type = 'account' AND account.id = a.subject_id
    WHERE ${where} ORDER BY a.at DESC, a.id DESC`.execute(db);
  const groups = await namesOfGroups(db, rows);
  return rows.map((row) => eventOf(row, { zone, groups }));
}

const exists = sql`CASE a.subject_type
  WHEN 'user' THEN EXISTS (SELECT FROM users x WHERE x.id = a.subject_id AND x.deleted_at IS NULL)
  WHEN 'notification' THEN EXISTS (SELECT FROM notifications x WHERE x.id = a.subject_id)
  WHEN 'template' THEN EXISTS (SELECT FROM templates x WHERE x.id = a.subject_id)
  WHEN 'schedule' THEN EXISTS (SELECT FROM schedules x WHERE x.id = a.subject_id AND x.deleted_at IS NULL)
  WHEN 'group' THEN EXISTS (SELECT FROM user_groups x WHERE x.id = a.subject_id)
  WHEN 'account' THEN account.deleted_at IS NULL AND account.id IS NOT NULL
  ELSE a.subject_type = 'setting' END`;

/** Of the groups that someone joined or left, which rows name by id. */
async function namesOfGroups(db: Db, rows: readonly AuditRow[]): Promise<Map<number, string>> {
  const ids = rows.flatMap(({ detail }) => {
    const groups = detail["groups"] as { joined?: unknown; left?: unknown } | null | undefined;
    return [groups?.joined, groups?.left, detail["groupIds"]].flat().filter(Number.isSafeInteger);
  });
  if (ids.length === 0) return new Map();
  const { rows: found } = await sql<{ id: number; name: string }>`
    SELECT id, name FROM user_groups WHERE id = ANY(${ids}::bigint[])`.execute(db);
  return new Map(found.map(({ id, name }) => [id, name]));
}
