import { sql } from "kysely";
import type { Channel, NotificationStatus } from "#contract/delivery.ts";
import { AppError } from "#contract/errors.ts";
import type { Db } from "#server/db/database.ts";
import { transaction } from "#server/db/database.ts";
import { lifetime } from "./expiry.ts";
import { hintWork, tellPages } from "./hints.ts";
import { judged, personValuesSql } from "./person.ts";
import { countMoves } from "./run-counts.ts";

type Run = { id: number; class: string; channels: Channel[]; fields: string[] };

/**
 * Tries again everyone who was not reached, at the address and with the consent that they have now; with
 * `unconfirmed`, also those whose provider never answered. A second click finds nothing left to do.
 * `stillUnreachable` counts the messages that cannot go even now.
 * Throws AppError: not-found, conflict (nothing was sent yet, or it was stopped).
 */
export function sendAgain(
  db: Db,
  notificationId: number,
  { unconfirmed = false }: { unconfirmed?: boolean } = {},
): Promise<{ requeued: number; stillUnreachable: number }> {
  return transaction(db, async (tx) => {
    const run = await lockRun(tx, notificationId);
    const counted = await requeue(tx, run, unconfirmed);
    if (counted.requeued > 0) {
      await sql`UPDATE runs SET state = 'sending', finished_at = NULL WHERE id = ${run.id} AND state = 'finished'`.execute(
        tx,
      );
      await sql`UPDATE notifications SET status = 'Sending', updated_at = now() WHERE id = ${notificationId}`.execute(
        tx,
      );
      await hintWork(tx);
    }
    await tellPages(tx, { type: "run", runId: run.id, notificationId });
    return counted;
  });
}

const notYet = "It has not gone out yet, so there is nobody to try again.";

// One that was stopped, or that never began to go out, has no run to go on with.
const nothingToRepeat: Record<NotificationStatus, string> = {
  Draft: notYet,
  Scheduled: notYet,
  Recurring: notYet,
  Sending: notYet,
  Delivered: notYet,
  "Partially Delivered": notYet,
  Failed: "It failed before anything went out. Mend it and send it.",
  Cancelled: "It was stopped. Copy it into a new one to send it.",
};

async function lockRun(tx: Db, notificationId: number): Promise<Run> {
  const locked = await sql<{ status: NotificationStatus }>`
    SELECT status FROM notifications WHERE id = ${notificationId} FOR UPDATE`.execute(tx);
  const status = locked.rows[0]?.status;
  if (status === undefined) throw new AppError("not-found", "Notification not found");
  const { rows } = await sql<Run>`
    SELECT r.id, r.class, r.channels, ARRAY(SELECT jsonb_array_elements_text(v.compiled -> 'fields')) AS fields
    FROM runs r JOIN content_versions v ON v.id = r.content_version_id
    WHERE r.notification_id = ${notificationId} AND r.state <> 'cancelled'
    ORDER BY r.id DESC LIMIT 1 FOR UPDATE OF r`.execute(tx);
  if (!rows[0]) throw new AppError("conflict", nothingToRepeat[status]);
  return rows[0];
}

async function requeue(
  tx: Db,
  run: Run,
  unconfirmed: boolean,
): Promise<{ requeued: number; stillUnreachable: number }> {
  const statuses = ["failed", "bounced", "expired", "skipped", ...(unconfirmed ? ["uncertain"] : [])];
  // Without the wish for it, what may have arrived is left alone, also after we gave up waiting.
  const wanted = unconfirmed ? sql`true` : sql`reason IS DISTINCT FROM 'unconfirmed'`;
  const { rows } = await sql<{ requeued: number; stillUnreachable: number }>`
    WITH chosen AS (
      SELECT id, user_id, channel, status, reason FROM deliveries
      WHERE run_id = ${run.id} AND status = ANY(${statuses}::text[]) AND ${wanted}
      ORDER BY id FOR UPDATE
    ), present AS (
      SELECT d.id, d.status, d.reason AS was_reason, a.address, ${personValuesSql(run.fields)} AS field_values,
        CASE WHEN u.deleted_at IS NOT NULL THEN 'person-removed' ELSE j.reason END AS reason, j.detail
      FROM ${judged(run.channels, run.fields)}
      JOIN chosen d ON d.user_id = u.id AND d.channel = c.channel
    ), judged_again AS (
      SELECT p.*, coalesce(other.person_name, twin.person_name) AS holder
      FROM (SELECT present.*, d.channel, min(d.id) FILTER (WHERE present.reason IS NULL)
              OVER (PARTITION BY d.channel, present.address, present.reason) AS first
            FROM present JOIN deliveries d USING (id)) p
      LEFT JOIN deliveries twin ON twin.id = p.first AND p.first <> p.id
      LEFT JOIN deliveries other ON other.run_id = ${run.id} AND other.channel = p.channel
        AND other.address = p.address AND other.status <> 'skipped' AND other.id <> p.id AND p.reason IS NULL
    ), moves AS (
      UPDATE deliveries d SET
        status = CASE WHEN goes THEN 'queued' ELSE d.status END,
        reason = CASE WHEN goes THEN NULL WHEN p.holder IS NOT NULL THEN 'same-address' ELSE p.reason END,
        detail = CASE WHEN goes THEN NULL ELSE coalesce(p.holder, p.detail) END,
        address = p.address, field_values = p.field_values,
        failures = 0, unconfirmed = 0, lost_leases = 0, lease_token = NULL, begun_at = NULL,
        due_at = now(), expires_at = now() + ${lifetime(run.class, sql`d.channel`)}, updated_at = now()
      FROM judged_again p CROSS JOIN LATERAL (SELECT p.reason IS NULL AND p.holder IS NULL AS goes) g
      -- A failure keeps its own reason while nothing has changed; a skipped person gets the present one.
      WHERE d.id = p.id AND (goes OR (d.status = 'skipped' AND
        (d.reason, d.detail, d.address) IS DISTINCT FROM
        (CASE WHEN p.holder IS NOT NULL THEN 'same-address' ELSE p.reason END, coalesce(p.holder, p.detail), p.address)))
      RETURNING d.id, d.run_id, d.channel, p.status AS was_status, p.was_reason, d.status, d.reason
    ), counted AS (${countMoves("moves")}), told AS (
      INSERT INTO delivery_events (delivery_id, kind) SELECT id, 'sent-again' FROM moves WHERE status = 'queued'
    )
    SELECT (SELECT count(*) FROM moves WHERE status = 'queued') AS requeued,
      (SELECT count(*) FROM judged_again WHERE reason IS NOT NULL) AS "stillUnreachable"`.execute(tx);
  return rows[0]!;
}
