import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { type BrowserTokens, endSessionsOf } from "#server/http/session.ts";

/**
 * Gives a person a new password. One-time links that could set it stop working, the calendar link is revoked, and the
 * person is signed out of every browser except that of `tokens`. Browsers that get their notifications keep getting
 * them. Call it in the transaction of the change.
 * @returns what `tellOfChange` tells them
 */
export async function setPassword(
  tx: Db,
  userId: number,
  passwordHash: string,
  tokens?: BrowserTokens,
): Promise<"password" | "password-and-calendar-link"> {
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
  const { rows } = await sql`DELETE FROM calendar_links WHERE user_id = ${userId} RETURNING 1`.execute(tx);
  return rows.length > 0 ? "password-and-calendar-link" : "password";
}
