import type { CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type RawBuilder, sql } from "kysely";
import type { Endpoint } from "#contract/endpoint.ts";
import type { AppError } from "#contract/errors.ts";
import { type Principal, principalOf, rolesWith } from "#contract/permissions.ts";
import { settingTable } from "#contract/calls/settings.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import type { Db } from "#server/db/database.ts";
import { PREPARED } from "#server/db/prepared.ts";
import type { SessionUser } from "#server/http/route.ts";
import { newToken, tokenHash } from "#server/http/tokens.ts";

/** Whatever happens, a session ends this many hours after sign-in. */
export const ABSOLUTE_HOURS = 24 * 7;
// Moving last_seen_at on every request would write a row for every read.
const TOUCH_SECONDS = 30;

/** So long after a sign-in or an entered password, no one is asked for it again. */
const CONFIRMED_MINUTES = 10;

const NONE = Buffer.alloc(0);

/** The columns of a `SessionUser`, from `users u`. */
export const sessionUser: RawBuilder<unknown> = sql`u.id, u.username, u.first_name AS "firstName",
  u.last_name AS "lastName", u.email, u.role`;

/** Whether `users u` has to set up a second factor before anything else works. */
const mustSetUpTwoFactor = sql<boolean>`(u.role = ANY(${rolesWith("accounts:write")}::text[])
  AND EXISTS (SELECT FROM settings WHERE key = 'enableTwoFactor' AND value = 'true')
  AND NOT EXISTS (SELECT FROM totp_secrets t WHERE t.user_id = u.id AND NOT t.pending)
  AND NOT EXISTS (SELECT FROM passkeys p WHERE p.user_id = u.id))`;

/** How many minutes a session holds without use. */
const idleMinutes = sql<number>`coalesce((SELECT value::int FROM settings WHERE key = 'sessionTimeout'),
  ${settingTable.sessionTimeout.default}::int)`;

/** Not idle for longer than the setting allows, and not too old. */
const holds = sql<boolean>`(s.ended_at IS NULL AND s.created_at > now() - make_interval(hours => ${ABSOLUTE_HOURS})
  AND s.last_seen_at > now() - make_interval(mins => ${idleMinutes}))`;

export type Cookie = {
  read(request: FastifyRequest): string | undefined;
  write(reply: FastifyReply, token: string): void;
  clear(reply: FastifyReply): void;
};

/**
 * The session's cookie, which ends with the browser at the latest, the one that recognizes a browser, and that of a
 * sign-in that waits for its second step.
 */
export type Cookies = { session: Cookie; browser: Cookie; pending: Cookie };

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Over https a cookie has the __Host- prefix, which binds it to this very host and to https. */
export function cookiesOf(publicUrl: URL): Cookies {
  const secure = publicUrl.protocol === "https:";
  const cookie = (plain: string, more: CookieSerializeOptions = {}): Cookie => {
    const name = secure ? `__Host-${plain}` : plain;
    const options: CookieSerializeOptions = { path: "/", httpOnly: true, secure, sameSite: "lax" };
    return {
      read: (request) => request.cookies[name],
      write: (reply, token) => void reply.setCookie(name, token, { ...options, ...more }),
      clear: (reply) => void reply.clearCookie(name, options),
    };
  };
  return {
    session: cookie("porchlight"),
    browser: cookie("porchlight-browser", { maxAge: YEAR_SECONDS }),
    pending: cookie("porchlight-sign-in", { sameSite: "strict" }),
  };
}

/** The password of `users u` is older than the settings allow. */
const passwordExpired = sql<boolean>`(u.password_hash IS NOT NULL AND coalesce(u.password_changed_at, u.created_at)
  < now() - make_interval(days => nullif(coalesce(
    (SELECT value::int FROM settings WHERE key = 'passwordExpiry'), ${settingTable.passwordExpiry.default}), 0)))`;

type NewSession = {
  userId: number;
  ip: string;
  userAgent: string | undefined;
  /** They signed in with a passkey alone, so the age of their password does not matter. */
  withoutPassword?: boolean;
};

/**
 * Starts a session and returns its token: 256 random bits, stored only as a hash. Whether the password has expired is
 * decided here once, so that it ends no one's work.
 */
