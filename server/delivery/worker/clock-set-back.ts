import { sql, type RawBuilder } from "kysely";
import { channels } from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";
import { inMonthsOf } from "#server/db/months.ts";
import { openMonths } from "../open-months.ts";
import { departure, priorities } from "../runs/departure.ts";
import { LONGEST_WAIT_MS } from "./account-health.ts";
import { FIRST_MS, LONGEST_MS, RECEIPT_WAIT_MS } from "./decide.ts";

const ahead = (ms: number | RawBuilder<unknown>) =>
  sql`now() + (${typeof ms === "number" ? sql.lit(ms) : ms}) * interval '1 millisecond'`;

/** Another process may write by a clock that is this much later, because its transaction began later. */
const AT_ONCE_MS = 5000;
const PUT_BACK_MS = 30_000;
const MINUTE_MS = 60_000;

/** The longest that a queued delivery may wait, by why it does. */
const longestPause = sql`CASE WHEN reason IN ('retrying', 'handed-back', 'provider-paused')
  THEN greatest(${sql.lit(PUT_BACK_MS)},
    least(${sql.lit(LONGEST_MS)}, ${sql.lit(FIRST_MS)} * power(3, least(greatest(failures, lost_leases), 9))))
  ELSE 0 END + ${sql.lit(AT_ONCE_MS)}`;

/** Of `accounts`: it waits for longer than it can have a reason to, or was slowed by a clock that was ahead. */
const accountIsAhead = sql`(slowed_at > ${ahead(MINUTE_MS)} OR retry_at > ${ahead(
  sql`CASE WHEN state = 'ok' THEN ${sql.lit(LONGEST_WAIT_MS)} ELSE ${sql.lit(LONGEST_MS)} END + ${sql.lit(MINUTE_MS)}`,
)})`;

/** Longer than a receipt waits for its message, or a mailbox to be read again. */
const OTHERS_MS = 6 * MINUTE_MS;

/**
 * The database's clock was ahead and has been corrected: what became due or was leased in that time would have to wait
 * for it, so whatever waits for longer than it has a reason to is pulled back to now. If the clock was right, this
 * finds nothing, using indexes: of the queue, it only reads what waits for another try.
 */
export async function clampFutureTimes(db: Db): Promise<void> {
  const soonest = departure.notBefore();
  const inOpenMonths = inMonthsOf(sql`run_id`, await openMonths(db));
  // Lists every channel, kind and priority, so that the queue's index can be read from its far end.
  await sql`
    UPDATE deliveries SET due_at = ${soonest} WHERE status = 'queued' AND channel = ANY(${[...channels]}::text[])
      AND simulated = ANY(ARRAY[false, true]) AND priority = ANY(${[...priorities]}::smallint[])
      AND due_at > ${soonest} + ${sql.lit(AT_ONCE_MS)} * interval '1 millisecond'
      AND due_at > ${soonest} + (${longestPause}) * interval '1 millisecond' AND ${inOpenMonths}`.execute(db);
  await sql`UPDATE deliveries SET due_at = now()
    WHERE status = 'uncertain' AND due_at > ${ahead(RECEIPT_WAIT_MS + MINUTE_MS)} AND ${inOpenMonths}`.execute(
    db,
  );
  // Anyone alive renews it by the corrected clock.
  await sql`UPDATE workers SET lease_until = ${ahead(MINUTE_MS)} WHERE lease_until > ${ahead(2 * MINUTE_MS)}`.execute(
    db,
  );
  await sql`
    UPDATE accounts SET retry_at = CASE WHEN ${accountIsAhead} THEN now() ELSE retry_at END,
      slowed_at = least(slowed_at, now()),
      tokens_at = least(tokens_at, now()), accepted_at = least(accepted_at, now())
    WHERE ${accountIsAhead} OR tokens_at > ${ahead(MINUTE_MS)} OR accepted_at > ${ahead(MINUTE_MS)}`.execute(
    db,
  );
  await sql`UPDATE refused_contents SET retry_at = now(), at = least(at, now())
    WHERE retry_at > ${ahead(LONGEST_MS + MINUTE_MS)}`.execute(db);
  await sql`UPDATE receipts SET retry_at = now(), received_at = least(received_at, now()) WHERE processed_at IS NULL
    AND retry_at > ${ahead(AT_ONCE_MS)} AND (received_at > now() OR retry_at > ${ahead(OTHERS_MS)})`.execute(
    db,
  );
  await sql`UPDATE bounce_mailboxes SET next_read_at = now() WHERE next_read_at > ${ahead(OTHERS_MS)}`.execute(
    db,
  );
}
