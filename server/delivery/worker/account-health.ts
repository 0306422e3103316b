import { sql, type RawBuilder } from "kysely";
import type { AccountReason } from "#contract/refusals/account-reasons.ts";
import type { Db } from "#server/db/database.ts";
import { nextProbe, recordCheck } from "../accounts/check-account.ts";
import { hintWork, notifyPages } from "../hints.ts";
import type { Account } from "../accounts/accounts.ts";
import type { Outcome, Transport } from "../transports/transport.ts";

/**
 * `paused`: it accepts nothing until someone fixes its settings; no message fails because of it. `resting`: it cannot
 * be reached or does not answer. Instead of each message finding that out, all wait until its test succeeds. Of the
 * many messages that notice at the same time, only the first reports it, unless a later one knows better.
 */
export async function setBackAccount(
  db: Db,
  id: number,
  {
    state,
    what,
    because,
    onTrial = false,
  }: { state: "paused" | "resting"; what: string; because?: AccountReason; onTrial?: boolean },
): Promise<void> {
  // Both the old and the new trouble have to end before it opens.
  const { rows } = await sql`
    UPDATE accounts SET state = ${state}, state_reason = ${what},
      state_because = ${because ? JSON.stringify(because) : null}::jsonb, state_at = now(), setbacks = setbacks + 1,
      on_trial = on_trial OR ${onTrial}, retry_at = ${nextProbe[onTrial ? "trial" : state]}
    WHERE id = ${id} AND (state = 'ok' OR ${isHarder(state, { what, guessed: onTrial })}) RETURNING id`.execute(
    db,
  );
  await notifyOthers(db, rows.length > 0);
}

/** What a single answer says about the account is harder evidence than several messages without a good one. */
function isHarder(
  state: "paused" | "resting",
  { what, guessed }: { what: string; guessed: boolean },
): RawBuilder<unknown> {
  if (guessed) return sql`false`;
  if (state === "paused") return sql`state = 'resting'`;
  return sql`state = 'resting' AND on_trial AND state_reason IS DISTINCT FROM ${what}`;
}

/** Other workers' accounts take over immediately. */
async function notifyOthers(db: Db, changed: boolean): Promise<void> {
  if (!changed) return;
  await hintWork(db);
  await notifyPages(db, { type: "providers" });
}

const FIRST_SLOWDOWN_MS = 1000;
const LONGEST_SLOWDOWN_MS = 60_000;
/** Whatever a provider asks for: it may be wrong, or its answer may be. */
export const LONGEST_WAIT_MS = 3_600_000;

/** The pause after a request to slow down: at first a second, then twice as long each time, up to a minute. */
export const slowdownMs = (setbacks: number) =>
  Math.min(FIRST_SLOWDOWN_MS * 2 ** Math.min(setbacks, 10), LONGEST_SLOWDOWN_MS);

/**
 * It asked us to slow down: it only gets emergencies, for as long as it asked, but never shorter than its own growing
 * pause. A provider may answer "now" each time, or name a time that is long over.
 */
export async function slowAccount(db: Db, id: number, retryAfterMs = 0): Promise<void> {
  const own = sql`least(${FIRST_SLOWDOWN_MS} * power(2, least(setbacks, 10)), ${LONGEST_SLOWDOWN_MS})`;
  const asked = Math.min(retryAfterMs, LONGEST_WAIT_MS);
  const { rows } = await sql`
    UPDATE accounts SET setbacks = setbacks + 1, slowed_at = now(),
      retry_at = now() + greatest(${own}, ${asked}::float8) * interval '1 millisecond'
    WHERE id = ${id} AND state = 'ok' AND (retry_at IS NULL OR retry_at <= now()) RETURNING id`.execute(db);
  await notifyOthers(db, rows.length > 0);
}

/**
 * It accepted a message that left `agoMs` ago, so whatever was wrong is over and no one needs to wait. False: it has
 * asked us to slow down since that message left, which still holds.
 */
export async function accountWorks(db: Db, id: number, agoMs: number): Promise<boolean> {
  const { rows } = await sql<{ slowed: boolean; over: boolean }>`
    WITH before AS (
      SELECT retry_at > now() AS slowed,
        coalesce(slowed_at <= now() - ${agoMs}::float8 * interval '1 millisecond', true) AS over
      FROM accounts WHERE id = ${id}
    )
    UPDATE accounts SET accepted_at = now(), setbacks = CASE WHEN over THEN 0 ELSE setbacks END,
      retry_at = CASE WHEN over THEN NULL ELSE retry_at END
    FROM before WHERE id = ${id} AND state = 'ok' RETURNING slowed, over`.execute(db);
  const [now] = rows;
  await notifyOthers(db, now !== undefined && now.slowed && now.over);
  return now?.over ?? false;
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

/** The outcome of the trial message. If that says more about the account than what put it on trial, it says so. */
export async function recordTrial(db: Db, { id }: Account, outcome: Outcome): Promise<void> {
  if (outcome.kind === "accepted") {
    await sql`UPDATE accounts SET state = 'ok', state_reason = NULL, state_at = now(), on_trial = false, setbacks = 0,
      retry_at = NULL, accepted_at = now() WHERE id = ${id} AND on_trial`.execute(db);
  } else if (outcome.kind === "refused" && (outcome.of === "message" || outcome.noDevice)) {
    // It answers again; what it refuses is about what that message says, or that person has no device.
    await sql`UPDATE accounts SET state = 'ok', state_reason = NULL, state_at = now(), on_trial = false, setbacks = 0,
      retry_at = NULL WHERE id = ${id} AND on_trial`.execute(db);
  } else {
    const refusesUs = outcome.kind === "misconfigured";
    const away = outcome.kind === "unavailable" && outcome.account === true;
    await sql`UPDATE accounts SET setbacks = setbacks + 1, retry_at = ${nextProbe.trial},
        state = CASE WHEN ${refusesUs} THEN 'paused' ELSE state END,
        state_reason = CASE WHEN ${refusesUs} OR ${away} AND state = 'resting' THEN ${outcome.detail} ELSE state_reason END
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
