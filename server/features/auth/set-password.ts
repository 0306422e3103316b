import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { type BrowserTokens, endSessionsOf } from "#server/http/session.ts";

/**
 * Gives a person a new password. One-time links that could set it stop working, and the person is signed out of every
 * browser except that of `tokens`. Call it in the transaction of the change.
 */
export async function setPassword(
  tx: Db,
  userId: number,
  passwordHash: string,
  tokens?: BrowserTokens,
): Promise<void> {
  // The current time, not the transaction's: a link that is being made meanwhile must count as older.
  await sql`UPDATE users SET password_hash = ${passwordHash}, password_changed_at = clock_timestamp()
    WHERE id = ${userId}`.execute(tx);
  await sql`DELETE FROM password_links WHERE user_id = ${userId} AND purpose = 'password'`.execute(tx);
  // Who entered them had the password before.
  await sql`DELETE FROM wrong_codes WHERE user_id = ${userId}`.execute(tx);
  await endSessionsOf(tx, userId, tokens);
  await sql`UPDATE sessions SET password_expired = false WHERE user_id = ${userId} AND password_expired`.execute(
    tx,
  );
}
