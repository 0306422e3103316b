import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";

/** Of `receipts r`: so long it waits for its message, which may be on record only later, or for a fault to pass. */
export const tooOld = sql`r.received_at < now() - interval '15 minutes'`;
/** Later and later. */
export const retryAt = sql`now() + interval '1 second' + (now() - r.received_at) / 4`;

/** It is looked at again, and given up in the end, so that one that never works holds up no other. */
export async function putOff(db: Db, id: number): Promise<void> {
  await sql`UPDATE receipts r SET retry_at = ${retryAt}, processed_at = CASE WHEN ${tooOld} THEN now() END
    WHERE r.id = ${id}`.execute(db);
}
