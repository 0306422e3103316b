import { sql } from "kysely";
import type { BodyOf, ReplyOf } from "#contract/endpoint.ts";
import type { profileCalls, PushBrowser } from "#contract/calls/profile.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { changeConsent } from "#server/features/consent/queries.ts";
import { deviceName } from "#server/features/profile/device.ts";
import type { By } from "#server/http/route.ts";

/** More than anyone uses; each message goes to every one of them. */
const MOST = 20;

type Row = Omit<PushBrowser, "createdAt"> & { createdAt: Date };

/** The person's own, as far as the account in use reaches them. */
export async function readPushBrowsers(
  db: Db,
  userId: number,
): Promise<ReplyOf<typeof profileCalls.pushBrowsers>> {
  const publicKey = await browserKey(db);
  if (publicKey === null) return { publicKey, browsers: [] };
  const { rows } = await sql<Row>`
    SELECT id, endpoint, name, created_at AS "createdAt" FROM push_browsers
    WHERE user_id = ${userId} AND server_key = ${publicKey} ORDER BY id DESC`.execute(db);
  return { publicKey, browsers: rows.map(present) };
}

/**
 * Signs a browser up for the person and turns the channel on for them. A browser that someone else had signed up now
 * belongs to this person. Throws conflict where push does not go to browsers, or where they have too many.
 */
export async function addPushBrowser(
  db: Db,
  { endpoint, p256dh, auth }: BodyOf<typeof profileCalls.addPushBrowser>,
  userAgent: string | null,
  by: By,
): Promise<PushBrowser> {
  const { user, ip } = by;
  const row = await transaction(db, async (tx) => {
    const key = await browserKey(tx);
    if (key === null) throw refusal("browser-push-off");
    await sql`SELECT FROM users WHERE id = ${user.id} FOR NO KEY UPDATE`.execute(tx);
    const name = deviceName(userAgent);
    const { rows } = await sql<Row>`
      INSERT INTO push_browsers (user_id, endpoint, p256dh, auth, server_key, name)
      VALUES (${user.id}, ${endpoint}, ${p256dh}, ${auth}, ${key}, ${name})
      ON CONFLICT (endpoint) DO UPDATE SET user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth,
        server_key = excluded.server_key, name = excluded.name
      RETURNING id, endpoint, name, created_at AS "createdAt"`.execute(tx);
    const count = await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM push_browsers
      WHERE user_id = ${user.id} AND server_key = ${key}`.execute(tx);
    if (count.rows[0]!.count > MOST) {
      throw refusal("too-many-browsers", { most: MOST });
    }
    const change = { userId: user.id, source: "profile", actorId: user.id, ip } as const;
    await changeConsent(tx, { ...change, channel: "push", allowed: true });
    await recordAudit(tx, {
      by,
      action: "profile.add-browser",
      subject: { type: "user", id: user.id },
      detail: { browser: name },
    });
    return rows[0]!;
  });
  return present(row);
}

/** Throws not-found, also for a browser of someone else. */
export function removePushBrowser(db: Db, id: number, by: By): Promise<void> {
  return transaction(db, async (tx) => {
    const { rows } = await sql<{ name: string }>`
      DELETE FROM push_browsers WHERE id = ${id} AND user_id = ${by.user.id} RETURNING name`.execute(tx);
    const [removed] = rows;
    if (!removed) throw refusal("browser-removed");
    await recordAudit(tx, {
      by,
      action: "profile.remove-browser",
      subject: { type: "user", id: by.user.id },
      detail: { browser: removed.name },
    });
  });
}

/** What browsers are signed up with; null where no account in use reaches browsers of ours. */
async function browserKey(db: Db): Promise<string | null> {
  const { rows } = await sql<{ key: string }>`
    SELECT browser_key AS key FROM accounts WHERE browser_key IS NOT NULL AND enabled LIMIT 1`.execute(db);
  return rows[0]?.key ?? null;
}

const present = (row: Row): PushBrowser => ({ ...row, createdAt: row.createdAt.toISOString() });
