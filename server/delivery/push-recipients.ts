import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import type { Browser, PushRecipients } from "./transports/push/recipients.ts";

/** Looks the people of push messages up; their address is their id (`server/audience/person.ts`). */
export function pushRecipients(db: Db): PushRecipients {
  return {
    async attributeOf(address, attribute) {
      const { rows } = await sql<{ value: string | null }>`
        SELECT nullif(trim(${sql.ref(attribute)}), '') AS value FROM users WHERE id = ${address}::bigint`.execute(
        db,
      );
      return rows[0]?.value ?? null;
    },
    async browsersOf(address, serverKey) {
      const { rows } = await sql<Browser>`
        SELECT id, endpoint, p256dh, auth FROM push_browsers
        WHERE user_id = ${address}::bigint AND server_key = ${serverKey} ORDER BY id`.execute(db);
      return rows;
    },
    async forget(browserIds) {
      await sql`DELETE FROM push_browsers WHERE id = ANY(${browserIds}::bigint[])`.execute(db);
    },
  };
}
