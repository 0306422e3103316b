import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { sql } from "kysely";
import type { Passkey } from "#contract/calls/two-factor.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { fullName } from "#contract/text/full-name.ts";
import type { Db } from "#server/db/database.ts";
import type { PasskeySite } from "#server/features/auth/passkey-site.ts";
import type { SessionUser } from "#server/http/route.ts";
import { sessionUser } from "#server/http/session.ts";
import { tokenHash } from "#server/http/tokens.ts";

/**
 * Passkeys (WebAuthn). Each one is bound to the site, stays on the person's device or in their password manager, and
 * asks for their finger, face or PIN every time: one step that is two factors.
 */

const MINUTES = 10;
const MOST = 20;

/** Ed25519, ES256 and RS256, which every browser knows. The library would add one that Node calls experimental. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** Loaded with the first passkey: it takes 30 MB. */
const webauthn = () => import("@simplewebauthn/server");

/** A challenge is good once, for the browser that asked for it: `token` is its session's or its sign-in's. */
async function keepChallenge(db: Db, token: string, challenge: string): Promise<void> {
  await sql`
    INSERT INTO passkey_challenges (token_hash, challenge, expires_at)
    VALUES (${tokenHash(token)}, ${challenge}, now() + make_interval(mins => ${MINUTES}))
    ON CONFLICT (token_hash) DO UPDATE SET challenge = excluded.challenge, expires_at = excluded.expires_at`.execute(
    db,
  );
}

async function takeChallenge(db: Db, token: string): Promise<string> {
  const taken = await sql<{ challenge: string; good: boolean }>`
    DELETE FROM passkey_challenges WHERE token_hash = ${tokenHash(token)}
    RETURNING challenge, expires_at > now() AS good`.execute(db);
  const [row] = taken.rows;
  if (!row?.good) throw refusal("passkey-too-slow");
  return row.challenge;
}

export async function passkeysOf(db: Db, userId: number, site: PasskeySite | null): Promise<Passkey[]> {
  const found = await sql<{
    id: number;
    name: string;
    createdAt: Date;
    lastUsedAt: Date | null;
    madeFor: string | null;
  }>`
    SELECT id, name, created_at AS "createdAt", last_used_at AS "lastUsedAt",
      CASE WHEN rp_id IS DISTINCT FROM ${site?.rpId ?? null} THEN rp_id END AS "madeFor"
    FROM passkeys WHERE user_id = ${userId} ORDER BY id`.execute(db);
  return found.rows.map(({ createdAt, lastUsedAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }));
}

/** The person's passkeys that work at this site. */
async function credentialsOf(db: Db, userId: number, rpId: string) {
  const found = await sql<{ id: string; transports: string[] }>`
    SELECT credential_id AS id, transports FROM passkeys
    WHERE user_id = ${userId} AND (rp_id IS NULL OR rp_id = ${rpId})`.execute(db);
  return found.rows;
}

/** Throws conflict where they have as many as they can. */
async function refuseTooMany(db: Db, userId: number): Promise<void> {
  const found = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM passkeys WHERE user_id = ${userId}`.execute(db);
  if ((found.rows[0]?.count ?? 0) < MOST) return;
  throw refusal("too-many-passkeys", { most: MOST });
}

/** What a browser needs to make a passkey for this person. Throws conflict where they have as many as they can. */
export async function registrationOptions(
  db: Db,
  { rpId }: PasskeySite,
  { user, siteName, token }: { user: SessionUser; siteName: string; token: string },
): Promise<{ challenge: string }> {
  await refuseTooMany(db, user.id);
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: siteName,
    rpID: rpId,
    userID: new TextEncoder().encode(String(user.id)),
    userName: user.username,
    userDisplayName: fullName(user),
    excludeCredentials: await credentialsOf(db, user.id, rpId),
    supportedAlgorithmIDs,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  await keepChallenge(db, token, options.challenge);
  return options;
}

export type NewPasskey = {
  id: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
  /** The domain that it works at. */
  rpId: string;
};

/** Checks what the browser made. Throws invalid-input, and conflict when it took too long. */
export async function checkRegistration(
  db: Db,
  { rpId, origin }: PasskeySite,
  { token, response }: { token: string; response: unknown },
): Promise<NewPasskey> {
  const expectedChallenge = await takeChallenge(db, token);
  const { verifyRegistrationResponse } = await webauthn();
  const { registrationInfo } = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    supportedAlgorithmIDs,
  }).catch(() => ({ registrationInfo: undefined }));
  if (!registrationInfo) throw refusal("passkey-not-checkable");
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  return { id, publicKey: Buffer.from(publicKey), counter, transports, rpId };
}

/** Stores a passkey. Throws conflict if it is on file or one too many. The person must be locked. */
export async function insertPasskey(
  tx: Db,
  userId: number,
  name: string,
  { id, publicKey, counter, transports, rpId }: NewPasskey,
): Promise<void> {
  await refuseTooMany(tx, userId);
  const made = await sql`
    INSERT INTO passkeys (user_id, credential_id, public_key, counter, transports, name, rp_id)
    VALUES (${userId}, ${id}, ${publicKey}, ${counter}, ${transports}, ${name}, ${rpId})
    ON CONFLICT (credential_id) DO NOTHING`.execute(tx);
  if (made.numAffectedRows === 0n) throw refusal("passkey-added-already");
}

/** What a passkey has to sign; without a person, any of this site's may. */
export async function authenticationOptions(
  db: Db,
  { rpId }: PasskeySite,
  { userId, token }: { userId: number | null; token: string },
): Promise<{ challenge: string }> {
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    userVerification: "required",
    ...(userId !== null && { allowCredentials: await credentialsOf(db, userId, rpId) }),
  });
  await keepChallenge(db, token, options.challenge);
  return options;
}

type Found = SessionUser & { passkeyId: number; publicKey: Buffer; counter: number };

/** Whose passkey has signed the challenge of `token`; null if none of ours has. Throws conflict when it took too long. */
export async function ownerOfSignature(
  db: Db,
  { rpId, origin }: PasskeySite,
  { token, response }: { token: string; response: { id: string } },
): Promise<SessionUser | null> {
  const expectedChallenge = await takeChallenge(db, token);
  const found = await sql<Found>`
    SELECT ${sessionUser}, p.id AS "passkeyId", p.public_key AS "publicKey", p.counter
    FROM passkeys p JOIN users u ON u.id = p.user_id AND u.deleted_at IS NULL
    WHERE p.credential_id = ${response.id}`.execute(db);
  const [row] = found.rows;
  if (!row) return null;
  const { passkeyId, publicKey, counter, ...user } = row;
  const { verifyAuthenticationResponse } = await webauthn();
  const checked = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential: { id: response.id, publicKey: new Uint8Array(publicKey), counter },
  }).catch(() => ({ verified: false as const, authenticationInfo: undefined }));
  if (!checked.verified) return null;
  await sql`UPDATE passkeys SET counter = ${checked.authenticationInfo.newCounter}, last_used_at = now(),
      rp_id = ${rpId} WHERE id = ${passkeyId}`.execute(db);
  return user;
}
