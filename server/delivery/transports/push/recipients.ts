import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";

/** What can identify a person at a push provider, besides their id here. */
type PersonAttribute = "username" | "email";

/** A browser where a person turned notifications on: its endpoint, and its keys in base64url. */
export type Browser = { id: number; endpoint: string; p256dh: string; auth: string };

/** Looks up people by push address: their id as text (`server/audience/person.ts`). Rejects if a query fails. */
export type PushRecipients = {
  /** Null where nothing is on file. */
  attributeOf(address: string, attribute: PersonAttribute): Promise<string | null>;
  /** The browsers subscribed with this server key. */
  browsersOf(address: string, serverKey: string): Promise<Browser[]>;
  /** Deletes browsers that are no longer subscribed. */
  forget(browserIds: readonly number[]): Promise<void>;
};

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
