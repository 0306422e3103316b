import { sql, type RawBuilder } from "kysely";
import { reportedReasons } from "#contract/refusals/blocked-reasons.ts";
import { tryUntilCommit } from "#server/db/advisory-locks.ts";
import { transaction, type Db } from "#server/db/database.ts";
import { inMonthsOf } from "#server/db/months.ts";
import { updateTotals } from "../runs/run-totals.ts";
import { recordStatus } from "../runs/finish-runs.ts";
import { span, withLogFields } from "#server/telemetry/signals.ts";
import { besideOtherCauses, blockedBecause, blockedKind, isCause } from "../runs/suppressed.ts";
import { sameMailbox } from "../transports/email/address.ts";
import { receiptKinds, type Receipt } from "../transports/webhook.ts";
import type { Recorded } from "../worker/record.ts";
import { apply, inOrder, type DeliveryState } from "./apply.ts";
import { matchReceipts, partsOf, type Match, type Open } from "./match.ts";
import { putOff } from "./put-off.ts";
import { settle } from "./settle.ts";

const BATCH = 500;

/** `late`: how many were for messages of archived months. At most an address is blocked. */
type Processed = { moved: Recorded[]; late: number; more: boolean };

/**
 * Applies incoming receipts whose message is on record. Only one process at a time does this, so the receipts of a message
 * are applied in order. If they can't be applied together, they are applied one by one, so that one that fails doesn't
 * hold up the others. `onError` gets both errors.
 */
export async function processReceipts(db: Db, onError: (error: unknown) => void): Promise<Processed> {
  try {
    return await applySome(db, sql`true`);
  } catch (error) {
    onError(new Error("Receipts can't be applied together, so each is applied alone", { cause: error }));
    const open = await readOpen(db, sql`true`);
    const moved: Recorded[] = [];
    let late = 0;
    for (const { id, accountId, receipt } of open.toSorted((a, b) => inOrder(a.receipt, b.receipt))) {
      try {
        const applied = await applySome(db, sql`id = ${id}`);
        moved.push(...applied.moved);
        late += applied.late;
      } catch (error) {
        withLogFields({ accountId, deliveryId: partsOf(receipt.reference).delivery }, () =>
          onError(new Error(`Receipt ${id} can't be applied`, { cause: error })),
        );
        await putOff(db, id);
      }
    }
    return { moved, late, more: open.length === BATCH };
  }
}

function applySome(db: Db, which: RawBuilder<unknown>): Promise<Processed> {
  return transaction(db, async (tx) => {
    if (!(await tryUntilCommit(tx, "receipts"))) return { moved: [], late: 0, more: false };
    const given = await readOpen(tx, which);
    if (given.length === 0) return { moved: [], late: 0, more: false };
    const open = given.filter(isAboutMessage);
    await settleOthers(
      tx,
      given.filter((one) => !isAboutMessage(one)),
    );
    const matched = await matchReceipts(tx, open);
    const deliveries = await lockDeliveries(tx, open, matched);
    const reported = open.flatMap((receipt) => {
      const delivery = deliveries.get(matched.get(receipt.id)?.deliveryId ?? 0);
      return delivery ? [{ ...receipt, delivery, round: matched.get(receipt.id)!.round }] : [];
    });
    const moved = await write(tx, effectsOf(reported));
    const done = new Map(reported.map(({ id, delivery }) => [id, delivery.id]));
    const late = await settle(tx, open, { done, matched });
    return { moved, late, more: given.length === BATCH };
  });
}

function isAboutMessage({ receipt: { what, reference, messageId } }: Open): boolean {
  return receiptKinds.includes(what) && (reference !== undefined || messageId !== undefined);
}

/**
 * Settles events that name no message. One about an address, which someone entered in the provider's list, blocks it here,
 * too. One without a meaning, such as a later build's, changes nothing.
 */
