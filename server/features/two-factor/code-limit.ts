import { sql } from "kysely";
import { refusal } from "#contract/refusals/refusal.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import type { BrowserKey } from "#server/features/auth/known-browser.ts";
import { tellOfChange } from "#server/features/credentials/account-notice.ts";
import { lockPerson } from "#server/features/people/stored-person.ts";
import type { By } from "#server/http/route.ts";

/**
 * How many wrong codes for a second factor a week allows. The waits of `throttle.ts` are minutes, so someone who has
 * the password could guess for days. All browsers that are new to the account count together; one in which the person
 * has signed in before counts by itself, so a guesser does not lock them out. A new password clears the count: whoever
 * guessed does not know it.
 */

const DAYS = 7;
const MOST = 20;
/** One or two are typing errors. */
const NOTICE_FROM = 3;

const originOf = (browser: BrowserKey | null) => browser ?? "elsewhere";
const thisWeek = sql`at > now() - make_interval(days => ${DAYS})`;

/**
 * Counts a code before it is checked, so that simultaneous ones count too, and returns what `rightCode` or `wrongCode`
 * needs. Throws too-many-requests.
 */
export async function countWeeklyCode(db: Db, userId: number, browser: BrowserKey | null): Promise<number> {
  const origin = originOf(browser);
  const counted = await transaction(db, async (tx) => {
    // Two at once would not see each other.
    await lockPerson(tx, userId);
    return sql<{ id: number }>`
      INSERT INTO wrong_codes (user_id, origin) SELECT ${userId}, ${origin}
      WHERE (SELECT count(*) FROM wrong_codes WHERE user_id = ${userId} AND origin = ${origin} AND ${thisWeek}) < ${MOST}
      RETURNING id`.execute(tx);
  });
  const [row] = counted.rows;
  if (row) return row.id;
  throw refusal("too-many-wrong-codes", {}, { retryAfter: await secondsToWait(db, userId, origin) });
}

/** Until the oldest one that counts is a week old. */
async function secondsToWait(db: Db, userId: number, origin: string): Promise<number> {
  const found = await sql<{ seconds: number }>`
    SELECT ceil(extract(epoch FROM min(at) + make_interval(days => ${DAYS}) - now()))::int AS seconds
    FROM wrong_codes WHERE user_id = ${userId} AND origin = ${origin} AND ${thisWeek}`.execute(db);
  return Math.max(1, found.rows[0]?.seconds ?? 1);
}

/** The code was right: it does not count, and in a known browser neither do the person's own typing errors. */
export async function rightCode(
  db: Db,
  id: number,
  { userId, browser }: { userId: number; browser: BrowserKey | null },
): Promise<void> {
  await sql`DELETE FROM wrong_codes WHERE user_id = ${userId} AND (id = ${id} OR origin = ${browser})`.execute(
    db,
  );
}

/**
 * The code was wrong. From the third in a week the person gets a notice, one a day at most, because someone else may
 * have their password. The last one that is allowed is on record, and brings a notice of its own.
 */
export async function wrongCode(db: Db, id: number, by: By): Promise<void> {
  await transaction(db, async (tx) => {
    // Two at once would send two notices.
    await lockPerson(tx, by.user.id);
    const found = await sql<{ all: number; here: number; noticed: boolean }>`
      SELECT count(*)::int AS all,
        count(*) FILTER (WHERE origin = (SELECT origin FROM wrong_codes WHERE id = ${id}))::int AS here,
        coalesce(bool_or(noticed AND at > now() - interval '1 day'), false) AS noticed
      FROM wrong_codes WHERE user_id = ${by.user.id} AND ${thisWeek}`.execute(tx);
    const { all = 0, here = 0, noticed = false } = found.rows[0] ?? {};
    const last = here >= MOST;
    if (last) {
      const subject = { type: "user", id: by.user.id };
      await recordAudit(tx, {
        by: { user: null, ip: by.ip },
        action: "two-factor.limit",
        subject,
        detail: { codes: MOST },
      });
    }
    if (!last && (all < NOTICE_FROM || noticed)) return;
    await sql`UPDATE wrong_codes SET noticed = true WHERE id = ${id}`.execute(tx);
    await tellOfChange(tx, by.user.id, last ? "codes-refused" : "wrong-codes", by);
  });
}
