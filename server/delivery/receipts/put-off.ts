import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";

/** Condition on `receipts r`: it has waited long enough for its message to be recorded, or for an error to clear. */
export const tooOld = sql`r.received_at < now() - interval '15 minutes'`;
/** Backs off in proportion to the receipt's age. */
export const retryAt = sql`now() + interval '1 second' + (now() - r.received_at) / 4`;

/** Schedules a retry, or gives up once too old, so that a receipt that always fails doesn't hold up the others. */
export async function putOff(db: Db, id: number): Promise<void> {
  await sql`UPDATE receipts r SET retry_at = ${retryAt}, processed_at = CASE WHEN ${tooOld} THEN now() END
    WHERE r.id = ${id}`.execute(db);
}
