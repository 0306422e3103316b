import { AsyncLocalStorage } from "node:async_hooks";
import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import type { AuditAction } from "#contract/calls/audit-actions.ts";
import { fullName } from "#contract/text/full-name.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { PIPELINED } from "#server/db/pipelined.ts";

export type Actor = { id: number; firstName: string; lastName: string };

export type AuditEntry = {
  /** Null for what no request asked for. `user`: null if no account did it, as with a failed sign-in. */
  by: { user: Actor | null; ip: string } | null;
  action: AuditAction;
  subject: { type: string; id?: number | undefined };
  detail?: Record<string, unknown>;
};

/** The browser, as its User-Agent header names it, of the request that is being handled. */
export const currentUserAgent = new AsyncLocalStorage<string | undefined>();

/** Writes who did what, in the caller's transaction if there is one. A save that changed nothing is no row. */
export async function recordAudit(db: Db, entry: AuditEntry): Promise<void> {
  if (changedNothing(entry)) return;
  const row = rowOf(entry);
  const columns = Object.keys(row).map((column) => sql.ref(column));
  await sql`${PIPELINED}INSERT INTO audit (${sql.join(columns)}) VALUES (${sql.join(Object.values(row))})`.execute(
    db,
  );
}

/** The changes are empty, and the rest only names what was saved. */
function changedNothing({ detail }: AuditEntry): boolean {
  if (detail?.["changes"] === undefined) return false;
  return Object.entries(detail).every(([key, value]) => key === "name" || key === "by" || isEmpty(value));
}

/** Nothing, or an object or list of nothing: { joined: [], left: [] }. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return (
    typeof value === "object" &&
    Object.values(value).every((part) => Array.isArray(part) && part.length === 0)
  );
}

/** Writes many rows at once. */
export async function recordAudits(db: Db, entries: readonly AuditEntry[]): Promise<void> {
  const rows = JSON.stringify(entries.filter((entry) => !changedNothing(entry)).map(rowOf));
  await sql`
    INSERT INTO audit (actor_id, actor_name, action, subject_type, subject_id, detail, ip, user_agent)
    SELECT actor_id, actor_name, action, subject_type, subject_id, detail::jsonb, ip, user_agent
    FROM jsonb_to_recordset(${rows}::jsonb) AS x (actor_id bigint, actor_name text, action text, subject_type text,
      subject_id bigint, detail text, ip text, user_agent text)`.execute(db);
}

/** Writes one row, but not again within a minute, so that a thousand refusals do not fill the table. */
export async function recordAuditOnce(db: Db, entry: AuditEntry): Promise<void> {
  const { actor_id, actor_name, action, subject_type, subject_id, detail, ip, user_agent } = rowOf(entry);
  await sql`
    INSERT INTO audit (actor_id, actor_name, action, subject_type, subject_id, detail, ip, user_agent)
    SELECT ${actor_id}::bigint, ${actor_name}, ${action}, ${subject_type}, ${subject_id}::bigint, ${detail}::jsonb,
      ${ip}::text, ${user_agent}::text
    WHERE NOT EXISTS (
      SELECT FROM audit WHERE at > now() - interval '1 minute' AND action = ${action}
        AND actor_id IS NOT DISTINCT FROM ${actor_id}::bigint AND ip IS NOT DISTINCT FROM ${ip}::text
        AND subject_id IS NOT DISTINCT FROM ${subject_id}::bigint AND detail = ${detail}::jsonb)`.execute(db);
}

const rowOf = ({ by, action, subject, detail }: AuditEntry) => ({
  actor_id: by?.user?.id ?? null,
  actor_name: by?.user ? fullName(by.user) : "",
  action,
  subject_type: subject.type,
  subject_id: subject.id ?? null,
  // An unpaired surrogate would make PostgreSQL reject the row, and what it records with it.
  detail: JSON.stringify(detail ?? {}, (_, value: unknown) =>
    typeof value === "string" ? value.toWellFormed() : value,
  ),
  ip: by?.ip ?? null,
  user_agent: currentUserAgent.getStore()?.slice(0, 400) ?? null,
});

/**
 * Records what this person did, unless they did it `times` times within so many minutes: then returns false. Their calls
 * take turns, or several at once would each see room that only one of them has.
 */
export function recordUpTo(
  db: Db,
  { times, minutes }: { times: number; minutes: number },
  entry: AuditEntry & { by: { user: Actor } },
): Promise<boolean> {
  const { id } = entry.by.user;
  return transaction(db, async (tx) => {
    await sql`SELECT FROM users WHERE id = ${id} FOR NO KEY UPDATE`.execute(tx);
    if ((await countAudited(tx, id, entry.action, minutes)) >= times) return false;
    await recordAudit(tx, entry);
    return true;
  });
}

/** How often a person has done this in the last `minutes` minutes. */
export async function countAudited(
  db: Db,
  actorId: number,
  action: AuditAction,
  minutes: number,
): Promise<number> {
  const found = await sql<{ count: number }>`
    SELECT count(*) AS count FROM audit
    WHERE actor_id = ${actorId} AND action = ${action} AND at > now() - make_interval(mins => ${minutes})`.execute(
    db,
  );
  return found.rows[0]?.count ?? 0;
}

/** What a change altered: each field before and after, `{ "email": ["a@x.org", "b@x.org"] }`. */
export function changesBetween<T extends object>(
  before: T,
  after: Partial<T>,
): Record<string, [unknown, unknown]> {
  const fields = Object.keys(after) as (keyof T & string)[];
  return Object.fromEntries(
    fields
      .filter((field) => !isDeepStrictEqual(before[field], after[field]))
      .map((field) => [field, [before[field], after[field]]]),
  );
}
