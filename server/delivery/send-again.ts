import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Channel, NotificationStatus, Reason } from "#contract/delivery.ts";
import { reasonSentence } from "#contract/delivery.ts";
import type { CanGoAgain } from "#contract/deliveries.ts";
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
    const run = await findRun(tx, notificationId, { lock: true });
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

/**
 * What `sendAgain` would do at this moment, without doing it. Whoever shares an address is in neither number.
 * Throws as `sendAgain` does.
 */
export async function canGoAgain(
  db: Db,
  notificationId: number,
  { unconfirmed }: { unconfirmed: boolean },
): Promise<CanGoAgain> {
  const run = await findRun(db, notificationId, { lock: false });
  const { rows } = await sql<{ channel: Channel; reason: Reason | null; count: number }>`
    WITH ${judgedAgain(run, unconfirmed, sql``)}
    SELECT channel, reason, count(*) AS count FROM judged_again WHERE holder IS NULL
    GROUP BY channel, reason ORDER BY count(*) DESC, channel, reason`.execute(db);
  return {
    messages: rows.reduce((sum, { reason, count }) => (reason === null ? sum + count : sum), 0),
    blocked: rows.flatMap(({ channel, reason, count }) =>
      reason === null ? [] : [{ channel, reason, count, sentence: reasonSentence(reason) }],
    ),
  };
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

async function findRun(db: Db, notificationId: number, { lock }: { lock: boolean }): Promise<Run> {
  const found = await sql<{ status: NotificationStatus }>`
    SELECT status FROM notifications WHERE id = ${notificationId} ${lock ? sql`FOR UPDATE` : sql``}`.execute(
    db,
  );
  const status = found.rows[0]?.status;
  if (status === undefined) throw new AppError("not-found", "Notification not found");
  const { rows } = await sql<Run>`
    SELECT r.id, r.class, r.channels, ARRAY(SELECT jsonb_array_elements_text(v.compiled -> 'fields')) AS fields
    FROM runs r JOIN content_versions v ON v.id = r.content_version_id
    WHERE r.notification_id = ${notificationId} AND r.state <> 'cancelled'
    ORDER BY r.id DESC LIMIT 1 ${lock ? sql`FOR UPDATE OF r` : sql``}`.execute(db);
  if (!rows[0]) throw new AppError("conflict", nothingToRepeat[status]);
  return rows[0];
}

async function requeue(
  tx: Db,
  run: Run,
  unconfirmed: boolean,
): Promise<{ requeued: number; stillUnreachable: number }> {
  const { rows } = await sql<{ requeued: number; stillUnreachable: number }>`
    WITH ${judgedAgain(run, unconfirmed, sql`FOR UPDATE`)}, moves AS (
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

/**
 * CTEs that end in `judged_again`: each message that did not arrive beside what stands in its way now: `reason` and
 * `detail`, or the `holder` of the same address. Both null: it can go.
 */
function judgedAgain(run: Run, unconfirmed: boolean, lock: RawBuilder<unknown>): RawBuilder<unknown> {
  const statuses = ["failed", "bounced", "expired", "skipped", ...(unconfirmed ? ["uncertain"] : [])];
  // Without the wish for it, what may have arrived is left alone, also after we gave up waiting.
  const wanted = unconfirmed ? sql`true` : sql`reason IS DISTINCT FROM 'unconfirmed'`;
  return sql`chosen AS (
      SELECT id, user_id, channel, status, reason FROM deliveries
      WHERE run_id = ${run.id} AND status = ANY(${statuses}::text[]) AND ${wanted}
      ORDER BY id ${lock}
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
    )`;
}
