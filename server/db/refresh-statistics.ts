import { sql } from "kysely";
import { transaction, type Db } from "#server/db/database.ts";
import type { Schema } from "#server/db/schema.ts";

/**
 * In a transaction that adds many rows: `refreshStatistics` sees them once it has committed. By itself, PostgreSQL counts
 * them a second or more later, and plans made until then are for a small table.
 */
export async function countRowsAtOnce(tx: Db): Promise<void> {
  await sql`SELECT pg_stat_force_next_flush()`.execute(tx);
}

/**
 * Analyzes those of these tables and partitions that have doubled in size. Autovacuum looks only once a minute, but
 * newly imported or fanned-out rows are used right away. Cheap if little has changed. `rough`: a tenth of the usual
 * sample is enough, because autovacuum soon looks at rows that keep changing.
 */
export async function refreshStatistics(
  db: Db,
  tables: readonly (keyof Schema)[],
  { rough = false } = {},
): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    SELECT s.relname AS name
    FROM pg_stat_user_tables s LEFT JOIN pg_inherits i ON i.inhrelid = s.relid
    WHERE coalesce(i.inhparent, s.relid) = ANY(${tables}::text[]::regclass[])
      AND s.n_mod_since_analyze > 1000 + s.n_live_tup / 2`.execute(db);
  // Another process may already be doing it.
  for (const { name } of rows) {
    await transaction(db, async (tx) => {
      if (rough) await sql`SET LOCAL default_statistics_target = 10`.execute(tx);
      await sql`ANALYZE (SKIP_LOCKED) ${sql.table(name)}`.execute(tx);
    });
  }
}

/**
 * Analyzes partitioned tables as a whole, once a day: autovacuum only looks at their partitions, and joins of them would
 * be planned without statistics. Before PostgreSQL 18 this would read every partition, so there we don't.
 */
export async function refreshWholes(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_class c JOIN pg_stat_user_tables s ON s.relid = c.oid
    WHERE c.relkind = 'p' AND coalesce(s.last_analyze < now() - interval '1 day', true)
      AND current_setting('server_version_num')::int >= 180000`.execute(db);
  for (const { name } of rows) await sql`ANALYZE (SKIP_LOCKED) ONLY ${sql.table(name)}`.execute(db);
}
