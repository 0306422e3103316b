import { isIPv6 } from "node:net";
import { type RawBuilder, sql } from "kysely";
import { AppError } from "#contract/errors.ts";
import type { Db } from "#server/db/database.ts";
import type { BrowserKey } from "#server/features/auth/known-browser.ts";

/**
 * Sign-in throttling. Failures are counted per account *and* origin, and per origin: the delay that a guesser causes
 * applies only to where they come from, so no one can lock another person out. A browser in which the person has signed
 * in before counts as a separate origin, so a neighbor's guesses from the same address do not delay them.
 */

/** `firstSeconds`: the first wait after the free attempts. It doubles each time. */
type Limit = { free: number; firstSeconds?: number; maxSeconds: number };
const perAccount: Limit = { free: 5, maxSeconds: 15 * 60 };
const perOrigin: Limit = { free: 50, maxSeconds: 15 * 60 };
/**
 * Neighbors who register at a meeting share one origin. Nothing is forgiven, because that would reveal who was known.
 */
const registrationsPerOrigin: Limit = { free: 100, maxSeconds: 15 * 60 };
/** Neighbors share one origin here, too; nothing can be guessed. */
const passkeySignInsPerOrigin: Limit = { free: 200, maxSeconds: 15 * 60 };
/** A stranger can type anyone's address, so each address gets only a few emails an hour. */
const confirmationsPerAddress: Limit = { free: 3, firstSeconds: 60 * 60, maxSeconds: 60 * 60 };
/** Nor can one person, by changing the address, have many strangers emailed. */
const confirmationsPerPerson: Limit = { free: 5, firstSeconds: 60 * 60, maxSeconds: 60 * 60 };
/** Ten slow hashes each, and a notice. */
const recoveryCodesPerPerson: Limit = { free: 5, firstSeconds: 60 * 60, maxSeconds: 60 * 60 };
/** A quiet hour clears everything. */
const FORGET = "1 hour";

/** Where an attempt comes from. */
type Origin = { ip: string; browser?: BrowserKey | null };

function keys(account: string, { ip, browser }: Origin) {
  const origin = browser ?? originOf(ip);
  return {
    // Lowercased like the username that sign-in finds: every spelling of it counts as one.
    account: sql<string>`'account:' || lower(${account}) || ${`|${origin}`}`,
    origin: browser ? null : `address:${origin}`,
  };
}

/**
 * Whose attempts count together: an IPv4 address, or the first half of an IPv6 address, whose second half anyone can
 * choose.
 */
function originOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped || !isIPv6(ip)) return mapped ?? ip;
  const [left = [], right = []] = ip.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  return `${[...left, ...zeros, ...right].slice(0, 4).join(":")}::/64`;
}

/** Counts an attempt before it is checked, so that simultaneous attempts count too. Throws if it must wait. */
export async function countTry(db: Db, account: string, from: Origin): Promise<void> {
  const key = keys(account, from);
  if (key.origin !== null) refuseWhile(await count(db, key.origin, perOrigin));
  refuseWhile(await count(db, key.account, perAccount));
}

/**
 * A second factor's codes are counted per person, from all addresses together: there are few of them, and only someone
 * who has the password gets here at all. A browser that has signed in before still counts by itself.
 */
const codeKey = (userId: number, browser: BrowserKey | null) => `code:${userId}|${browser ?? "elsewhere"}`;

/** Counts a code before it is checked. Throws if it must wait. */
export async function countCode(db: Db, userId: number, browser: BrowserKey | null): Promise<void> {
  refuseWhile(await count(db, codeKey(userId, browser), perAccount));
}

export async function forgiveCodes(db: Db, userId: number, browser: BrowserKey | null): Promise<void> {
  await sql`DELETE FROM sign_in_throttle WHERE key = ${codeKey(userId, browser)}`.execute(db);
}

/** Counts a sign-in by passkey alone, each of which is a row until it expires. Throws if it must wait. */
export async function countPasskeySignIn(db: Db, ip: string): Promise<void> {
  refuseWhile(await count(db, `passkey:${originOf(ip)}`, passkeySignInsPerOrigin));
}

