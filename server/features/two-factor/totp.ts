import { sql } from "kysely";
import { Secret, TOTP } from "otpauth";
import { refusal } from "#contract/refusals/refusal.ts";
import { type Db, transaction } from "#server/db/database.ts";
import type { SecretBox } from "#server/db/secret-box.ts";

/** Authenticator apps: codes of six digits that change every 30 seconds (RFC 6238). */

const BYTES = 20;
/** The code before and the one after count too: phones' clocks drift. */
const STEPS_OFF = 1;

const placeOf = (userId: number) => `totp ${userId}`;
const totpOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) });

/** Makes a secret that `confirmTotp` turns on. Answers it as text and as the address in a QR code. */
export async function beginTotp(
  db: Db,
  box: SecretBox,
  { userId, issuer, label }: { userId: number; issuer: string; label: string },
): Promise<{ secret: string; uri: string }> {
  const secret = new Secret({ size: BYTES });
  await sql`
    INSERT INTO totp_secrets (user_id, pending, secret)
    VALUES (${userId}, true, ${box.seal(secret.base32, placeOf(userId))})
    ON CONFLICT (user_id, pending) DO UPDATE SET secret = excluded.secret, created_at = now()`.execute(db);
  // A colon separates the two.
  const [of, who] = [issuer, label].map((text) => text.replaceAll(":", " "));
  return { secret: secret.base32, uri: new TOTP({ issuer: of!, label: who!, secret }).toString() };
}

type Typed = { userId: number; code: string; now: Date };

/** Whether this is a code of the secret that was made last. */
export const fitsNewTotp = async (db: Db, box: SecretBox, typed: Typed): Promise<boolean> =>
  (await stepOf(db, box, { ...typed, pending: true })) !== null;

/** Turns on the secret that was made last, in place of an earlier one, unless this is not a code of it. */
export async function confirmTotp(
  tx: Db,
  box: SecretBox,
  { userId, code, now }: Typed,
): Promise<"wrong" | "added" | "replaced"> {
  const step = await stepOf(tx, box, { userId, code, now, pending: true });
  if (step === null) return "wrong";
  const earlier = await sql`DELETE FROM totp_secrets WHERE user_id = ${userId} AND NOT pending`.execute(tx);
  await sql`UPDATE totp_secrets SET pending = false, created_at = now(), last_step = ${step}
    WHERE user_id = ${userId}`.execute(tx);
  return earlier.numAffectedRows === 0n ? "added" : "replaced";
}

/** Uses up a code: the same one, and any before it, never works again. */
export async function useTotp(
  db: Db,
  box: SecretBox,
  { userId, code, now }: { userId: number; code: string; now: Date },
): Promise<"right" | "wrong" | "used"> {
  const step = await stepOf(db, box, { userId, code, now, pending: false });
  if (step === null) return "wrong";
  const used = await sql`
    UPDATE totp_secrets SET last_step = ${step}
    WHERE user_id = ${userId} AND NOT pending AND (last_step IS NULL OR last_step < ${step})`.execute(db);
  return used.numAffectedRows === 1n ? "right" : "used";
}

/** Which 30 seconds a code is of; null if of none that is near. */
async function stepOf(
  db: Db,
  box: SecretBox,
  { userId, code, now, pending }: { userId: number; code: string; now: Date; pending: boolean },
): Promise<number | null> {
  const found = await sql<{ secret: string }>`
    SELECT secret FROM totp_secrets WHERE user_id = ${userId} AND pending = ${pending}`.execute(db);
  const [row] = found.rows;
  if (!row) return null;
  const totp = totpOf(opened(box, row.secret, userId));
  const timestamp = now.getTime();
  const off = totp.validate({ token: code, timestamp, window: STEPS_OFF });
  return off === null ? null : totp.counter({ timestamp }) + off;
}

function opened(box: SecretBox, sealed: string, userId: number): string {
  try {
    return box.open(sealed, placeOf(userId));
  } catch {
    throw refusal("app-secret-unreadable");
  }
}

/**
 * Encrypts with the current key what an earlier one had sealed, so that the earlier one can be thrown away. What no key
 * here opens is left as it is.
 *
 * @returns how many secrets were written again
 */
export function rotateTotpSecrets(db: Db, box: SecretBox): Promise<number> {
  return transaction(db, async (tx) => {
    const { rows } = await sql<{ userId: number; pending: boolean; secret: string }>`
      SELECT user_id AS "userId", pending, secret FROM totp_secrets ORDER BY user_id, pending FOR UPDATE`.execute(
      tx,
    );
    const old = rows.filter(({ secret }) => !box.isCurrent(secret));
    for (const { userId, pending, secret } of old) {
      await sql`UPDATE totp_secrets SET secret = ${box.renew(secret, placeOf(userId))}
        WHERE user_id = ${userId} AND pending = ${pending}`.execute(tx);
    }
    return old.length;
  });
}
