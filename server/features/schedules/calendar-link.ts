import { sql } from "kysely";
import { rolesWith } from "#contract/permissions.ts";
import type { CalendarLink } from "#contract/calls/schedule-replies.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import type { By } from "#server/http/route.ts";
import { newToken, tokenHash } from "#server/http/tokens.ts";

/** The secret link that a calendar app reads the schedules with: one per person, stored only as a hash. */

const FILE = /^([\w-]{43})\.ics$/;

type Row = { createdAt: Date; lastReadAt: Date | null };

const none: CalendarLink = { createdAt: null, lastReadAt: null };

export async function readCalendarLink(db: Db, userId: number): Promise<CalendarLink> {
  const { rows } = await sql<Row>`
    SELECT created_at AS "createdAt", last_read_at AS "lastReadAt" FROM calendar_links
    WHERE user_id = ${userId}`.execute(db);
  const [row] = rows;
  if (!row) return none;
  return { createdAt: row.createdAt.toISOString(), lastReadAt: row.lastReadAt?.toISOString() ?? null };
}

/** Creates a link that replaces an earlier one. It is returned here and never shown again. */
export async function createCalendarLink(
  db: Db,
  by: By,
  publicUrl: URL,
): Promise<CalendarLink & { url: string }> {
  const token = newToken();
  await transaction(db, async (tx) => {
    await sql`
      INSERT INTO calendar_links (user_id, token_hash) VALUES (${by.user.id}, ${tokenHash(token)})
      ON CONFLICT (user_id) DO UPDATE
      SET token_hash = excluded.token_hash, created_at = now(), last_read_at = NULL`.execute(tx);
    await record(tx, "create", by);
  });
  return {
    ...(await readCalendarLink(db, by.user.id)),
    url: new URL(`/calendar/${token}.ics`, publicUrl).href,
  };
}

/** Revokes the link. Does nothing if there is none. */
export async function removeCalendarLink(db: Db, by: By): Promise<CalendarLink> {
  await transaction(db, async (tx) => {
    const { rows } = await sql`
      DELETE FROM calendar_links WHERE user_id = ${by.user.id} RETURNING 1`.execute(tx);
    if (rows.length > 0) await record(tx, "delete", by);
  });
  return none;
}

/** Whether the file name is the link of someone who may see the schedules now; records that it was read. */
export async function opensCalendar(db: Db, file: string): Promise<boolean> {
  const token = FILE.exec(file)?.[1];
  if (token === undefined) return false;
  const { rows } = await sql`
    UPDATE calendar_links l SET last_read_at = now() FROM users u
    WHERE l.token_hash = ${tokenHash(token)} AND u.id = l.user_id AND u.deleted_at IS NULL
      AND u.role = ANY(${rolesWith("messages:read")}::text[])
    RETURNING 1`.execute(db);
  return rows.length > 0;
}

async function record(tx: Db, what: "create" | "delete", by: By): Promise<void> {
  const subject = { type: "user", id: by.user.id };
  await recordAudit(tx, { by, action: `calendar-link.${what}`, subject });
}
