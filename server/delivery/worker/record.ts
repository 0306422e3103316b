import { sql, type RawBuilder } from "kysely";
import type { DeliveryStatus } from "#contract/delivery.ts";
import type { Reason } from "#contract/delivery-reasons.ts";
import { isDataError, transaction, type Db } from "#server/db/database.ts";
import { PREPARED } from "#server/db/prepared.ts";
import { inMonthsOf } from "#server/db/months.ts";
import type { Outcome } from "#server/delivery/transports/transport.ts";
import { departure } from "../runs/departure.ts";
import { updateTotals } from "../runs/run-totals.ts";

/**
 * One step of one delivery. It is only written if the delivery is still in the expected state: under this token, at
 * this claim, in this status. A late or repeated write changes nothing. It is stored in the journal, too, as JSON, which
 * processes of the build before and of the next one read.
 */
export type Change = {
  id: number;
  token: number;
  /** How often the delivery was claimed when this happened. */
  claim: number;
  was: "sending" | "uncertain";
  begun: boolean;
  /** When it began, as ISO 8601, if its worker knows. */
  began?: string;
  status: DeliveryStatus;
  reason: Reason | null;
  detail: string | null;
  delayMs: number | null;
  failure?: boolean;
  unconfirmed?: boolean;
  lostLease?: boolean;
  /** The provider refused its recipient. */
  refusedRecipient?: boolean;
  refusedContent?: boolean;
  /** For good, so the address may be suppressed. */
  bounced?: boolean;
  messageId?: string | undefined;
  /** The attempt that ended, with the provider's answer. */
  attempt?:
    | { accountId: number; outcome: Outcome["kind"]; code: string | null; words: string | null }
    | undefined;
  event?: "taken-over" | "repeated" | "answered-late";
  /** The span in which it was sent. */
  traceparent?: string | undefined;
};

/** A delivery that was moved, and its run. */
export type Recorded = { id: number; runId: number };

/**
 * The part of a worker's journal that the changes settle: the entries behind `after`, up to `upTo`. `open`: of their
 * deliveries, those that are still on the wire.
 */
export type JournalPart = {
  token: number;
  after: number;
  upTo: number;
  open: readonly { id: number; claim: number; at: Date }[];
};

/**
 * Writes the changes with their attempts, counters and refusals, all in one statement. With a part of the journal, that
 * is removed, and what is open of it is marked as begun on the deliveries. Returns what was really moved.
 */
export async function record(db: Db, changes: readonly Change[], part?: JournalPart): Promise<Recorded[]> {
  if (changes.length === 0 && !part) return [];
  if (!changes.some(({ was }) => was === "uncertain")) return write(db, changes, part);
  // Receipts may be moving the same deliveries, and lock them in this order.
  return transaction(db, async (tx) => {
    const ids = changes.map(({ id }) => id);
    await sql`SELECT FROM deliveries d WHERE ${inMonthsOf(sql`d.run_id`, ids)} AND d.id = ANY(${ids}::bigint[])
      ORDER BY d.id FOR NO KEY UPDATE`.execute(tx);
    return write(tx, changes, part);
  });
}

