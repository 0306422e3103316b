import { sql } from "kysely";
import { imbalance } from "#server/delivery/testing/run-totals.ts";
import type { World } from "./world.ts";

/** What the provider has accepted, beside what is on record. */
export type Ledger = {
  /** Messages that the provider accepted. */
  accepted: number;
  /** Deliveries recorded as accepted. */
  recorded: number;
  /** Recorded as accepted but not received, or never decided. */
  lost: number;
  /** People of a run without a row. */
  missing: number;
  /** Received, although no row asks for it. */
  stray: number;
  /** Received, and recorded as neither accepted nor unconfirmed. */
  denied: number;
  /** Given up for good, although the provider neither received nor refused it. */
  unsent: number;
  /** Given up as unconfirmed. */
  unconfirmed: number;
  /** Refused by the provider for good. */
  refused: number;
  cancelled: number;
  /** Messages received more than once; `at most`: how many that may be. */
  twice: number;
  "at most": number;
  /** Received more than once, without an attempt that is shown as unconfirmed. */
  hidden: number;
  /** Addresses that are blocked, although the provider has not refused them. */
  suppressed: number;
  /** Counters that differ from a recount. */
  miscounted: number;
};

type Row = { message: string; status: string; reason: string | null; doubts: number };

export async function takeLedger(world: World): Promise<Ledger> {
  const { db, provider, exposed } = world;
  const { rows } = await sql<Row>`
    SELECT concat(d.address, ' ', substring(n.content FROM 'message \\d+')) AS message, d.status, d.reason,
      coalesce(a.doubts, 0)::int AS doubts
    FROM deliveries d JOIN runs r ON r.id = d.run_id JOIN notifications n ON n.id = r.notification_id
    LEFT JOIN (SELECT delivery_id, count(*) AS doubts FROM attempts WHERE outcome = 'uncertain' GROUP BY 1) a
      ON a.delivery_id = d.id`.execute(db);
  const arrivals = new Map<string, number>();
  for (const { to, text } of provider.arrived) {
    const message = `${to} ${/message \d+/.exec(text)?.[0]}`;
    arrivals.set(message, (arrivals.get(message) ?? 0) + 1);
  }
  const copiesOf = ({ message }: Row) => arrivals.get(message) ?? 0;
  const count = (is: (row: Row) => boolean) => rows.filter(is).length;
  const isRecorded = ({ status }: Row) => status === "accepted" || status === "delivered";
  const isGivenUp = ({ status }: Row) => ["failed", "bounced", "expired"].includes(status);
  const isUnconfirmed = (row: Row) => isGivenUp(row) && row.reason === "unconfirmed";
  const isRefused = ({ message }: Row) => provider.refused.has(message.slice(0, message.indexOf(" ")));
  const isDecided = (row: Row) =>
    isRecorded(row) || isGivenUp(row) || ["cancelled", "skipped"].includes(row.status);
  const known = new Set(rows.map(({ message }) => message));
  const { missing } = await world.ask(sql<{ missing: number }>`
    SELECT coalesce(sum(greatest(0, expected - found)), 0)::int AS missing FROM (
      SELECT (SELECT count(*) FROM deliveries d WHERE d.run_id = r.id) AS found,
        CASE WHEN r.audience @> '[{"type": "group"}]' THEN (SELECT count(*) FROM users) ELSE 1 END AS expected
      FROM runs r WHERE r.state <> 'cancelled') r`);
  const suppressed = await sql<{ address: string }>`SELECT address FROM suppressions`.execute(db);
  return {
    accepted: provider.arrived.length,
    recorded: count(isRecorded),
    lost: count((row) => (isRecorded(row) && copiesOf(row) === 0) || !isDecided(row)),
    missing,
    stray:
      provider.arrived.length - [...known].reduce((sum, message) => sum + (arrivals.get(message) ?? 0), 0),
    denied: count((row) => copiesOf(row) > 0 && !isRecorded(row) && !isUnconfirmed(row)),
    unsent: count((row) => isGivenUp(row) && copiesOf(row) === 0 && !isUnconfirmed(row) && !isRefused(row)),
    unconfirmed: count(isUnconfirmed),
    refused: count((row) => isGivenUp(row) && isRefused(row)),
    cancelled: count(({ status }) => status === "cancelled"),
    twice: rows.reduce((sum, row) => sum + Math.max(0, copiesOf(row) - 1), 0),
    // On a busy machine an answer may take longer than a process waits for it: one second.
    "at most": isBlind(provider.kind) ? Math.max(exposed + provider.unanswered, provider.brokenOff()) : 0,
    hidden: count((row) => copiesOf(row) > 1 && row.doubts === 0),
    suppressed: suppressed.rows.filter(({ address }) => !provider.refused.has(address)).length,
    miscounted: (await imbalance(db)).length,
  };
}

const isBlind = (kind: World["provider"]["kind"]) => kind === "smtp" || kind === "sendgrid";

/** Which promises were broken, in words. */
export function brokenPromises(ledger: Ledger): string[] {
  const broken = (
    ["lost", "missing", "stray", "denied", "unsent", "hidden", "suppressed", "miscounted"] as const
  ).filter((what) => ledger[what] > 0);
  return [
    ...broken.map((what) => `${ledger[what]} ${what}`),
    ...(ledger.twice > ledger["at most"] ? [`${ledger.twice} twice`] : []),
    ...(ledger.unconfirmed > ledger["at most"] ? [`${ledger.unconfirmed} unconfirmed`] : []),
  ];
}
