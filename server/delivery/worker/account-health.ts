import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { nextProbe, recordCheck } from "../check-account.ts";
import { hintWork, tellPages } from "../hints.ts";
import type { Account } from "../accounts.ts";
import type { Transport } from "../transports/transport.ts";

/**
 * `paused`: it takes nothing until somebody mends its settings, which fails nobody. `resting`: it cannot be reached,
 * and instead of each message finding that out alone, all wait until its test succeeds. Of the many messages that
 * notice at the same time only the first says so.
 */
export async function setBackAccount(
  db: Db,
  id: number,
  state: "paused" | "resting",
  words: string,
): Promise<void> {
  const { rows } = await sql`
    UPDATE accounts SET state = ${state}, state_reason = ${words}, state_at = now(), setbacks = setbacks + 1,
      retry_at = ${nextProbe[state]}
    WHERE id = ${id} AND state = 'ok' RETURNING id`.execute(db);
  await tellOthers(db, rows.length > 0);
}

/** Other workers' accounts take over at once. */
async function tellOthers(db: Db, changed: boolean): Promise<void> {
  if (!changed) return;
  await hintWork(db);
  await tellPages(db, { type: "providers" });
}

const FIRST_SLOWDOWN_MS = 1000;
const LONGEST_SLOWDOWN_MS = 60_000;

/**
 * It asked us to slow down: nobody hands it anything but emergencies for so long, a second and then twice as long
 * each time.
 */
export async function slowAccount(db: Db, id: number, retryAfterMs: number | undefined): Promise<void> {
  const pause =
    retryAfterMs === undefined
      ? sql`least(${FIRST_SLOWDOWN_MS} * power(2, least(setbacks, 10)), ${LONGEST_SLOWDOWN_MS})`
      : sql`${retryAfterMs}::float8`;
  const { rows } = await sql`
    UPDATE accounts SET setbacks = setbacks + 1, retry_at = now() + ${pause} * interval '1 millisecond'
    WHERE id = ${id} AND state = 'ok' AND (retry_at IS NULL OR retry_at <= now()) RETURNING id`.execute(db);
  await tellOthers(db, rows.length > 0);
}

/** It took a message: whatever was wrong is over, and nobody waits any longer. */
export async function accountWorks(db: Db, id: number): Promise<void> {
  const { rows } = await sql<{ slowed: boolean }>`
    WITH before AS (SELECT retry_at > now() AS slowed FROM accounts WHERE id = ${id})
    UPDATE accounts SET setbacks = 0, retry_at = NULL FROM before
    WHERE id = ${id} AND state = 'ok' AND (setbacks > 0 OR retry_at IS NOT NULL) RETURNING slowed`.execute(
    db,
  );
  await tellOthers(db, rows[0]?.slowed ?? false);
}

const PROBE_SECONDS = 30;

/** Tests an account that waits for it. Of several workers one makes the test. No connection is held meanwhile. */
export async function probeAccount(db: Db, account: Account, transport: Transport): Promise<void> {
  if (account.state === "ok" || account.retryAt === null || !(await takeTurn(db, account))) return;
  await recordCheck(db, account, await transport.check());
}

async function takeTurn(db: Db, { id }: Account): Promise<boolean> {
  const { rows } = await sql`
    UPDATE accounts SET retry_at = now() + ${PROBE_SECONDS} * interval '1 second'
    WHERE id = ${id} AND state <> 'ok' AND retry_at <= now() RETURNING id`.execute(db);
  return rows.length > 0;
}