async function write(db: Db, changes: readonly Change[], part: JournalPart | undefined): Promise<Recorded[]> {
  // It runs often, so what these changes do not need is left out.
  const extras = [
    ...(changes.some(({ refusedRecipient, refusedContent }) => refusedRecipient || refusedContent)
      ? [sql`, refused AS (${refuse}), barred AS (${bar})`]
      : []),
    ...(changes.some(({ event }) => event) ? [sql`, noted AS (${note})`] : []),
    ...(part ? [sql`, removed AS (${remove(part)})`] : []),
    ...(part && part.open.length > 0 ? [sql`, marked AS (${mark(part)})`] : []),
  ];
  const { rows } = await sql<Recorded>`${PREPARED}
    WITH reported AS MATERIALIZED (
      SELECT t.*, delay * interval '1 millisecond' AS pause
      FROM jsonb_to_recordset(${JSON.stringify(changes.map(flat))}::jsonb) AS t (
        id bigint, token bigint, claim int, was text, began timestamptz, status text, reason text, detail text, delay float8,
        failures int, unconfirmed int, lost int, refused boolean, of_content boolean, bounced boolean, message_id text,
        account_id bigint, outcome text, code text, words text, event text)
    ), moves AS (
      UPDATE deliveries d SET
        status = ${final()},
        reason = CASE WHEN ${final()} IN ('cancelled', 'expired') THEN ${final()} ELSE t.reason END,
        detail = t.detail,
        due_at = ${dueAt()},
        attempts = d.attempts + (t.outcome IS NOT NULL)::int,
        failures = d.failures + t.failures,
        unconfirmed = d.unconfirmed + t.unconfirmed,
        lost_leases = d.lost_leases + t.lost,
        provider_message_id = coalesce(t.message_id, d.provider_message_id),
        accepted_at = CASE WHEN t.status IN ('accepted', 'delivered') THEN now() ELSE d.accepted_at END,
        delivered_at = CASE WHEN t.status = 'delivered' THEN now() ELSE d.delivered_at END,
        begun_at = coalesce(d.begun_at, t.began),
        updated_at = now()
      FROM reported t
      WHERE ${inMonthsOf(
        sql`d.run_id`,
        changes.map(({ id }) => id),
      )} AND d.id = t.id AND d.status = t.was AND d.lease_token = t.token AND d.claims = t.claim
      RETURNING d.id, d.run_id, d.user_id, d.channel, d.address, d.counted, d.sharers, t.was AS was_status,
        CASE t.was WHEN 'uncertain' THEN 'unconfirmed' END AS was_reason, d.status, d.reason, d.attempts,
        d.lease_token, d.begun_at, d.due_at, t.account_id, t.outcome, t.code, t.words, t.refused, t.of_content, t.bounced, t.event
    ), ${updateTotals({ moves: "moves", token: part?.token })}, tried AS (
      INSERT INTO attempts (delivery_id, n, account_id, lease_token, started_at, outcome, code, detail, next_try_at)
      SELECT id, attempts, account_id, lease_token, coalesce(begun_at, now()), outcome, code, words,
        CASE WHEN status = 'queued' THEN due_at END
      FROM moves WHERE outcome IS NOT NULL
    )${sql.join(extras, sql``)}
    SELECT id, run_id AS "runId" FROM moves`.execute(db);
  return rows;
}

/**
 * Like `record`. If the database can't store some of it, each change is written alone, so that one doesn't hold up the
 * others: without its provider's words, or not at all. Then it is in doubt once its lease has ended. `onError` hears of
 * each that is set aside.
 */
export async function recordEach(
  db: Db,
  changes: readonly Change[],
  part: JournalPart | undefined,
  onError: (error: unknown) => void,
): Promise<Recorded[]> {
  try {
    return await record(db, changes, part);
  } catch (error) {
    if (!isDataError(error)) throw error;
    onError(error);
    const moved: Recorded[] = [];
    const setAside: JournalPart["open"][number][] = [];
    for (const change of changes) {
      const recorded = await recordAlone(db, change, onError);
      if (recorded) moved.push(...recorded);
      else if (change.begun) setAside.push({ id: change.id, claim: change.claim, at: new Date() });
    }
    // Only the journal knew that these had begun. Forgotten, they would be sent again as if they never had.
    if (part) await record(db, [], { ...part, open: [...part.open, ...setAside] });
    return moved;
  }
}

/** Null if it can't be stored at all. */
async function recordAlone(
  db: Db,
  change: Change,
  onError: (error: unknown) => void,
): Promise<Recorded[] | null> {
  const { attempt } = change;
  const wordless: Change = {
    ...change,
    detail: null,
    messageId: undefined,
    attempt: attempt && { ...attempt, code: null, words: null },
  };
  for (const one of [change, wordless]) {
    try {
      return await record(db, [one]);
    } catch (error) {
      if (!isDataError(error)) throw error;
      if (one === wordless)
        onError(new Error(`The outcome of delivery ${change.id} can't be stored`, { cause: error }));
    }
  }
  return null;
}

