import { isIPv6 } from "node:net";
import { type RawBuilder, sql } from "kysely";
import { refusal } from "#contract/refusals/refusal.ts";
import type { Db } from "#server/db/database.ts";
import type { BrowserKey } from "#server/features/auth/known-browser.ts";

/**
 * Sign-in throttling. Failures are counted per account *and* origin, and per origin: the delay that a guesser causes
 * applies only to where they come from. A browser in which the person has signed in before counts as a separate origin,
 * so a neighbor's guesses from the same address do not delay them. All other browsers together have a limit per account
 * too, because addresses are cheap: it delays new browsers, and its owner is told.
 */

/** `firstSeconds`: the first wait after the free attempts. It doubles each time. */
type Limit = { free: number; firstSeconds?: number; maxSeconds: number };
const perAccount: Limit = { free: 5, maxSeconds: 15 * 60 };
const perAccountEverywhere: Limit = { free: 30, firstSeconds: 30, maxSeconds: 5 * 60 };
const perOrigin: Limit = { free: 50, maxSeconds: 15 * 60 };
/**
 * Neighbors who register at a meeting share one origin. Nothing is forgiven, because that would reveal who was known.
 */
const registrationsPerOrigin: Limit = { free: 100, maxSeconds: 15 * 60 };
/** Neighbors share one origin here, too; nothing can be guessed. */
const passkeySignInsPerOrigin: Limit = { free: 200, maxSeconds: 15 * 60 };
/** A stranger can type anyone's address, so each address or number gets only a few messages an hour. */
const confirmationsPerAddress: Limit = { free: 3, firstSeconds: 60 * 60, maxSeconds: 60 * 60 };
/** Nor can one person, by changing the address, have many strangers written to. */
const confirmationsPerPerson: Limit = { free: 5, firstSeconds: 60 * 60, maxSeconds: 60 * 60 };
/** Each can ask another machine for its name and version. */
const providerChecksPerPerson: Limit = { free: 60, firstSeconds: 5 * 60, maxSeconds: 15 * 60 };
/** Each notifies the address before it, which may be someone else's. */
const contactChangesPerPerson: Limit = { free: 10, firstSeconds: 60 * 60, maxSeconds: 60 * 60 };
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
    everywhere: browser ? null : sql<string>`'account-everywhere:' || lower(${account})`,
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

/**
 * Counts an attempt before it is checked, so that simultaneous attempts count too. Throws if it must wait. Says whether
 * it is the one with which others begin to wait: then it is time to tell the account's owner.
 */
export async function countTry(
  db: Db,
  account: string,
  from: Origin,
): Promise<{ lastFreeEverywhere: boolean }> {
  const key = keys(account, from);
  if (key.origin !== null) refuseWhile(await count(db, key.origin, perOrigin));
  refuseWhile(await count(db, key.account, perAccount));
  if (key.everywhere === null) return { lastFreeEverywhere: false };
  const { wait, failures } = await tally(db, key.everywhere, perAccountEverywhere);
  refuseWhile(wait);
  return { lastFreeEverywhere: failures === perAccountEverywhere.free };
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
export async function maySendConfirmation(
  db: Db,
  { userId, address }: { userId: number; address: string },
): Promise<boolean> {
  if ((await count(db, `confirmations-of:${userId}`, confirmationsPerPerson)) > 0) return false;
  return (await count(db, `confirmation:${address}`, confirmationsPerAddress)) === 0;
}

/** Counts a test of a provider, which opens a connection from here. Throws if it must wait. */
export async function countProviderCheck(db: Db, userId: number): Promise<void> {
  refuseWhile(await count(db, `provider-checks-of:${userId}`, providerChecksPerPerson));
}

/** Counts a change of a person's own address or number. Throws if it must wait. */
export async function countContactChange(db: Db, userId: number): Promise<void> {
  refuseWhile(await count(db, `contact-changes-of:${userId}`, contactChangesPerPerson));
}

function refuseWhile(seconds: number): void {
  if (seconds === 0) return;
  throw refusal("too-many-attempts", { seconds }, { retryAfter: seconds });
}

/** Seconds to wait; 0 if the attempt may go on. */
async function count(db: Db, key: string | RawBuilder<string>, limit: Limit): Promise<number> {
  return (await tally(db, key, limit)).wait;
}

/** Seconds to wait, and attempts so far with this one. An attempt that has to wait is not counted again. */
async function tally(
  db: Db,
  key: string | RawBuilder<string>,
  { free, firstSeconds = 1, maxSeconds }: Limit,
): Promise<{ wait: number; failures: number }> {
  const forgotten = sql`t.updated_at < now() - ${FORGET}::interval`;
  const counted = await sql<{ failures: number }>`
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
    RETURNING failures`.execute(db);
  if (counted.rows[0]) return { wait: 0, failures: counted.rows[0].failures };
  const blocked = await sql<{ wait: number }>`
    SELECT greatest(1, ceil(extract(epoch FROM blocked_until - now())))::int AS wait
    FROM sign_in_throttle WHERE key = ${key}`.execute(db);
  return { wait: blocked.rows[0]?.wait ?? 1, failures: 0 };
}

/** A successful sign-in clears the failures of this account from this origin. */
export async function forgiveTries(db: Db, account: string, from: Origin): Promise<void> {
  const key = keys(account, from);
  await sql`DELETE FROM sign_in_throttle WHERE key = ${key.account}`.execute(db);
  await sql`UPDATE sign_in_throttle SET failures = greatest(0, failures - 1)
    WHERE key = ${key.origin} OR key = ${key.everywhere}`.execute(db);
}
