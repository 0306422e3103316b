import { access, constants, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql, type RawBuilder } from "kysely";
import { monthName } from "#server/db/archived-months.ts";
import type { Db } from "#server/db/database.ts";
import { beginsWith } from "#server/db/months.ts";
import { nothingOutstanding } from "../runs/finish-runs.ts";
import { MANIFEST, putAside, refuseFolder } from "./month-files.ts";

/** A month that someone brought back stays this long. A message that someone retried, too, for its receipts. */
const STAYS = sql`interval '30 days'`;

/** Something of the month in this SQL expression is still to be sent, or in doubt. */
export const isOpen = (month: RawBuilder<unknown>) => {
  const ofMonth = beginsWith(sql`r.id`, month);
  return sql`(EXISTS (SELECT FROM runs r WHERE ${ofMonth}
      AND (r.state IN ('fanning-out', 'sending') OR NOT ${nothingOutstanding}))
    OR EXISTS (SELECT FROM resends s JOIN runs r ON r.id = s.run_id WHERE ${ofMonth} AND s.finished_at IS NULL))`;
};

/** Once this commits, no one can retry the month's messages, so nothing of it becomes due again. */
export async function beginMonth(db: Db, folder: string, keepMonths: number): Promise<number | null> {
  // While there is no place for the files, everything stays where it is.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await access(folder, constants.W_OK);
  return db.transaction().execute(async (tx) => {
    // A retry under way finishes first, and a later one finds the month begun.
    await sql`LOCK TABLE resends IN SHARE MODE`.execute(tx);
    const ofMonth = (id: RawBuilder<unknown>) => beginsWith(id, sql`m.month`);
    const { rows } = await sql<{ month: number; restored: string | null }>`
      WITH months AS (
        SELECT substr(c.relname, length('deliveries_') + 1)::bigint AS month
        FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'deliveries'::regclass
      )
      SELECT m.month, a.manifest AS restored FROM months m LEFT JOIN archived_months a ON a.month = m.month
      -- Month 0 has the runs from before months were kept apart.
      WHERE CASE m.month WHEN 0 THEN (SELECT month_of(max(r.created_at)) FROM runs r WHERE ${ofMonth(sql`r.id`)})
          ELSE m.month END < month_of(now() - make_interval(months => ${keepMonths}))
        AND (a.month IS NULL OR a.restored_at < now() - ${STAYS})
        AND NOT ${isOpen(sql`m.month`)}
        AND NOT EXISTS (SELECT FROM runs r WHERE ${ofMonth(sql`r.id`)} AND r.finished_at > now() - ${STAYS})
        -- Someone may still have to read it.
        AND NOT EXISTS (SELECT FROM delivery_events e
          WHERE e.kind = 'replied' AND ${ofMonth(sql`e.delivery_id`)} AND e.at > now() - ${STAYS})
        -- Its removal has to know who got what.
        AND NOT EXISTS (SELECT FROM sample_rows)
      ORDER BY m.month`.execute(tx);
    let refused: unknown;
    for (const { month, restored } of rows) {
      const target = join(folder, monthName(month));
      const manifest = await readFile(join(target, MANIFEST), "utf8").catch(() => undefined);
      // The process that brought it back was killed before it could do this.
      if (restored !== null && manifest === restored) await putAside(target);
      const refusal = await refuseFolder(target).catch((error: unknown) => ({ error }));
      refused ??= refusal?.error;
      // The others need not wait for it.
      if (refusal) continue;
      await sql`
        INSERT INTO archived_months (month) VALUES (${month}::bigint)
        ON CONFLICT (month) DO UPDATE SET begun_at = now(), manifest = NULL, archived_at = NULL, restored_at = NULL`.execute(
        tx,
      );
      return month;
    }
    if (refused) throw refused;
    return null;
  });
}