const again = () =>
  departure.notBefore({ pause: sql`t.pause`, dueAt: sql`d.due_at`, expiresAt: sql`d.expires_at` });

/** When it may leave again, or when what is uncertain is decided. */
const dueAt = () =>
  sql`CASE WHEN t.status = 'queued' THEN ${again()} ELSE coalesce(now() + t.pause, d.due_at) END`;

/** The final status: in a cancelled run, or after its time, nothing is retried. */
const final = () => sql`CASE WHEN t.status <> 'queued' THEN t.status
  WHEN EXISTS (SELECT FROM runs r WHERE r.id = d.run_id AND r.state = 'cancelled') THEN 'cancelled'
  WHEN greatest(now(), ${again()}) >= d.expires_at THEN 'expired'
  ELSE 'queued' END`;

/** What it proves is judged later (refusals.ts), because the account may be at fault. */
const refuse = sql`INSERT INTO refusals (delivery_id, account_id, channel, address, code, detail, bounced, of_content)
  SELECT m.id, m.account_id, m.channel, m.address, m.code, m.words, m.bounced, m.of_content
  FROM moves m JOIN accounts p ON p.id = m.account_id WHERE m.refused AND NOT p.simulated`;

const bar = sql`INSERT INTO suppressions (channel, address, reason, source, delivery_id)
  SELECT m.channel, m.address, coalesce(m.words, m.code, m.reason), p.kind, m.id
  FROM moves m JOIN accounts p ON p.id = m.account_id WHERE m.bounced AND p.simulated
  ORDER BY m.channel, m.address
  ON CONFLICT (channel, address) DO NOTHING`;

/** What ended because its run was cancelled, or its time is over, isn't repeated. */
const note = sql`INSERT INTO delivery_events (delivery_id, kind)
  SELECT id, event FROM moves WHERE event IS NOT NULL AND (event <> 'repeated' OR status = 'queued')`;

/** Their entries are removed, so the deliveries themselves say that they have begun. */
function mark({ token, open }: JournalPart): RawBuilder<unknown> {
  const ids = open.map(({ id }) => id);
  return sql`UPDATE deliveries d SET begun_at = o.at
    FROM unnest(${ids}::bigint[], ${open.map(({ claim }) => claim)}::int[],
      ${open.map(({ at }) => at.toISOString())}::timestamptz[]) AS o (id, claim, at)
    WHERE ${inMonthsOf(sql`d.run_id`, ids)} AND d.id = o.id
      AND d.lease_token = ${token} AND d.claims = o.claim`;
}

/** The lower bound spares what was removed before, which is only vacuumed away once a minute. */
function remove({ token, after, upTo }: JournalPart): RawBuilder<unknown> {
  return sql`DELETE FROM worker_journal WHERE token = ${token} AND id > ${after} AND id <= ${upTo}`;
}

function flat({ attempt, ...change }: Change) {
  return {
    id: change.id,
    token: change.token,
    claim: change.claim,
    was: change.was,
    began: change.began,
    status: change.status,
    reason: change.reason,
    detail: storable(change.detail),
    delay: change.delayMs,
    failures: change.failure ? 1 : 0,
    unconfirmed: change.unconfirmed ? 1 : 0,
    lost: change.lostLease ? 1 : 0,
    refused: (change.refusedRecipient || change.refusedContent) ?? false,
    of_content: change.refusedContent ?? false,
    bounced: change.bounced ?? false,
    message_id: storable(change.messageId),
    account_id: attempt?.accountId,
    outcome: attempt?.outcome,
    code: storable(attempt?.code),
    words: storable(attempt?.words),
    event: change.event,
  };
}

/** PostgreSQL accepts neither NUL nor an unpaired surrogate, and one provider's odd text must not stop the writer. */
function storable(text: string | null | undefined): string | null {
  return text?.replaceAll("\0", "").toWellFormed() ?? null;
}
