import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { beginsWith } from "#server/db/months.ts";
import { besideOtherCauses, blockedBecause, blockedKind } from "../runs/suppressed.ts";
import { originOf, type Match, type Open } from "./match.ts";
import { retryAt, tooOld } from "./put-off.ts";

/**
 * Marks receipts as processed that were applied, or whose message is archived, and schedules the rest for retry with
 * backoff. One without a message on record is given up eventually; one with a message waits for its worker, or for the
 * worker that takes over. While a month is being archived, each one waits: the month may still be called off.
 * @param done the delivery of each receipt that was applied, by the receipt's id
 * @returns how many were for messages of archived months
 */
export async function settle(
  tx: Db,
  open: readonly Open[],
  { done, matched }: { done: ReadonlyMap<number, number>; matched: ReadonlyMap<number, Match> },
): Promise<number> {
  const rows = open.map((one) => ({
    id: one.id,
    account: one.accountId,
    delivery: done.get(one.id) ?? null,
    known: matched.has(one.id),
    what: one.receipt.what,
    address: one.receipt.address?.trim(),
    ...originOf(one),
  }));
  // One statement, so that it sees a month's archive in one state.
  const { rows: settled } = await sql<{ late: boolean }>`
    WITH reported AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS t (
        id bigint, account bigint, delivery bigint, known boolean, what text, address text, run text, month bigint)
    ), late AS MATERIALIZED (
      SELECT t.* FROM reported t JOIN archived_months m ON m.month = t.month
      WHERE NOT t.known AND m.archived_at IS NOT NULL AND m.restored_at IS NULL
    ), counted AS (
      UPDATE archived_months m SET late_receipts = m.late_receipts + l.count
      FROM (SELECT month, count(*) AS count FROM late GROUP BY month) l WHERE m.month = l.month
    ), blocked AS (
      INSERT INTO suppressions AS o (channel, address, reason, source, kind)
      SELECT DISTINCT ON (lower(l.address)) a.channel, lower(l.address), ${blockedBecause(sql`l.what`)}, a.kind,
        ${blockedKind(sql`l.what`)}
      FROM late l JOIN accounts a ON a.id = l.account
      WHERE l.what IN ('complained', 'unsubscribed') AND a.channel = 'email' AND l.address IS NOT NULL
        -- Another installation may use the same account.
        AND l.run IN (SELECT v.compiled ->> 'key' FROM runs r JOIN content_versions v ON v.id = r.content_version_id
          WHERE ${beginsWith(sql`r.id`, sql`l.month`)})
      ORDER BY lower(l.address), l.what <> 'unsubscribed', l.id
      ${besideOtherCauses}
    )
    UPDATE receipts r SET delivery_id = t.delivery, retry_at = ${retryAt},
      processed_at = CASE WHEN t.delivery IS NOT NULL OR l.id IS NOT NULL OR (NOT t.known AND ${tooOld}
        AND NOT EXISTS (SELECT FROM archived_months WHERE archived_at IS NULL)) THEN now() END
    FROM reported t LEFT JOIN late l ON l.id = t.id
    WHERE r.id = t.id
    RETURNING l.id IS NOT NULL AS late`.execute(tx);
  return settled.filter(({ late }) => late).length;
}
