import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { newToken, tokenHash } from "#server/http/tokens.ts";

/**
 * Browsers in which someone has signed in before. Each has a random token, stored only as a hash. It opens nothing, but
 * tells a tenant's browser from a stranger's who guesses from the same address.
 */

/** The key that throttling uses for a browser. */
export type BrowserKey = string;

/** The browser of this cookie if this person has signed in with it before, otherwise null. */
export async function knownBrowser(
  db: Db,
  token: string | undefined,
  userId: number | undefined,
): Promise<BrowserKey | null> {
  if (token === undefined || userId === undefined) return null;
  const found = await sql`
    SELECT FROM known_browsers WHERE token_hash = ${tokenHash(token)} AND user_id = ${userId}
      AND signed_out_at IS NULL`.execute(db);
  return found.rows.length > 0 ? `browser:${tokenHash(token).toString("hex")}` : null;
}

/** Records that a person has signed in here and returns the browser's token: a new one if it had none that we know. */
export async function rememberBrowser(db: Db, userId: number, token: string | undefined): Promise<string> {
  const known =
    token !== undefined &&
    (
      await sql`SELECT FROM known_browsers WHERE token_hash = ${tokenHash(token)} AND signed_out_at IS NULL
        LIMIT 1`.execute(db)
    ).rows.length > 0;
  const kept = known ? token : newToken();
  await sql`
    INSERT INTO known_browsers (token_hash, user_id) VALUES (${tokenHash(kept)}, ${userId})
    ON CONFLICT (token_hash, user_id) DO UPDATE SET used_at = now(), signed_out_at = NULL`.execute(db);
  return kept;
}