async function settleOthers(tx: Db, others: readonly Open[]): Promise<void> {
  if (others.length === 0) return;
  const rows = others.map(({ id, receipt: { what, address, suppress, detail } }) => ({
    id,
    what,
    detail,
    address: suppress ? address?.trim().toLowerCase() : undefined,
  }));
  await sql`
    WITH told AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS t (id bigint, what text, detail text, address text)
    ), blocked AS (
      INSERT INTO suppressions AS o (channel, address, reason, source, kind)
      SELECT DISTINCT ON (a.channel, t.address) a.channel, t.address,
        coalesce(${blockedBecause(sql`t.what`)}, t.detail, ${sql.lit(reportedReasons.bounced)}), a.kind, ${blockedKind(sql`t.what`)}
      FROM told t JOIN receipts r ON r.id = t.id JOIN accounts a ON a.id = r.account_id
      WHERE t.address <> ''
      ORDER BY a.channel, t.address, ${blockedKind(sql`t.what`)} <> 'unsubscribe', t.id
      ${besideOtherCauses}
    )
    UPDATE receipts r SET processed_at = now() FROM told t WHERE r.id = t.id`.execute(tx);
}

async function readOpen(tx: Db, which: RawBuilder<unknown>): Promise<Open[]> {
  const { rows } = await sql<{ id: number; accountId: number; event: Omit<Receipt, "at"> & { at: string } }>`
    SELECT id, account_id AS "accountId", event FROM receipts
    WHERE processed_at IS NULL AND retry_at <= now() AND event ->> 'what' IS DISTINCT FROM 'text' AND ${which}
    ORDER BY retry_at, id LIMIT ${BATCH}`.execute(tx);
  return rows.map(({ event, ...row }) => ({ ...row, receipt: { ...event, at: new Date(event.at) } }));
}

type Locked = DeliveryState & {
  id: number;
  runId: number;
  /** When it was last attempted, or queued. */
  triedAt: Date;
  address: string | null;
  round: number;
  /** The addresses it went to before someone retried it, by round. */
  earlier: Record<string, string> | null;
};

/**
 * Locks in the global order: notifications, so that no run ends in the meantime; runs whose counters change;
 * deliveries. Skips deliveries that are being sent: their worker is about to record the answer.
 */
