import { sql } from "kysely";
import type { Channel } from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";

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

export type ConsentChange = {
  userId: number;
  channel: Channel;
  allowed: boolean;
  source: "one-click" | "preferences-page";
  ip: string;
};

/** Changes one channel of one person and records it; saying again what holds already records nothing. */
export async function changeConsent(
  db: Db,
  { userId, channel, allowed, source, ip }: ConsentChange,
): Promise<void> {
  const column = sql.ref(`receive_${channel}`);
  await sql`
    WITH changed AS (
      UPDATE users SET ${column} = ${allowed}, updated_at = now()
      WHERE id = ${userId} AND ${column} <> ${allowed} RETURNING id
    )
    INSERT INTO consents (user_id, channel, allowed, source, ip)
    SELECT id, ${channel}, ${allowed}, ${source}, ${ip} FROM changed`.execute(db);
}
