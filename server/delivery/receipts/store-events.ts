import { sql } from "kysely";
import { confirmAddressPath } from "#contract/calls/auth.ts";
import { setPasswordPath } from "#contract/calls/profile.ts";
import type { Db } from "#server/db/database.ts";
import { notifyPages } from "../hints.ts";
import { boundedEvent } from "../transports/bounded.ts";
import type { ProviderEvent } from "../transports/webhook.ts";

/** Stores events from an account's provider, with the call or email they came in. Returns how many were new. */
export async function storeEvents(
  db: Db,
  accountId: number,
  events: readonly ProviderEvent[],
  body: Buffer,
): Promise<number> {
  const now = new Date();
  const { rows } = await sql<{ count: number; first: boolean }>`
    WITH call AS MATERIALIZED (SELECT nextval(pg_get_serial_sequence('webhook_calls', 'id')) AS id), added AS (
      INSERT INTO receipts (call_id, account_id, event_id, event, processed_at)
      SELECT call.id, ${accountId}, t.event ->> 'eventId', t.event,
        CASE WHEN t.event ->> 'what' = 'unreadable' THEN now() END
      FROM call, jsonb_array_elements(${storedAs(events.map((event) => boundedEvent(event, now)))}::jsonb) WITH ORDINALITY AS t (event, place)
      ORDER BY t.place
      ON CONFLICT (account_id, event_id) DO NOTHING
      RETURNING call_id
    ), kept AS (
      INSERT INTO webhook_calls (id, account_id, body)
      SELECT DISTINCT call_id, ${accountId}::bigint, ${Buffer.from(redactLinks(body.toString("latin1")), "latin1")}::bytea FROM added
    ), first AS (
      UPDATE accounts SET reported_at = now()
      WHERE id = ${accountId} AND reported_at IS NULL AND EXISTS (SELECT FROM added) RETURNING id
    )
    SELECT count(*)::int AS count, EXISTS (SELECT FROM first) AS first FROM added`.execute(db);
  const { count, first } = rows[0]!;
  // Someone may be waiting for it, to see that it works.
  if (first) await notifyPages(db, { type: "providers" });
  return count;
}

/** With JSON's escaped slashes too. */
const oneTimeLink = new RegExp(
  `(${[setPasswordPath(""), confirmAddressPath("")].join("|").replaceAll("/", "\\\\?/")})[\\w-]+`,
  "g",
);

/** Quoted messages are stored and shown to staff, and a one-time link would open someone's account. */
function redactLinks(text: string): string {
  return text.replace(oneTimeLink, "$1********");
}

function storedAs(events: readonly ProviderEvent[]): string {
  return JSON.stringify(events, (_name, value: unknown) =>
    typeof value === "string" ? redactLinks(value) : value,
  );
}