async function lockDeliveries(
  tx: Db,
  open: readonly Open[],
  matched: ReadonlyMap<number, Match>,
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
      d.opened_at AS "openedAt", d.clicked_at AS "clickedAt", d.address, d.round,
      (SELECT jsonb_object_agg(e.round, e.address) FROM earlier_addresses e WHERE e.delivery_id = d.id) AS earlier,
      coalesce((SELECT max(a.ended_at) FROM attempts a
        WHERE ${inMonthsOf(sql`a.delivery_id`, ids)} AND a.delivery_id = d.id), d.created_at) AS "triedAt"
    FROM deliveries d
    WHERE ${inMonthsOf(sql`d.run_id`, ids)} AND d.id = ANY(${ids}::bigint[]) AND d.status <> 'sending'
    ORDER BY d.id FOR NO KEY UPDATE`.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

type Reported = Open & { delivery: Locked; round: Match["round"] };

type Written = { notificationId: number; finished: boolean; traceparent: string | null };

/** What the receipts change about their deliveries, and what they add to their timelines. */
function effectsOf(reported: readonly Reported[]) {
  const now = new Date();
  const changes = [];
  const events = [];
  for (const [delivery, receipts] of Map.groupBy(reported, (one) => one.delivery)) {
    let state: DeliveryState = delivery;
    for (const one of receipts.toSorted((a, b) => inOrder(a.receipt, b.receipt))) {
      const effect = effectOf(one, state, now);
      state = effect.state;
      if (effect.event.kind || effect.event.suppress) events.push({ n: events.length, ...effect.event });
    }
    const { status, reason, detail, messageId, acceptedAt, deliveredAt, openedAt, clickedAt } = state;
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
  return { changes, events };
}

function effectOf({ receipt, accountId, round, delivery }: Reported, before: DeliveryState, now: Date) {
  const earlier = round !== null && round !== delivery.round;
  // The last attempt may be later than the receipt of an earlier message.
  const at = earlier ? now : between(delivery.triedAt, receipt.at, now);
  const address = earlier ? delivery.earlier?.[round] : delivery.address;
  // Such as of a copy that the person's mailbox forwarded.
  const others = receipt.recipients?.some((one) => sameMailbox(one, address ?? "")) === false;
  const { state, event: kind, suppress } = apply(before, { ...receipt, at }, earlier || others);
  const code = isCause(receipt.code) && receipt.detail ? null : receipt.code;
  const detail = [code, receipt.detail].filter(Boolean).join(" ") || null;
  const event = {
    delivery: delivery.id,
    account: accountId,
    at,
    kind,
    detail: others
      ? `For ${receipt.recipients?.[0] ?? "an unknown address"}, not for this address: ${detail}`
      : detail,
    suppress: suppress && !others,
    cause: kind === "complained" || kind === "unsubscribed" ? kind : receipt.code,
    address,
  };
  return { state, event };
}

/** Updates deliveries, counters, timeline, suppressions and the run's figures in one statement. */
async function write(tx: Db, { changes, events }: ReturnType<typeof effectsOf>): Promise<Recorded[]> {
  if (changes.length === 0) return [];
  const startedAt = Date.now();
  const { rows } = await sql<Recorded & Written>`
    WITH reported AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS t (
        id bigint, was_status text, was_reason text, status text, reason text, detail text, message_id text,
        accepted_at timestamptz, delivered_at timestamptz, opened_at timestamptz, clicked_at timestamptz,
        opened int, clicked int)
    ), moves AS (
      UPDATE deliveries d SET status = t.status, reason = t.reason, detail = t.detail,
        provider_message_id = t.message_id, accepted_at = t.accepted_at, delivered_at = t.delivered_at,
        opened_at = t.opened_at, clicked_at = t.clicked_at, updated_at = now()
      FROM reported t WHERE ${inMonthsOf(
        sql`d.run_id`,
        changes.map(({ id }) => id),
      )} AND d.id = t.id
      RETURNING d.id, d.run_id, d.user_id, d.channel, d.address, d.counted, d.sharers, t.was_status, t.was_reason,
        d.status, d.reason, t.opened, t.clicked
    ), ${updateTotals({ moves: "moves" })}, events AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(events)}::jsonb) AS e (
        n int, delivery bigint, account bigint, at timestamptz, kind text, detail text, suppress boolean,
        cause text, address text)
    ), noted AS (
      INSERT INTO delivery_events (delivery_id, at, kind, detail)
      SELECT delivery, at, kind, detail FROM events WHERE kind IS NOT NULL ORDER BY n
    ), suppressed AS (
      INSERT INTO suppressions AS o (channel, address, reason, source, delivery_id, kind)
      SELECT DISTINCT ON (m.channel, e.address) m.channel, e.address,
        coalesce(${blockedBecause(sql`e.cause`)}, e.detail, ${sql.lit(reportedReasons.bounced)}), a.kind, m.id,
        ${blockedKind(sql`e.cause`)}
      FROM events e JOIN moves m ON m.id = e.delivery JOIN accounts a ON a.id = e.account
      WHERE e.suppress AND e.address IS NOT NULL
      ORDER BY m.channel, e.address, ${blockedKind(sql`e.cause`)} <> 'unsubscribe', e.n
      ${besideOtherCauses}
    ), figures AS (
      UPDATE runs r SET opened = r.opened + f.opened, clicked = r.clicked + f.clicked
      FROM (SELECT run_id, sum(opened)::int AS opened, sum(clicked)::int AS clicked FROM moves GROUP BY run_id) f
      WHERE r.id = f.run_id AND f.opened + f.clicked > 0
    )
    SELECT m.id, m.run_id AS "runId", r.notification_id AS "notificationId",
      r.state = 'finished' AND m.status <> m.was_status AS finished, r.traceparent
    FROM moves m JOIN runs r ON r.id = m.run_id`.execute(tx);
  if (rows.length < changes.length)
    throw new Error("A month is being archived; its receipts will be applied again");
  const ended = new Map(
    rows.filter(({ finished }) => finished).map((row) => [row.runId, row.notificationId]),
  );
  for (const [id, notificationId] of ended) await recordStatus(tx, { id, notificationId });
  for (const [parent, own] of Map.groupBy(rows, (row) => row.traceparent)) {
    const attributes = { "porchlight.run_id": own[0]!.runId, "porchlight.deliveries": own.length };
    if (parent) await span("apply receipts", { parent, startedAt, attributes }, () => Promise.resolve());
  }
  return rows.map(({ id, runId }) => ({ id, runId }));
}

/** Corrects for the provider's clock: no event predates the send or is in the future. */
function between(from: Date, at: Date, to: Date): Date {
  return new Date(Math.max(from.getTime(), Math.min(at.getTime(), to.getTime())));
}
