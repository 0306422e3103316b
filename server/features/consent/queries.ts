import { sql } from "kysely";
import { type Channel, channels } from "#contract/delivery.ts";
import type { ConsentChange } from "#contract/users.ts";
import type { Db } from "#server/db/database.ts";
import { type ConsentSource, sourceSentence } from "#server/features/consent/source.ts";

export type Preferences = { id: number; firstName: string; allowed: Record<Channel, boolean> };

// As the database makes them; what else somebody types there may not even be text that it can compare.
const TOKEN = /^[0-9a-f]{40}$/;

/** The person whose preferences the token of a mail's link opens; null when nobody's. */
export async function findByToken(db: Db, token: string): Promise<Preferences | null> {
  if (!TOKEN.test(token)) return null;
  const row = await db
    .selectFrom("users")
    .select(["id", "first_name", "receive_email", "receive_sms", "receive_push"])
    .where("preferences_token", "=", token)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (!row) return null;
  return {
    id: row.id,
    firstName: row.first_name,
    allowed: { email: row.receive_email, sms: row.receive_sms, push: row.receive_push },
  };
}

export type Change = {
  userId: number;
  channel: Channel;
  allowed: boolean;
  source: ConsentSource;
  /** Null where a link of a mail did it, which says nothing of who followed it. */
  actorId: number | null;
  ip: string;
};

/** Changes one channel of one person and records it; saying again what holds already records nothing. */
export async function changeConsent(
  db: Db,
  { userId, channel, allowed, source, actorId, ip }: Change,
): Promise<void> {
  const column = sql.ref(`receive_${channel}`);
  await sql`
    WITH changed AS (
      UPDATE users SET ${column} = ${allowed}, updated_at = now()
      WHERE id = ${userId} AND ${column} <> ${allowed} RETURNING id
    )
    INSERT INTO consents (user_id, channel, allowed, source, actor_id, ip)
    SELECT id, ${channel}, ${allowed}, ${source}, ${actorId}, ${ip} FROM changed`.execute(db);
}

/** The receive flags of a form; a channel that is left out stays as it is. */
export type Wishes = {
  receiveEmail?: boolean | undefined;
  receiveSms?: boolean | undefined;
  receivePush?: boolean | undefined;
};

/** Changes those channels of one person that the form says something new about. */
export async function changeConsents(
  db: Db,
  wishes: Wishes,
  by: Omit<Change, "channel" | "allowed">,
): Promise<void> {
  const wish = { email: wishes.receiveEmail, sms: wishes.receiveSms, push: wishes.receivePush };
  for (const channel of channels) {
    const allowed = wish[channel];
    if (allowed !== undefined) await changeConsent(db, { ...by, channel, allowed });
  }
}

const SHOWN = 100;

/** Each change of a person's preferences and where it came from, the newest first. */
export async function consentsOf(db: Db, userId: number): Promise<ConsentChange[]> {
  const found = await sql<{
    channel: Channel;
    allowed: boolean;
    source: string;
    at: Date;
    own: boolean;
    actor: string | null;
  }>`
    SELECT c.channel, c.allowed, c.source, c.at, c.actor_id IS NOT DISTINCT FROM c.user_id AS own,
      trim(a.first_name || ' ' || a.last_name) AS actor
    FROM consents c LEFT JOIN users a ON a.id = c.actor_id
    WHERE c.user_id = ${userId} ORDER BY c.at DESC, c.id DESC LIMIT ${SHOWN}`.execute(db);
  return found.rows.map(({ at, own, actor, ...change }) => ({
    ...change,
    sentence: sourceSentence(change.source, own ? null : actor),
    at: at.toISOString(),
  }));
}
