import { sql } from "kysely";
import { tryUntilCommit } from "#server/db/advisory-locks.ts";
import type { Db } from "#server/db/database.ts";
import { transaction } from "#server/db/database.ts";
import { keepBooks } from "../books.ts";
import { recordStatus } from "../finish-runs.ts";
import type { Receipt } from "../transports/webhook.ts";
import type { Recorded } from "../worker/record.ts";
import type { Standing } from "./apply.ts";
import { apply, inOrder } from "./apply.ts";
import { matchReceipts } from "./match.ts";
import type { Open } from "./match.ts";

const SOME = 500;
/** So long a receipt waits for its message: it may come before our acceptance is on record. */
const WAIT_MINUTES = 15;

export type Processed = { moved: Recorded[]; more: boolean };

/**
 * Applies the receipts that have come in, and whose message is on record. One process at a time does it, so that what
 * belongs to one message is applied in one order.
 */
export function processReceipts(db: Db): Promise<Processed> {
  return transaction(db, async (tx) => {
    if (!(await tryUntilCommit(tx, "receipts"))) return { moved: [], more: false };
    const open = await readOpen(tx);
    if (open.length === 0) return { moved: [], more: false };
    const matched = await matchReceipts(tx, open);
    const deliveries = await lockDeliveries(tx, open, matched);
    const told = open.flatMap((receipt) => {
      const delivery = deliveries.get(matched.get(receipt.id)?.deliveryId ?? 0);
      return delivery ? [{ ...receipt, delivery }] : [];
    });
    const moved = await write(tx, told);
    await settle(tx, open, new Map(told.map(({ id, delivery }) => [id, delivery.id])));
    return { moved, more: open.length === SOME };
  });
}

async function readOpen(tx: Db): Promise<Open[]> {
  const { rows } = await sql<{ id: number; accountId: number; event: Omit<Receipt, "at"> & { at: string } }>`
    SELECT id, account_id AS "accountId", event FROM receipts
    WHERE processed_at IS NULL AND retry_at <= now() AND event ->> 'what' <> 'text'
    ORDER BY retry_at, id LIMIT ${SOME}`.execute(tx);
  return rows.map(({ event, ...row }) => ({ ...row, receipt: { ...event, at: new Date(event.at) } }));
}

type Locked = Standing & {
  id: number;
  runId: number;
  /** When it was last tried, or queued. */
  triedAt: Date;
};

/**
 * In the order in which everyone locks: the notifications, so that no run ends meanwhile; the runs whose counters
 * change; the deliveries. What is being sent is left out: its sender is about to write down the answer.
 */
