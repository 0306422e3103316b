import { sql } from "kysely";
import { channels } from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";
import { inMonthsOf } from "#server/db/months.ts";
import { openMonths } from "../open-months.ts";
import { LONGEST_WAIT_MS } from "./decide.ts";

const tooFar = sql`now() + ${sql.lit(LONGEST_WAIT_MS)} * interval '1 millisecond'`;

/**
 * The database's clock was ahead and has been corrected: what became due or was leased in that time would have to wait
 * for it, so it is pulled back to now. If the clock was right, this finds nothing, using indexes.
 */
export async function clampFutureTimes(db: Db): Promise<void> {
  const inOpenMonths = inMonthsOf(sql`run_id`, await openMonths(db));
  // Lists every channel, kind and priority, so that the queue's index can be read from its far end.
  await sql`
    UPDATE deliveries SET due_at = now() WHERE status = 'queued' AND channel = ANY(${[...channels]}::text[])
      AND simulated = ANY(ARRAY[false, true]) AND priority = ANY(ARRAY[0, 1, 2]::smallint[]) AND due_at > ${tooFar}
      AND ${inOpenMonths}`.execute(db);
  await sql`UPDATE deliveries SET due_at = now()
    WHERE status = 'uncertain' AND due_at > ${tooFar} AND ${inOpenMonths}`.execute(db);
  // Anyone alive renews it by the corrected clock.
  await sql`UPDATE workers SET lease_until = now() + interval '1 minute' WHERE lease_until > ${tooFar}`.execute(
    db,
  );
  await sql`
    UPDATE accounts SET retry_at = CASE WHEN retry_at > ${tooFar} THEN now() ELSE retry_at END,
      tokens_at = least(tokens_at, now()), accepted_at = least(accepted_at, now())
    WHERE retry_at > ${tooFar} OR tokens_at > now() + interval '1 minute' OR accepted_at > now() + interval '1 minute'`.execute(
    db,
  );
  await sql`UPDATE refused_contents SET retry_at = now(), at = least(at, now()) WHERE retry_at > ${tooFar}`.execute(
    db,
  );
}
