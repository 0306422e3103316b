import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import type { Schema } from "#server/db/schema.ts";

/**
 * Counts again, for the planner, those of these tables that have doubled since they were counted last: autovacuum
 * looks only once a minute, and what was imported or spread a moment ago is used at once. Cheap where little changed.
 */
export async function refreshStatistics(db: Db, tables: readonly (keyof Schema)[]): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_stat_user_tables
    WHERE relname = ANY(${tables}::text[]) AND n_mod_since_analyze > 1000 + n_live_tup / 2`.execute(db);
  // Someone else may be at it already.
  for (const { name } of rows) await sql`ANALYZE (SKIP_LOCKED) ${sql.table(name)}`.execute(db);
}
