import { sql } from "kysely";
import type { ProviderState } from "#contract/calls/integrations.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import type { Db } from "#server/db/database.ts";
import type { Check } from "../transports/transport.ts";
import { hintWork, notifyPages } from "../hints.ts";
import { accountColumns, accountState, pausedOf, waitingMessages, type Account } from "./accounts.ts";
import { type Transports, transportOf } from "./open-transports.ts";

/**
 * Asks the provider whether it accepts messages and records the answer. A paused account resumes if it does. No
 * database connection is held meanwhile. Throws AppError not-found, and unavailable if this process lacks the account.
 */
export async function checkAccount(db: Db, id: number, transports: Transports): Promise<ProviderState> {
  const found = await sql<Account>`
    SELECT ${accountColumns} FROM accounts WHERE id = ${id} AND deleted_at IS NULL`.execute(db);
  const account = found.rows[0];
  if (!account) throw refusal("no-such-account");
  await recordCheck(db, account, await transportOf(transports, account).check());
  const after = await sql<Account>`SELECT ${accountColumns} FROM accounts WHERE id = ${id}`.execute(db);
  const { channel, kind, name } = account;
  const waiting = (await waitingMessages(db)).get(channel) ?? 0;
  const paused = pausedOf(after.rows);
  return { id, channel, kind, name, waiting, paused, ...accountState(after.rows[0]!) };
}

/** Tests the mailbox that an account's bounces come to; one that can't be opened stops no message. Null: it has none. */
export async function checkBounceMailbox(db: Db, id: number, transports: Transports): Promise<Check | null> {
  const { rows } = await sql<Account>`SELECT ${accountColumns} FROM accounts WHERE id = ${id}`.execute(db);
  const mailbox = rows[0] && transports.of(rows[0])?.bounceMailbox;
  if (!mailbox) return null;
  const check = await mailbox.check();
  // The worker reads it now, or finds the same problem.
  await sql`UPDATE bounce_mailboxes SET next_read_at = least(next_read_at, now()) WHERE account_id = ${id}`.execute(
    db,
  );
  return check;
}

/**
 * When a provider that was set back is tested again. One that cannot be reached: after a second, then twice as long
 * each time, up to a minute. One that refuses us: after half a minute, up to ten minutes. One on trial gets a message
 * after ten seconds, then up to a quarter of an hour apart.
 */
export const nextProbe = {
  resting: sql`now() + least(power(2, least(setbacks, 10)), 60) * interval '1 second'`,
  paused: sql`now() + least(30 * power(2, least(setbacks, 10)), 600) * interval '1 second'`,
  /** The test is a message whose outcome may be unknown afterwards. */
  trial: sql`now() + least(10 * power(2, least(setbacks, 10)), 900) * interval '1 second'`,
};

/** Ignores the check if the settings were changed meanwhile. */
export async function recordCheck(
  db: Db,
  { id, revision }: Pick<Account, "id" | "revision">,
  check: Check,
): Promise<void> {
  if (check.ok) {
    // Setbacks remain until it accepts a message: if its test succeeds but its messages fail, it is asked less and less
    // often. One on trial gets its message now and opens if that is accepted.
    await sql`UPDATE accounts SET state_at = now(),
        state = CASE WHEN on_trial THEN state ELSE 'ok' END,
        state_reason = CASE WHEN on_trial THEN state_reason ELSE ${check.detail} END,
        retry_at = CASE WHEN on_trial THEN now() END
      WHERE id = ${id} AND updated_at::text = ${revision}`.execute(db);
    await hintWork(db);
  } else {
    const state = check.of === "misconfigured" ? "paused" : "resting";
    await sql`UPDATE accounts SET state = ${state}, state_reason = ${check.detail}, state_at = now(),
      retry_at = ${nextProbe[state]}, setbacks = setbacks + 1
      WHERE id = ${id} AND updated_at::text = ${revision}`.execute(db);
  }
  await notifyPages(db, { type: "providers" });
}
