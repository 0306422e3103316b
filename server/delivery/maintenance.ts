import { sql } from "kysely";
import { RESULT_DAYS } from "#contract/calls/import-results.ts";
import type { Db } from "#server/db/database.ts";
import { createMonthsAhead } from "#server/db/months.ts";
import { refreshWholes } from "#server/db/refresh-statistics.ts";

/** Creates the next month's tables and removes what no one needs anymore. Safe anywhere, at any time, twice at once. */
export async function runMaintenance(db: Db): Promise<void> {
  await createMonthsAhead(db);
  await refreshWholes(db);
  // Uploads for a message that was never stored. A day is enough to finish writing.
  await sql`
    WITH used AS (
      SELECT unnest(attachment_ids) AS id FROM notifications
      UNION SELECT unnest(attachment_ids) FROM content_versions
    )
    DELETE FROM attachments a
    WHERE a.created_at < now() - interval '24 hours' AND NOT EXISTS (SELECT FROM used WHERE used.id = a.id)`.execute(
    db,
  );
  await sql`
    DELETE FROM attachment_bytes b
    WHERE NOT EXISTS (SELECT FROM attachments a WHERE a.sha256 = b.sha256)`.execute(db);
  // Spreadsheets that were uploaded for an import or a message, with their rows, unless a message has them. What an
  // import did can be looked at for a week.
  await sql`
    DELETE FROM imports i WHERE created_at < now() - interval '24 hours'
      AND (finished_at IS NULL OR finished_at < now() - make_interval(days => ${RESULT_DAYS}))
      AND NOT EXISTS (SELECT FROM notifications n WHERE n.values_id = i.id)`.execute(db);
  await addUpTallies(db);
  // The time during which a second bounce counts against an address.
  await sql`DELETE FROM refusals WHERE at < now() - interval '30 days'`.execute(db);
  // Some providers sign no time, and a START must not work twice: the ids of incoming texts stay for good.
  await sql`
    UPDATE receipts r SET call_id = NULL, event = jsonb_build_object('what', 'text') FROM webhook_calls c
    WHERE c.id = r.call_id AND c.received_at < now() - interval '30 days' AND r.event ->> 'what' = 'text'
      AND r.processed_at IS NOT NULL`.execute(db);
  // With their receipts: a receipt as old as that has nothing left to move.
  await sql`DELETE FROM webhook_calls WHERE received_at < now() - interval '30 days'`.execute(db);
  // Opens and clicks that we counted ourselves. Another one later finds its message opened.
  await sql`DELETE FROM receipts WHERE call_id IS NULL AND event ->> 'what' <> 'text'
    AND received_at < now() - interval '30 days'`.execute(db);
  await sql`DELETE FROM sessions WHERE last_seen_at < now() - interval '30 days'`.execute(db);
  // An expired link gets the same answer as one that never existed.
  await sql`DELETE FROM password_links WHERE expires_at < now()`.execute(db);
  await sql`DELETE FROM pending_sign_ins WHERE expires_at < now()`.execute(db);
  await sql`DELETE FROM passkey_challenges WHERE expires_at < now()`.execute(db);
  await sql`DELETE FROM wrong_codes WHERE at < now() - interval '7 days'`.execute(db);
  await sql`DELETE FROM webhook_tokens WHERE expires_at < now()`.execute(db);
  await sql`DELETE FROM sign_in_throttle WHERE updated_at < now() - interval '2 days'
    AND blocked_until < now()`.execute(db);
}

/** Merges the rows that count notifications. */
export async function addUpTallies(db: Db): Promise<void> {
  await sql`
    WITH added_up AS (DELETE FROM notification_tallies RETURNING *)
    INSERT INTO notification_tallies
    SELECT status, channels, sum(count) FROM added_up GROUP BY status, channels HAVING sum(count) <> 0`.execute(
    db,
  );
}
