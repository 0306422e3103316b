import { sql } from "kysely";
import { settingTable } from "#contract/calls/settings.ts";
import type { Db } from "#server/db/database.ts";

/** The organization's time zone, and the database's time. */
export type Clock = { zone: string; now: Date };

export async function readClock(db: Db): Promise<Clock> {
  const { rows } = await sql<Clock>`
    SELECT coalesce((SELECT value FROM settings WHERE key = 'timezone'), ${settingTable.timezone.default}) AS zone,
      now() AS now`.execute(db);
  return rows[0]!;
}
