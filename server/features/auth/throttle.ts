import { sql } from "kysely";
import { AppError } from "#contract/errors.ts";
import type { Db } from "#server/db/database.ts";

/**
 * Sign-in throttling. Failures are counted per account *and* address, and per address: the delay that a
 * guesser earns holds for his address only, so nobody can lock another person out.
 */

type Limit = { free: number; maxSeconds: number };
const perAccount: Limit = { free: 5, maxSeconds: 15 * 60 };
const perAddress: Limit = { free: 50, maxSeconds: 15 * 60 };
/** A quiet hour forgives everything. */
const FORGET = "1 hour";

const keys = (account: string, ip: string) => ({
  account: `account:${account.toLowerCase()}|${ip}`,
  address: `address:${ip}`,
});

/** Counts a try before it is judged, so that tries made at the same moment count too. Throws when it must wait. */
export async function countTry(db: Db, account: string, ip: string): Promise<void> {
  const { account: accountKey, address } = keys(account, ip);
  const waits = [await count(db, accountKey, perAccount), await count(db, address, perAddress)];
  const seconds = Math.max(...waits);
  if (seconds > 0) {
    throw new AppError(
      "too-many-requests",
      `Too many attempts. Try again in ${seconds < 60 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}.`,
      { retryAfter: seconds },
    );
  }
}

/** Seconds to wait, 0 when the try may go on. A try that has to wait is not counted again. */
async function count(db: Db, key: string, { free, maxSeconds }: Limit): Promise<number> {
  const result = await sql<{ wait: number }>`
    WITH before AS (
      SELECT greatest(0, ceil(extract(epoch FROM blocked_until - now())))::int AS wait
      FROM sign_in_throttle WHERE key = ${key} AND updated_at > now() - interval '1 hour'
    ), counted AS (
      INSERT INTO sign_in_throttle AS t (key, failures, blocked_until)
      SELECT ${key}, 1, now() WHERE coalesce((SELECT wait FROM before), 0) = 0
      ON CONFLICT (key) DO UPDATE SET
        failures = CASE WHEN t.updated_at < now() - ${FORGET}::interval THEN 1 ELSE t.failures + 1 END,
        blocked_until = CASE
          WHEN t.updated_at < now() - ${FORGET}::interval OR t.failures + 1 < ${free} THEN now()
          ELSE now() + make_interval(secs => least(${maxSeconds}, power(2, least(t.failures + 1 - ${free}, 20)))) END,
        updated_at = now()
    )
    SELECT coalesce((SELECT wait FROM before), 0) AS wait`.execute(db);
  return result.rows[0]?.wait ?? 0;
}

/** A good sign-in forgives the failures of this account from this address. */
export async function forgiveTries(db: Db, account: string, ip: string): Promise<void> {
  const { account: accountKey, address } = keys(account, ip);
  await sql`DELETE FROM sign_in_throttle WHERE key = ${accountKey}`.execute(db);
  await sql`UPDATE sign_in_throttle SET failures = greatest(0, failures - 1) WHERE key = ${address}`.execute(
    db,
  );
}
