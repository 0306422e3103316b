import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";

/**
 * Every advisory lock of the database, so that no two share a number by accident. Any number will do, but it never
 * changes: builds of two versions may meet on one database.
 */
const numbers = {
  migrations: 7_462_013,
  /** Who registers: two at once on an empty system would both become the administrator. */
  registration: 7_462_014,
  /** Two who make the groups of properties at once would both miss one and both make it. */
  ruleGroups: 7_462_021,
  people: 7_462_022,
} as const;

/** Waits for its turn at one of them, and keeps it until the transaction ends. */
export async function holdUntilCommit(tx: Db, lock: keyof typeof numbers): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${numbers[lock]})`.execute(tx);
}
