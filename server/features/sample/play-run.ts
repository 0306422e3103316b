import { sql } from "kysely";
import type { Channel, DeliveryStatus } from "#contract/delivery.ts";
import type { Reason } from "#contract/delivery-reasons.ts";
import type { Db } from "#server/db/database.ts";
import { updateTotals } from "#server/delivery/runs/run-totals.ts";
import { lifetime } from "#server/delivery/runs/departure.ts";
import { fanOutSome } from "#server/delivery/runs/fan-out.ts";
import { recordStatus } from "#server/delivery/runs/finish-runs.ts";
import { startRun } from "#server/delivery/runs/start-run.ts";
import { adapters } from "#server/delivery/transports/registry.ts";
import { readOrganization } from "#server/features/settings/organization.ts";

/** The outcomes of a run. `now`: nothing is opened after it. */
type Reception = {
  now: Date;
  opened?: number | undefined;
  clicked?: number | undefined;
  replies?: readonly string[] | undefined;
  complaint?: boolean | undefined;
};

type Run = { id: number; at: Date };

/**
 * Sends a notification into the Sandbox as the engine does, and moves everything to a time in the past. What a run writes
 * is written by the engine's own statements, so its counters are right.
 */
export async function playRun(
  tx: Db,
  notificationId: number,
  { at, startedBy, ...reception }: Reception & { at: Date; startedBy: number | null },
): Promise<void> {
  const { runId: id } = await startRun(tx, notificationId, { organization: readOrganization }, { startedBy });
  const run = { id, at };
  const accounts = await sandboxAccounts(tx);
  while ((await fanOutSome(tx, undefined, { runId: id, sandbox: { token: 0, accounts } }))?.done === false);
  await moveBack(tx, run);
  await settleFailing(tx, run, new Map(accounts.map((account) => [account.channel, account.id])));
  await loseReceipts(tx, run);
  await noteOpens(tx, run, reception);
  await noteEvents(tx, run);
  await noteReplies(tx, run, reception.replies ?? []);
  if (reception.complaint) await noteComplaint(tx, run);
  await finish(tx, run, notificationId);
}

async function sandboxAccounts(tx: Db) {
  const { rows } = await sql<{ id: number; channel: Channel; kind: string }>`
    SELECT id, channel, kind FROM accounts WHERE source = 'built-in'`.execute(tx);
  return rows.flatMap(({ kind, ...account }) => {
    const accepts = adapters.find((adapter) => adapter.kind === kind)?.acceptsAtOnce;
    return accepts ? [{ ...account, accepts }] : [];
  });
}

/** Twenty messages leave in a second, and each arrives some seconds later. */
async function moveBack(tx: Db, { id, at }: Run): Promise<void> {
  const moved = await sql<{ messageClass: string }>`
    WITH version AS (
      UPDATE content_versions SET created_at = ${at}
      WHERE id = (SELECT content_version_id FROM runs WHERE id = ${id})
    )
    UPDATE runs SET created_at = ${at} WHERE id = ${id} RETURNING class AS "messageClass"`.execute(tx);
  const sent = sql`${at}::timestamptz + make_interval(secs => 2 + n * 0.05)`;
  await sql`
    WITH numbered AS (
      SELECT id, row_number() OVER (ORDER BY id)::int AS n FROM deliveries WHERE run_id = ${id}
    ), moved AS (
      UPDATE deliveries d SET created_at = ${at}, due_at = ${at}, updated_at = ${sent},
        expires_at = ${at}::timestamptz + ${lifetime(moved.rows[0]!.messageClass, sql`d.channel`)},
        accepted_at = CASE WHEN d.status = 'delivered' THEN ${sent} END,
        delivered_at = CASE WHEN d.status = 'delivered' THEN ${sent} + make_interval(secs => 1 + n * 7 % 23) END
      FROM numbered WHERE d.id = numbered.id RETURNING d.id, d.accepted_at
    )
    UPDATE attempts a SET started_at = m.accepted_at - interval '0.18 seconds', ended_at = m.accepted_at
    FROM moved m WHERE a.delivery_id = m.id`.execute(tx);
}

/** An attempt, so many seconds after the run began. */
type Try = {
  after: number;
  outcome: "accepted" | "refused" | "unavailable" | "uncertain";
  code?: string;
  detail?: string;
};
type Ending = { status: DeliveryStatus; reason: Reason | null; detail: string | null; tries: Try[] };

