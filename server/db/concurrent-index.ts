import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";

/** The only statement of a migration: CREATE INDEX CONCURRENTLY name ON table … */
type ConcurrentIndex = {
  name: string;
  table: string;
  /** What follows the table: columns, condition. */
  definition: string;
  /** What makes the table as a whole have it, once each partition does. Takes a moment. */
  onWhole: string;
};

/** Undefined: the migration builds no index concurrently. */
export function readConcurrentIndex(statements: string): ConcurrentIndex | undefined {
  const [first = "", ...others] = statements
    .replaceAll(/^--.*$/gm, "")
    .trim()
    .split(/;\s*/)
    .filter(Boolean);
  const found = /^CREATE INDEX CONCURRENTLY (\w+) ON (\w+)\s(.+)$/s.exec(first);
  if (!found || others.length > 0) return undefined;
  const [, name = "", table = "", definition = ""] = found;
  return { name, table, definition, onWhole: `CREATE INDEX IF NOT EXISTS ${name} ON ${table} ${definition}` };
}

/**
 * Builds the index on a table, or on each partition of one, which can't be done as a whole. Neither readers nor writers
 * wait, and what a process that ended left behind is built again. Not in a transaction.
 */
export async function buildOnEachTable(db: Db, { name, table, definition }: ConcurrentIndex): Promise<void> {
  const { rows } = await sql<{ table: string; index: string; valid: boolean | null }>`
    SELECT t.table, t.index, i.indisvalid AS valid FROM (
      SELECT relname AS table, CASE WHEN relispartition THEN left(relname || '_' || ${name}, 63) ELSE ${name} END AS index
      FROM pg_class WHERE relkind = 'r' AND (oid = ${table}::regclass
        OR oid IN (SELECT relid FROM pg_partition_tree(${table}::regclass)))
    ) t LEFT JOIN pg_index i ON i.indexrelid = to_regclass(quote_ident(t.index)) ORDER BY t.table`.execute(
    db,
  );
  for (const one of rows) {
    if (one.valid) continue;
    if (one.valid === false) await sql`DROP INDEX CONCURRENTLY ${sql.id(one.index)}`.execute(db);
    await sql`CREATE INDEX CONCURRENTLY ${sql.id(one.index)} ON ${sql.id(one.table)} ${sql.raw(definition)}`.execute(
      db,
    );
  }
}
