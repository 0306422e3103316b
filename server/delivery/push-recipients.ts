import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import type { PushRecipients } from "./transports/push/recipients.ts";

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
  };
}