/** How the Sandbox ends what goes to its failing mailboxes (docs/sandbox.md). */
const endings: Record<string, Ending> = {
  bounce: {
    status: "failed",
    reason: "no-such-address",
    detail: "Simulated: no such address",
    tries: [{ after: 3, outcome: "refused", code: "550 5.1.1", detail: "Simulated: no such address" }],
  },
  busy: {
    status: "delivered",
    reason: null,
    detail: null,
    tries: [
      { after: 3, outcome: "unavailable", code: "451 4.3.0", detail: "Simulated: busy, accepted next time" },
      { after: 8, outcome: "accepted" },
    ],
  },
  lost: {
    status: "failed",
    reason: "unconfirmed",
    detail: "Simulated: the answer never came",
    tries: [3, 605].map((after) => ({
      after,
      outcome: "uncertain",
      code: "no_answer",
      detail: "Simulated: the answer never came",
    })),
  },
};

type Change = { id: number; status: DeliveryStatus; reason: Reason | null; detail: string | null };

/** Moves deliveries from where they are, with the counters. */
async function move(tx: Db, changes: readonly Change[]): Promise<void> {
  await sql`
    WITH moves AS (
      UPDATE deliveries d SET status = t.status, reason = t.reason, detail = t.detail
      FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS t (id bigint, status text, reason text, detail text)
      JOIN deliveries was ON was.id = t.id
      WHERE d.id = t.id
      RETURNING d.run_id, d.user_id, d.channel, was.status AS was_status, was.reason AS was_reason, d.status, d.reason,
        d.counted, d.sharers
    ), ${updateTotals({ moves: "moves" })} SELECT`.execute(tx);
}

async function settleFailing(
  tx: Db,
  { id: runId, at }: Run,
  accounts: ReadonlyMap<Channel, number>,
): Promise<void> {
  const { rows } = await sql<{ id: number; channel: Channel; mailbox: string }>`
    SELECT id, channel, split_part(address, '+', 1) AS mailbox FROM deliveries
    WHERE run_id = ${runId} AND status = 'queued'`.execute(tx);
  const settled = rows.map(({ mailbox, ...row }) => ({ ...row, ...endings[mailbox]! }));
  if (settled.length === 0) return;
  await move(tx, settled);
  const tries = settled.flatMap(({ id, channel, tries }) =>
    tries.map((one, n) => ({
      delivery_id: id,
      n: n + 1,
      account_id: accounts.get(channel),
      ...one,
      next: one.outcome === "unavailable" ? one.after + 5 : null,
    })),
  );
  const later = (column: string) => sql`${at}::timestamptz + make_interval(secs => ${sql.ref(column)})`;
  await sql`
    WITH tries AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(tries)}::jsonb) AS t (delivery_id bigint, n int, account_id bigint,
        after float8, outcome text, code text, detail text, next float8)
    ), written AS (
      INSERT INTO attempts (delivery_id, n, account_id, lease_token, started_at, ended_at, outcome, code, detail, next_try_at)
      SELECT delivery_id, n, account_id, 0, ${later("after")} - interval '0.2 seconds', ${later("after")}, outcome, code,
        detail, ${later("next")} FROM tries
    ), repeated AS (
      INSERT INTO delivery_events (delivery_id, at, kind)
      SELECT delivery_id, ${later("after")} - interval '1 second', 'repeated' FROM tries WHERE outcome = 'uncertain' AND n = 2
    ), last AS (
      SELECT delivery_id, max(n) AS n, max(account_id) AS account_id, max(after) AS after,
        count(*) FILTER (WHERE outcome = 'unavailable') AS failures,
        count(*) FILTER (WHERE outcome = 'uncertain') AS unconfirmed
      FROM tries GROUP BY delivery_id
    )
    UPDATE deliveries d SET attempts = l.n, account_id = l.account_id, lease_token = 0, failures = l.failures,
      unconfirmed = l.unconfirmed,
      -- An answer is awaited for ten minutes.
      updated_at = ${later("l.after")} + CASE WHEN d.reason = 'unconfirmed' THEN interval '10 minutes' ELSE '0' END,
      accepted_at = CASE WHEN d.status = 'delivered' THEN ${later("l.after")} END,
      delivered_at = CASE WHEN d.status = 'delivered' THEN ${later("l.after")} END
    FROM last l WHERE d.id = l.delivery_id`.execute(tx);
  await sql`
    INSERT INTO suppressions (channel, address, reason, source, delivery_id, created_at)
    SELECT channel, address, detail, 'sandbox', id, updated_at FROM deliveries
    WHERE run_id = ${runId} AND reason = 'no-such-address' ON CONFLICT DO NOTHING`.execute(tx);
}

