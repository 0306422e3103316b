import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";

/**
 * Every advisory lock in the database, listed here so that no two share a number. A number must never change: two
 * versions may run on one database.
 */
const numbers = {
  migrations: 7_462_013,
  /** Registration: two people registering at once on an empty system would both become the administrator. */
  registration: 7_462_014,
  /** Syncing property groups: two at once would both find a group missing and both create it. */
  ruleGroups: 7_462_021,
  people: 7_462_022,
  /** Saving settings: each save records what was there before. */
  settings: 7_462_035,
  receipts: 7_462_038,
  incomingTexts: 7_462_039,
  /** Loading and removing the sample property. */
  sample: 7_462_048,
  /** Archiving a month, and bringing one back. */
  archive: 7_462_057,
  /** Adding places, and moving people: two at once would both add the same home. Taken after `people` and `ruleGroups`. */
  places: 7_462_190,
} as const;

/** Waits for one of these locks and holds it until the transaction ends. */
export async function holdUntilCommit(tx: Db, lock: keyof typeof numbers): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${numbers[lock]})`.execute(tx);
}

/** Takes one of these locks until the transaction ends, unless someone else has it. */
export async function tryUntilCommit(tx: Db, lock: keyof typeof numbers): Promise<boolean> {
  const { rows } = await sql<{
    ours: boolean;
  }>`SELECT pg_try_advisory_xact_lock(${numbers[lock]}) AS ours`.execute(tx);
  return rows[0]!.ours;
}

/** Takes one of these locks for this one connection until `release`, unless someone else has it. */
export async function tryHold(connection: Db, lock: keyof typeof numbers): Promise<boolean> {
  const { rows } = await sql<{
    ours: boolean;
  }>`SELECT pg_try_advisory_lock(${numbers[lock]}) AS ours`.execute(connection);
  return rows[0]!.ours;
}

/** A connection that broke has released it already. */
export async function release(connection: Db, lock: keyof typeof numbers): Promise<void> {
  await sql`SELECT pg_advisory_unlock(${numbers[lock]})`.execute(connection).catch(() => undefined);
}

/**
 * Runs `work` on one connection that holds this lock, also between transactions; undefined if someone else has it. If
 * the connection breaks, so does the work, before anyone else gets the lock.
 */
export function whileHolding<T>(
  db: Db,
  lock: keyof typeof numbers,
  work: (connection: Db) => Promise<T>,
): Promise<T | undefined> {
  return db.connection().execute(async (connection) => {
    if (!(await tryHold(connection, lock))) return undefined;
    try {
      return await work(connection);
    } finally {
      await release(connection, lock);
    }
  });
}
