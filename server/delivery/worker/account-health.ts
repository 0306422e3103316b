import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { nextProbe, recordCheck } from "../check-account.ts";
import { hintWork, notifyPages } from "../hints.ts";
import type { Account } from "../accounts.ts";
import type { Outcome, Transport } from "../transports/transport.ts";
import { LONGEST_WAIT_MS } from "./decide.ts";

/**
 * `paused`: it accepts nothing until someone fixes its settings; no message fails because of it. `resting`: it cannot
 * be reached or does not answer. Instead of each message finding that out, all wait until its test succeeds. Of the
 * many messages that notice at the same time, only the first reports it. `onTrial`: see `Account`.
 */
export async function setBackAccount(
  db: Db,
  id: number,
  { state, what, onTrial = false }: { state: "paused" | "resting"; what: string; onTrial?: boolean },
): Promise<void> {
  const { rows } = await sql`
    UPDATE accounts SET state = ${state}, state_reason = ${what}, state_at = now(), setbacks = setbacks + 1,
      on_trial = ${onTrial}, retry_at = ${nextProbe[onTrial ? "trial" : state]}
    WHERE id = ${id} AND state = 'ok' RETURNING id`.execute(db);
  await notifyOthers(db, rows.length > 0);
}

/** Other workers' accounts take over immediately. */
async function notifyOthers(db: Db, changed: boolean): Promise<void> {
  if (!changed) return;
  await hintWork(db);
  await notifyPages(db, { type: "providers" });
}

const FIRST_SLOWDOWN_MS = 1000;
const LONGEST_SLOWDOWN_MS = 60_000;

/** It asked us to slow down: it only gets emergencies, at first for a second, then twice as long each time. */
export async function slowAccount(db: Db, id: number, retryAfterMs: number | undefined): Promise<void> {
  const pause =
    retryAfterMs === undefined
      ? sql`least(${FIRST_SLOWDOWN_MS} * power(2, least(setbacks, 10)), ${LONGEST_SLOWDOWN_MS})`
      : sql`${Math.min(retryAfterMs, LONGEST_WAIT_MS)}::float8`;
  const { rows } = await sql`
    UPDATE accounts SET setbacks = setbacks + 1, retry_at = now() + ${pause} * interval '1 millisecond'
    WHERE id = ${id} AND state = 'ok' AND (retry_at IS NULL OR retry_at <= now()) RETURNING id`.execute(db);
  await notifyOthers(db, rows.length > 0);
}

/** It accepted a message, so whatever was wrong is over and no one needs to wait. */
export async function accountWorks(db: Db, id: number): Promise<void> {
  const { rows } = await sql<{ slowed: boolean }>`
    WITH before AS (SELECT retry_at > now() AS slowed FROM accounts WHERE id = ${id})
    UPDATE accounts SET setbacks = 0, retry_at = NULL, accepted_at = now() FROM before
    WHERE id = ${id} AND state = 'ok' RETURNING slowed`.execute(db);
  await notifyOthers(db, rows[0]?.slowed ?? false);
}

const PROBE_SECONDS = 30;

/**
 * Tests an account that is waiting to be tested. Only one worker runs the test. No database connection is held
 * meanwhile.
 */
export async function probeAccount(db: Db, account: Account, transport: Transport): Promise<void> {
  if (account.state === "ok" || account.retryAt === null) return;
  if (await takeTurn(db, account, PROBE_SECONDS)) await recordCheck(db, account, await transport.check());
}

/** Longer than any message takes; a second message would end up in doubt as well. */
const TRIAL_SECONDS = 120;
const NOTHING_TO_TRY_SECONDS = 2;

/** Whether this worker may try it with one message now. If there is none, call `trialWaits`. */
export function beginTrial(db: Db, account: Account): Promise<boolean> {
  return takeTurn(db, account, TRIAL_SECONDS);
}

export async function trialWaits(db: Db, { id }: Account): Promise<void> {
  await sql`UPDATE accounts SET retry_at = now() + ${NOTHING_TO_TRY_SECONDS} * interval '1 second'
    WHERE id = ${id} AND state <> 'ok' AND on_trial`.execute(db);
}

/** The outcome of the trial message. */
export async function recordTrial(db: Db, { id }: Account, outcome: Outcome): Promise<void> {
  if (outcome.kind === "accepted") {
    await sql`UPDATE accounts SET state = 'ok', state_reason = NULL, state_at = now(), on_trial = false, setbacks = 0,
      retry_at = NULL, accepted_at = now() WHERE id = ${id} AND on_trial`.execute(db);
  } else if (outcome.kind === "refused" && (outcome.of === "message" || outcome.noDevice)) {
    // It answers again; what it refuses is about what that message says, or that person has no device.
    await sql`UPDATE accounts SET state = 'ok', state_reason = NULL, state_at = now(), on_trial = false, setbacks = 0,
      retry_at = NULL WHERE id = ${id} AND on_trial`.execute(db);
  } else {
    await sql`UPDATE accounts SET setbacks = setbacks + 1, retry_at = ${nextProbe.trial}
      WHERE id = ${id} AND on_trial`.execute(db);
  }
  await notifyOthers(db, true);
}

/** Not if the settings were changed since: a failure of the old ones would be recorded for the new ones. */
async function takeTurn(db: Db, { id, revision }: Account, seconds: number): Promise<boolean> {
  const { rows } = await sql`
    UPDATE accounts SET retry_at = now() + ${seconds} * interval '1 second'
    WHERE id = ${id} AND updated_at::text = ${revision} AND state <> 'ok' AND retry_at <= now() RETURNING id`.execute(
    db,
  );
  return rows.length > 0;
}