/** For some texts, no receipt ever arrives. */
async function loseReceipts(tx: Db, { id: runId }: Run): Promise<void> {
  const { rows } = await sql<Change>`
    SELECT id, 'accepted' AS status, NULL AS reason, NULL AS detail FROM (
      SELECT id, row_number() OVER (ORDER BY id) AS n FROM deliveries
      WHERE run_id = ${runId} AND channel = 'sms' AND status = 'delivered') d WHERE n % 11 = 4`.execute(tx);
  if (rows.length === 0) return;
  await move(tx, rows);
  await sql`UPDATE deliveries SET delivered_at = NULL WHERE run_id = ${runId} AND status = 'accepted'`.execute(
    tx,
  );
}

/** Most open an email within the hour, some in the evening. */
async function noteOpens(
  tx: Db,
  { id: runId }: Run,
  { now, opened = 0, clicked = 0 }: Reception,
): Promise<void> {
  await sql`
    WITH emails AS (
      SELECT id, delivered_at, row_number() OVER (ORDER BY id)::int AS n, count(*) OVER () AS total FROM deliveries
      WHERE run_id = ${runId} AND channel = 'email' AND status = 'delivered'
    ), shuffled AS (
      SELECT *, row_number() OVER (ORDER BY n * 7919 % 1009, n) AS place FROM emails
    ), opens AS (
      UPDATE deliveries d SET
        opened_at = least(s.delivered_at + make_interval(secs => 60 + (n * 13 % 97) ^ 2 * 1.5), ${now}::timestamptz),
        clicked_at = CASE WHEN s.place <= round(s.total * ${clicked}::float8) THEN
          least(s.delivered_at + make_interval(secs => 95 + (n * 13 % 97) ^ 2 * 1.5), ${now}::timestamptz) END
      FROM shuffled s WHERE d.id = s.id AND s.place <= round(s.total * ${opened}::float8)
      RETURNING d.clicked_at
    )
    UPDATE runs SET opened = o.opened, clicked = o.clicked
    FROM (SELECT count(*)::int AS opened, count(clicked_at)::int AS clicked FROM opens) o
    WHERE id = ${runId}`.execute(tx);
}

/** Each receipt, as a provider would have sent it. */
async function noteEvents(tx: Db, { id: runId }: Run): Promise<void> {
  await sql`
    INSERT INTO delivery_events (delivery_id, at, kind)
    SELECT d.id, e.at, e.kind FROM deliveries d
    CROSS JOIN LATERAL (VALUES (d.delivered_at, 'delivered'), (d.opened_at, 'opened'), (d.clicked_at, 'clicked')) e (at, kind)
    WHERE d.run_id = ${runId} AND d.channel <> 'push' AND d.attempts = 1 AND e.at IS NOT NULL
    ORDER BY e.at, d.id`.execute(tx);
}

async function noteReplies(tx: Db, { id: runId, at }: Run, replies: readonly string[]): Promise<void> {
  await sql`
    INSERT INTO delivery_events (delivery_id, at, kind, detail)
    SELECT d.id, ${at}::timestamptz + make_interval(mins => 4 + r.place::int * 9), 'replied', r.text
    FROM unnest(${replies}::text[]) WITH ORDINALITY r (text, place)
    JOIN (
      SELECT id, row_number() OVER (ORDER BY id) AS n FROM deliveries
      WHERE run_id = ${runId} AND channel = 'sms' AND status = 'delivered') d ON d.n = r.place * 7
    ORDER BY r.place`.execute(tx);
}

async function noteComplaint(tx: Db, { id: runId }: Run): Promise<void> {
  await sql`
    WITH of AS (
      SELECT id, channel, address, delivered_at + interval '3 hours' AS at FROM deliveries
      WHERE run_id = ${runId} AND channel = 'email' AND status = 'delivered' AND opened_at IS NULL AND sharers IS NULL
      ORDER BY id LIMIT 1
    ), said AS (
      INSERT INTO delivery_events (delivery_id, at, kind) SELECT id, at, 'complained' FROM of
    )
    INSERT INTO suppressions (channel, address, reason, kind, source, delivery_id, created_at)
    SELECT channel, address, 'Marked as spam', 'complaint', 'sandbox', id, at FROM of`.execute(tx);
}

async function finish(tx: Db, { id: runId, at }: Run, notificationId: number): Promise<void> {
  await sql`
    UPDATE runs SET state = 'finished', finished_at = (
      SELECT coalesce(max(updated_at), ${at}::timestamptz) FROM deliveries WHERE run_id = ${runId})
    WHERE id = ${runId}`.execute(tx);
  await recordStatus(tx, { id: runId, notificationId });
  await sql`
    UPDATE notifications n SET sent_time = r.created_at, updated_at = r.finished_at
    FROM runs r WHERE r.id = ${runId} AND n.id = ${notificationId}`.execute(tx);
}
