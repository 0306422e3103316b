import { sql, type RawBuilder } from "kysely";
import type { Db } from "#server/db/database.ts";
import { IDS_PER_MONTH, inMonthsOf } from "#server/db/months.ts";
import type { Receipt } from "../transports/webhook.ts";

/** A receipt that has not been applied. */
export type Open = { id: number; accountId: number; receipt: Receipt };

/** `round`: how often someone had retried the message; null: matched by message id, which is the latest one. */
export type Match = { deliveryId: number; runId: number; round: number | null };

/**
 * Finds the delivery for each receipt, keyed by the receipt's id: by its reference, which is unique across installations,
 * or without one by message id within the account, if exactly one delivery has it.
 */
export async function matchReceipts(db: Db, open: readonly Open[]): Promise<Map<number, Match>> {
  const { rows } = await matching(open).execute(db);
  return new Map(rows.map(({ receipt, ...match }) => [receipt, match]));
}

export function matching(open: readonly Open[]): RawBuilder<{ receipt: number } & Match> {
  const named = open.map(({ id, accountId, receipt: { reference, messageId } }) => ({
    id,
    account: accountId,
    ...(reference === undefined ? { message: messageId } : partsOf(reference)),
  }));
  const referred = named.flatMap((one) =>
    "delivery" in one && one.delivery !== undefined ? [one.delivery] : [],
  );
  return sql<{ receipt: number } & Match>`
    WITH named AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(named)}::jsonb) AS t (
        id bigint, account bigint, message text, run text, delivery bigint, round int)
    ), referred AS MATERIALIZED (
      SELECT t.id AS receipt, t.run, t.round, d.id, d.run_id
      FROM named t JOIN accounts a ON a.id = t.account
        JOIN deliveries d ON ${inMonthsOf(sql`d.run_id`, referred)} AND d.id = t.delivery AND d.channel = a.channel
    ), keys AS MATERIALIZED (
      SELECT r.id, v.compiled ->> 'key' AS key FROM runs r JOIN content_versions v ON v.id = r.content_version_id
      WHERE r.id IN (SELECT run_id FROM referred)
    )
    SELECT f.receipt, f.id AS "deliveryId", f.run_id AS "runId", f.round
    FROM referred f JOIN keys k ON k.id = f.run_id AND k.key = f.run
    UNION ALL
    SELECT t.id, d.id, d.run_id, NULL
    FROM named t CROSS JOIN LATERAL (
      SELECT min(d.id) AS id, min(d.run_id) AS run_id FROM deliveries d
      WHERE d.account_id = t.account AND d.provider_message_id = t.message HAVING count(*) = 1
    ) d
    WHERE t.message IS NOT NULL`;
}

/** The run's key and the month of a receipt's message, by its reference; nothing if it has none that says so. */
export function originOf({ receipt: { reference } }: Open): { run?: string; month?: number } {
  const { run, delivery } = partsOf(reference);
  if (run === undefined || delivery === undefined) return {};
  return { run, month: Math.floor(delivery / IDS_PER_MONTH) };
}

/** Parses a `referenceOf`. Anything else gives no parts and matches nothing. */
export function partsOf(reference = ""): { run?: string; delivery?: number; round?: number } {
  const [, run, delivery, round = "0"] = /^(.+)-(\d{1,15})(?:r(\d{1,4}))?$/.exec(reference) ?? [];
  return run === undefined ? {} : { run, delivery: Number(delivery), round: Number(round) };
}