export async function startSession(
  db: Db,
  { userId, ip, userAgent, withoutPassword = false }: NewSession,
): Promise<string> {
  const token = newToken();
  await sql`
    INSERT INTO sessions (token_hash, user_id, ip, user_agent, password_expired)
    SELECT ${tokenHash(token)}, u.id, ${ip}, ${userAgent?.slice(0, 400) ?? null},
      ${withoutPassword ? sql`false` : sql`coalesce(${passwordExpired}, false)`}
    FROM users u WHERE u.id = ${userId}`.execute(db);
  return token;
}

/**
 * Gives a session a new token and returns it: a copy of the old one opens nothing anymore. Call it in the transaction of
 * the change, with the person's row locked. Throws conflict if another tab has renewed or ended the session since.
 */
export async function renewSession(tx: Db, token: string): Promise<string> {
  const renewed = newToken();
  const { numUpdatedRows } = await tx
    .updateTable("sessions")
    .set({ token_hash: tokenHash(renewed) })
    .where("token_hash", "=", tokenHash(token))
    .where("ended_at", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) {
    throw refusal("session-changed");
  }
  return renewed;
}

/** Records that the session's person has just proved who they are. */
export async function confirmSession(db: Db, token: string): Promise<void> {
  await sql`UPDATE sessions SET confirmed_at = now() WHERE token_hash = ${tokenHash(token)}`.execute(db);
}

export async function endSession(db: Db, token: string): Promise<void> {
  await db.deleteFrom("sessions").where("token_hash", "=", tokenHash(token)).execute();
}

/** The tokens of one browser: its session's, and the one by which it is known again. */
export type BrowserTokens = { session?: string | undefined; browser?: string | undefined };

/**
 * Ends a person's sessions except that of one browser, and returns how many. Browsers that were closed since, and have
 * no session anymore, count as signed out too, and so does a sign-in that waits for its second step.
 */
export async function endSessionsOf(
  db: Db,
  userId: number,
  { session, browser }: BrowserTokens = {},
): Promise<number> {
  await sql`
    UPDATE known_browsers SET signed_out_at = now()
    WHERE user_id = ${userId} AND token_hash <> ${browser ? tokenHash(browser) : NONE}`.execute(db);
  await sql`DELETE FROM pending_sign_ins WHERE user_id = ${userId}`.execute(db);
  const ended = await sql`
    UPDATE sessions SET ended_at = now()
    WHERE user_id = ${userId} AND token_hash <> ${session ? tokenHash(session) : NONE} AND ended_at IS NULL`.execute(
    db,
  );
  return Number(ended.numAffectedRows ?? 0);
}

type SessionRow = {
  /** Identifies the session without opening it: a hash of the hash. */
  publicId: string;
  current: boolean;
  createdAt: Date;
  lastSeenAt: Date;
  ip: string | null;
  userAgent: string | null;
};

const publicId = sql<string>`left(encode(sha256(s.token_hash), 'hex'), 16)`;

/** Where a person is signed in now, last used first; `token` is the asking session's. */
export async function sessionsOf(db: Db, userId: number, token: string): Promise<SessionRow[]> {
  const found = await sql<SessionRow>`
    SELECT ${publicId} AS "publicId", s.token_hash = ${tokenHash(token)} AS current, s.created_at AS "createdAt",
      s.last_seen_at AS "lastSeenAt", s.ip, s.user_agent AS "userAgent"
    FROM sessions s WHERE s.user_id = ${userId} AND ${holds}
    ORDER BY current DESC, s.last_seen_at DESC`.execute(db);
  return found.rows;
}

/** Ends one session of a person by its public id; 0 when it has ended already. */
export async function endSessionNamed(db: Db, userId: number, id: string): Promise<number> {
  const ended = await sql`
    UPDATE sessions s SET ended_at = now()
    WHERE s.user_id = ${userId} AND ${publicId} = ${id} AND s.ended_at IS NULL`.execute(db);
  return Number(ended.numAffectedRows ?? 0);
}

/**
 * Why a browser has no session: it was signed out from elsewhere (its session was ended, or the person who used it last
 * has signed out everywhere since), or its session expired. Null if no one signed in, or they signed out themselves.
 */
