import type { FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import { type SecondFactor, secondFactors } from "#contract/calls/auth.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import type { Db } from "#server/db/database.ts";
import type { PasskeySite } from "#server/features/auth/passkey-site.ts";
import type { SessionUser } from "#server/http/route.ts";
import { type Cookie, sessionUser } from "#server/http/session.ts";
import { newToken, tokenHash } from "#server/http/tokens.ts";

/**
 * A sign-in between its first step, the password, and its second. The browser holds a random token, stored only as a
 * hash. It isn't a session: it only opens the second step, once, for ten minutes.
 */

const MINUTES = 10;

/** Whether the person has a second factor, wherever it works: then their password alone opens nothing. */
export async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  const found = await sql<{ has: boolean }>`
    SELECT EXISTS (SELECT FROM passkeys WHERE user_id = ${userId})
      OR EXISTS (SELECT FROM totp_secrets WHERE user_id = ${userId} AND NOT pending) AS has`.execute(db);
  return found.rows[0]!.has;
}

export type SecondSteps = {
  secondFactors: SecondFactor[];
  /** Hosts of their passkeys that don't work here, because the installation has moved. */
  passkeysElsewhere?: string[];
};

/** The second steps that someone with a second factor can take at this address. */
export async function secondStepsOf(db: Db, userId: number, site: PasskeySite | null): Promise<SecondSteps> {
  const here = sql`(rp_id IS NULL OR rp_id = ${site?.rpId ?? null})`;
  const found = await sql<Record<SecondFactor, boolean> & { elsewhere: string[] }>`
    SELECT EXISTS (SELECT FROM passkeys WHERE user_id = ${userId} AND ${here}) AS passkey,
      EXISTS (SELECT FROM totp_secrets WHERE user_id = ${userId} AND NOT pending) AS app,
      EXISTS (SELECT FROM recovery_codes WHERE user_id = ${userId} AND used_at IS NULL) AS recovery,
      ARRAY(SELECT DISTINCT rp_id FROM passkeys WHERE user_id = ${userId} AND ${here} IS NOT TRUE) AS elsewhere`.execute(
    db,
  );
  const { elsewhere, ...has } = found.rows[0]!;
  return {
    secondFactors: secondFactors.filter((factor) => has[factor]),
    ...(elsewhere.length > 0 && { passkeysElsewhere: elsewhere }),
  };
}

/** Starts one and sets its cookie; without a person, a passkey will say who it is. Returns its token. */
export async function beginSignIn(
  db: Db,
  { cookie, reply }: { cookie: Cookie; reply: FastifyReply },
  { userId, sharedComputer }: { userId: number | null; sharedComputer: boolean },
): Promise<string> {
  const token = newToken();
  await sql`
    INSERT INTO pending_sign_ins (token_hash, user_id, shared_computer, expires_at)
    VALUES (${tokenHash(token)}, ${userId}, ${sharedComputer}, now() + make_interval(mins => ${MINUTES}))`.execute(
    db,
  );
  cookie.write(reply, token);
  return token;
}

export type PendingSignIn = {
  token: string;
  /** Null: a passkey will say who it is. */
  user: SessionUser | null;
  sharedComputer: boolean;
};

/** The sign-in of this browser that waits for its second step; null if there is none or it took too long. */
export async function pendingSignIn(
  db: Db,
  cookie: Cookie,
  request: FastifyRequest,
): Promise<PendingSignIn | null> {
  const token = cookie.read(request);
  if (token === undefined) return null;
  const found = await sql<SessionUser & { sharedComputer: boolean; userId: number | null }>`
    SELECT ${sessionUser}, p.shared_computer AS "sharedComputer", p.user_id AS "userId"
    FROM pending_sign_ins p LEFT JOIN users u ON u.id = p.user_id AND u.deleted_at IS NULL
    WHERE p.token_hash = ${tokenHash(token)} AND p.expires_at > now()`.execute(db);
  const [row] = found.rows;
  if (!row) return null;
  const { sharedComputer, userId, ...user } = row;
  // Deleted since.
  if (userId !== null && user.id === null) return null;
  return { token, user: userId === null ? null : user, sharedComputer };
}

/** Ends it, done or not. Throws if another request has just ended it: of two that are right only one signs in. */
export async function endPendingSignIn(db: Db, token: string): Promise<void> {
  const ended = await sql`DELETE FROM pending_sign_ins WHERE token_hash = ${tokenHash(token)}`.execute(db);
  if (ended.numAffectedRows === 0n) throw refusal("sign-in-too-slow");
}