/** One that succeeded does not count: neighbors share the origin. */
export async function forgivePasskeySignIn(db: Db, ip: string): Promise<void> {
  await sql`UPDATE sign_in_throttle SET failures = greatest(0, failures - 1)
    WHERE key = ${`passkey:${originOf(ip)}`}`.execute(db);
}

/** Counts a set of recovery codes before it is made. Throws if it must wait. */
export async function countRecoveryCodes(db: Db, userId: number): Promise<void> {
  refuseWhile(await count(db, `recovery-codes:${userId}`, recoveryCodesPerPerson));
}

/** Counts an open registration, whatever its result. Throws if it must wait. */
export async function countRegistration(db: Db, ip: string): Promise<void> {
  refuseWhile(await count(db, `registration:${originOf(ip)}`, registrationsPerOrigin));
}

/**
 * Counts a one-time link that opens nothing. Others at the same origin can still open a valid one. Throws if it must
 * wait.
 */
export async function countDeadLink(db: Db, ip: string): Promise<void> {
  refuseWhile(await count(db, `link:${originOf(ip)}`, perOrigin));
}

/** Counts a mail by which a person confirms this address, and answers whether it may go out. */
export async function mayMailConfirmation(
  db: Db,
  { userId, email }: { userId: number; email: string },
): Promise<boolean> {
  if ((await count(db, `confirmations-of:${userId}`, confirmationsPerPerson)) > 0) return false;
  return (await count(db, `confirmation:${email}`, confirmationsPerAddress)) === 0;
}

function refuseWhile(seconds: number): void {
  if (seconds === 0) return;
  const time = seconds < 60 ? spoken(seconds, "second") : spoken(Math.ceil(seconds / 60), "minute");
  throw new AppError("too-many-requests", `Too many attempts. Try again in ${time}.`, {
    retryAfter: seconds,
  });
}

const spoken = (count: number, unit: "second" | "minute") =>
  new Intl.NumberFormat("en-US", { style: "unit", unit, unitDisplay: "long" }).format(count);

/** Seconds to wait; 0 if the attempt may go on. An attempt that has to wait is not counted again. */
async function count(
  db: Db,
  key: string | RawBuilder<string>,
  { free, firstSeconds = 1, maxSeconds }: Limit,
): Promise<number> {
  const forgotten = sql`t.updated_at < now() - ${FORGET}::interval`;
  const counted = await sql`
    INSERT INTO sign_in_throttle AS t (key, failures, blocked_until) VALUES (${key}, 1, now())
    ON CONFLICT (key) DO UPDATE SET
      failures = CASE WHEN ${forgotten} THEN 1 ELSE t.failures + 1 END,
      blocked_until = CASE
        WHEN ${forgotten} OR t.failures + 1 < ${free} THEN now()
        ELSE now() + make_interval(secs => least(${maxSeconds}, ${firstSeconds} * power(2, least(t.failures + 1 - ${free}, 20)))) END,
      updated_at = now()
    -- Asked of the row as the try before it has left it: of many at the same moment the first few get through. That
    -- one may have begun later than this statement, so the time is the moment itself.
    WHERE t.blocked_until <= clock_timestamp() OR ${forgotten}
    RETURNING key`.execute(db);
  if (counted.rows.length > 0) return 0;
  const blocked = await sql<{ wait: number }>`
    SELECT greatest(1, ceil(extract(epoch FROM blocked_until - now())))::int AS wait
    FROM sign_in_throttle WHERE key = ${key}`.execute(db);
  return blocked.rows[0]?.wait ?? 1;
}

/** A successful sign-in clears the failures of this account from this origin. */
export async function forgiveTries(db: Db, account: string, from: Origin): Promise<void> {
  const key = keys(account, from);
  await sql`DELETE FROM sign_in_throttle WHERE key = ${key.account}`.execute(db);
  await sql`UPDATE sign_in_throttle SET failures = greatest(0, failures - 1) WHERE key = ${key.origin}`.execute(
    db,
  );
}