export async function whyNoSession(db: Db, { session, browser }: BrowserTokens): Promise<AppError | null> {
  if (!session && !browser) return null;
  type Row = { ended: boolean; tooOld: boolean; minutes: number };
  const found = await sql<Row>`
    SELECT s.ended_at IS NOT NULL AS ended, s.created_at <= now() - make_interval(hours => ${ABSOLUTE_HOURS}) AS "tooOld",
      ${idleMinutes} AS minutes
    FROM sessions s WHERE s.token_hash = ${session ? tokenHash(session) : NONE} AND NOT ${holds}
    UNION ALL SELECT true, false, 0 FROM (
      SELECT signed_out_at FROM known_browsers WHERE token_hash = ${browser ? tokenHash(browser) : NONE}
      ORDER BY used_at DESC LIMIT 1) latest
    WHERE latest.signed_out_at IS NOT NULL
    ORDER BY ended DESC LIMIT 1`.execute(db);
  const [why] = found.rows;
  if (!why) return null;
  if (why.ended) return refusal("signed-out-elsewhere");
  return why.tooOld
    ? refusal("session-too-old", { days: ABSOLUTE_HOURS / 24 })
    : refusal("session-unused", { minutes: why.minutes });
}

/** The tokens that a request's browser sends. */
export const tokensOf = ({ session, browser }: Cookies, request: FastifyRequest): BrowserTokens => ({
  session: session.read(request),
  browser: browser.read(request),
});

/** What a session may do now, without counting the check as use; null if it is no longer valid. */
export async function principalOfSession(db: Db, token: string): Promise<Principal | null> {
  const session = await readSession(db, token);
  return session && !session.mustSetUpTwoFactor && !session.passwordExpired ? session : null;
}

/**
 * Whether a request is a person's doing. A page that no one is using marks the requests it makes on its own. Otherwise
 * updates from one person's work would keep everyone's session alive. The event stream does not count either, since the
 * browser reopens it on its own.
 */
export function isUse(request: FastifyRequest, { answer }: Pick<Endpoint, "answer">): boolean {
  return answer !== "events" && request.headers["x-porchlight-unattended"] === undefined;
}

/** What a request may do on behalf of whom. */
export type Session = Principal & {
  user: SessionUser;
  /** An administrator who has to set up a second factor before anything else works. */
  mustSetUpTwoFactor: boolean;
  /** It began with an expired password: nothing works before there is another one. */
  passwordExpired: boolean;
  /** They signed in or entered their password within the last minutes. */
  confirmed: boolean;
};

/**
 * A session that is neither idle for longer than the setting allows nor too old; `use` extends it. One statement on
 * every request: the settings are read with it, so a changed one applies immediately.
 */
export async function findSession(db: Db, token: string, use: boolean): Promise<Session | null> {
  const row = await readSession(db, token);
  if (!row) return null;
  const { stale, ...session } = row;
  if (stale && use) {
    await sql`UPDATE sessions SET last_seen_at = now() WHERE token_hash = ${tokenHash(token)}`.execute(db);
  }
  return session;
}

type Row = SessionUser & Omit<Session, "user" | keyof Principal> & { stale: boolean };

async function readSession(db: Db, token: string): Promise<(Session & { stale: boolean }) | null> {
  const found = await sql<Row>`${PREPARED}
    SELECT ${sessionUser}, s.last_seen_at < now() - make_interval(secs => ${TOUCH_SECONDS}) AS stale,
      s.confirmed_at > now() - make_interval(mins => ${CONFIRMED_MINUTES}) AS confirmed,
      ${mustSetUpTwoFactor} AS "mustSetUpTwoFactor", s.password_expired AS "passwordExpired"
    FROM sessions s JOIN users u ON u.id = s.user_id
    WHERE s.token_hash = ${tokenHash(token)} AND u.deleted_at IS NULL AND ${holds}`.execute(db);
  const [row] = found.rows;
  if (!row) return null;
  const { stale, confirmed, mustSetUpTwoFactor: mustSetUp, passwordExpired: expired, ...user } = row;
  return {
    ...principalOf(user.role),
    user,
    stale,
    confirmed,
    mustSetUpTwoFactor: mustSetUp,
    passwordExpired: expired,
  };
}