async function lockDeliveries(
  tx: Db,
  open: readonly Open[],
  matched: Awaited<ReturnType<typeof matchReceipts>>,
): Promise<Map<number, Locked>> {
  const ids = [...matched.values()].map(({ deliveryId }) => deliveryId);
  const runs = [...matched.values()].map(({ runId }) => runId);
  const counting = open
    .filter(({ receipt: { what } }) => what === "opened" || what === "clicked")
    .flatMap(({ id }) => matched.get(id)?.runId ?? []);
  await sql`
    SELECT FROM notifications WHERE id IN (SELECT notification_id FROM runs WHERE id = ANY(${runs}::bigint[]))
    ORDER BY id FOR NO KEY UPDATE`.execute(tx);
  await sql`SELECT FROM runs WHERE id = ANY(${counting}::bigint[]) ORDER BY id FOR NO KEY UPDATE`.execute(tx);
  const { rows } = await sql<Locked>`
    SELECT d.id, d.run_id AS "runId", d.status, d.reason, d.detail, d.unconfirmed,
      d.provider_message_id AS "messageId", d.accepted_at AS "acceptedAt", d.delivered_at AS "deliveredAt",
      d.opened_at AS "openedAt", d.clicked_at AS "clickedAt",
      coalesce((SELECT max(a.ended_at) FROM attempts a WHERE a.delivery_id = d.id), d.created_at) AS "triedAt"
    FROM deliveries d WHERE d.id = ANY(${ids}::bigint[]) AND d.status <> 'sending'
    ORDER BY d.id FOR NO KEY UPDATE`.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

type Told = Open & { delivery: Locked };

/** Moves the deliveries with their counters, timeline, suppressions and run's figures in one statement. */
async function write(tx: Db, told: readonly Told[]): Promise<Recorded[]> {
  const now = new Date();
  const changes = [];
  const events = [];
  for (const [delivery, receipts] of Map.groupBy(told, (one) => one.delivery)) {
    let standing: Standing = delivery;
    for (const { receipt, accountId } of receipts.toSorted((a, b) => inOrder(a.receipt, b.receipt))) {
      const at = between(delivery.triedAt, receipt.at, now);
      const applied = apply(standing, { ...receipt, at });
      standing = applied.standing;
      const { event: kind, suppress } = applied;
      const detail = [receipt.code, receipt.detail].filter(Boolean).join(" ") || null;
      if (kind || suppress)
        events.push({
          n: events.length,
          delivery: delivery.id,
          account: accountId,
          at,
          kind,
          detail,
          suppress,
        });
    }
    const { status, reason, detail, messageId, acceptedAt, deliveredAt, openedAt, clickedAt } = standing;
    changes.push({
      id: delivery.id,
      was_status: delivery.status,
      was_reason: delivery.reason,
      status,
      reason,
      detail,
      message_id: messageId,
      accepted_at: acceptedAt,
      delivered_at: deliveredAt,
      opened_at: openedAt,
      clicked_at: clickedAt,
      opened: openedAt && !delivery.openedAt ? 1 : 0,
      clicked: clickedAt && !delivery.clickedAt ? 1 : 0,
    });
  }
  if (changes.length === 0) return [];
  const { rows } = await sql<Recorded & { notificationId: number; finished: boolean }>`
    WITH told AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS t (
        id bigint, was_status text, was_reason text, status text, reason text, detail text, message_id text,
        accepted_at timestamptz, delivered_at timestamptz, opened_at timestamptz, clicked_at timestamptz,
        opened int, clicked int)
    ), moves AS (
      UPDATE deliveries d SET status = t.status, reason = t.reason, detail = t.detail,
        provider_message_id = t.message_id, accepted_at = t.accepted_at, delivered_at = t.delivered_at,
        opened_at = t.opened_at, clicked_at = t.clicked_at, updated_at = now()
      FROM told t WHERE d.id = t.id
      RETURNING d.id, d.run_id, d.user_id, d.channel, d.address, d.counted, d.sharers, t.was_status, t.was_reason,
        d.status, d.reason, t.opened, t.clicked
    ), ${keepBooks({ moves: "moves" })}, events AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(events)}::jsonb) AS e (
        n int, delivery bigint, account bigint, at timestamptz, kind text, detail text, suppress boolean)
    ), noted AS (
      INSERT INTO delivery_events (delivery_id, at, kind, detail)
      SELECT delivery, at, kind, detail FROM events WHERE kind IS NOT NULL ORDER BY n
    ), suppressed AS (
      INSERT INTO suppressions (channel, address, reason, source, delivery_id, kind)
      SELECT DISTINCT ON (m.channel, m.address) m.channel, m.address, ${blockedBecause}, a.kind, m.id, ${blockedKind}
      FROM events e JOIN moves m ON m.id = e.delivery JOIN accounts a ON a.id = e.account
      WHERE e.suppress AND m.address IS NOT NULL
      ORDER BY m.channel, m.address, e.n
      ON CONFLICT (channel, address) DO NOTHING
    ), figures AS (
      UPDATE runs r SET opened = r.opened + f.opened, clicked = r.clicked + f.clicked
      FROM (SELECT run_id, sum(opened)::int AS opened, sum(clicked)::int AS clicked FROM moves GROUP BY run_id) f
      WHERE r.id = f.run_id AND f.opened + f.clicked > 0
    )
    SELECT m.id, m.run_id AS "runId", r.notification_id AS "notificationId",
      r.state = 'finished' AND m.status <> m.was_status AS finished
    FROM moves m JOIN runs r ON r.id = m.run_id`.execute(tx);
  const ended = new Map(
    rows.filter(({ finished }) => finished).map((row) => [row.runId, row.notificationId]),
  );
  for (const [id, notificationId] of ended) await recordStatus(tx, { id, notificationId });
  return rows.map(({ id, runId }) => ({ id, runId }));
}

const blockedKind = sql`CASE e.kind WHEN 'complained' THEN 'complaint' WHEN 'unsubscribed' THEN 'unsubscribe' ELSE 'bounce' END`;
const blockedBecause = sql`CASE e.kind
  WHEN 'complained' THEN 'They marked a message as spam.'
  WHEN 'unsubscribed' THEN 'They unsubscribed.'
  ELSE coalesce(e.detail, 'A message bounced.') END`;

/** A provider's clock is its own: nothing is reported before it was sent, nor after now. */
function between(from: Date, at: Date, to: Date): Date {
  return new Date(Math.max(from.getTime(), Math.min(at.getTime(), to.getTime())));
}

/** What was applied is done; what has no message on record is looked at again, later and later, and then given up. */
async function settle(tx: Db, open: readonly Open[], done: ReadonlyMap<number, number>): Promise<void> {
  const rows = open.map(({ id }) => ({ id, delivery: done.get(id) ?? null }));
  await sql`
    UPDATE receipts r SET delivery_id = t.delivery,
      processed_at = CASE WHEN t.delivery IS NOT NULL OR r.received_at < now() - make_interval(mins => ${WAIT_MINUTES})
        THEN now() END,
      retry_at = now() + interval '1 second' + (now() - r.received_at) / 4
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS t (id bigint, delivery bigint) WHERE r.id = t.id`.execute(
    tx,
  );
}
