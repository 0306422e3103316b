import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { holdUntilCommit } from "#server/db/advisory-locks.ts";
import { type Db, isDeadlock, isLockRefusal } from "#server/db/database.ts";

const ownFolder = new URL("./migrations/", import.meta.url);

/** Older processes wait behind a migration that waits for a table. Longer than a vacuum takes to make way (1 s). */
const LOCK_WAIT = "2s";
const TRIES = 60;
const PAUSE_MS = 500;

/** This build can't work with the database's schema, or can't bring it forward; the message says what to do. */
export class SchemaError extends Error {
  override name = "SchemaError";
}

/**
 * Brings the schema forward to this build while older processes keep working
 * (`docs/decisions/0054-rolling-upgrades.md`). Each migration is a transaction of its own under an advisory lock, so
 * that several processes may start at once. One that can't get a table's lock soon gives way and tries again.
 *
 * @param folder URL of the migrations, with a slash at the end
 * @returns the names of what it applied
 * @throws {SchemaError} a newer build has taken away what this one needs; a table stays locked for too long
 */
export async function migrate(db: Db, folder = ownFolder): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  const applied: string[] = [];
  for (;;) {
    const name = await withPatience(() => applyNext(db, folder, names));
    if (name === undefined) return applied;
    applied.push(name);
  }
}

/** Applies the first one that is missing. Undefined if none is. */
function applyNext(db: Db, folder: URL, names: readonly string[]): Promise<string | undefined> {
  return db.transaction().execute(async (tx) => {
    await holdUntilCommit(tx, "migrations");
    await sql`CREATE TABLE IF NOT EXISTS migrations (
      name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now(), needs text)`.execute(tx);
    const { rows } = await sql<{ name: string; needs: string | null }>`
      SELECT name, to_jsonb(migrations) ->> 'needs' AS needs FROM migrations ORDER BY name`.execute(tx);
    refuseNewer(rows, names);
    const done = new Set(rows.map(({ name }) => name));
    const next = names.find((name) => !done.has(name));
    if (next === undefined) return undefined;
    const statements = await readFile(new URL(next, folder), "utf8");
    await sql`SELECT set_config('lock_timeout', ${LOCK_WAIT}, true)`.execute(tx);
    // Databases that were made before this column existed.
    await sql`ALTER TABLE migrations ADD COLUMN IF NOT EXISTS needs text`.execute(tx);
    await sql.raw(statements).execute(tx);
    await sql`INSERT INTO migrations (name, needs) VALUES (${next}, ${neededBy(statements)})`.execute(tx);
    return next;
  });
}

/** The migration whose build is the oldest that still works after this one: its first line says "-- needs NAME.sql". */
export function neededBy(statements: string): string | null {
  return /^-- needs (\S+\.sql)$/m.exec(statements)?.[1] ?? null;
}

/** What a newer build added is in nobody's way. What it took away says which build it needs. */
function refuseNewer(applied: readonly { name: string; needs: string | null }[], names: readonly string[]) {
  const newer = applied.filter(({ needs }) => needs !== null && !names.includes(needs));
  if (newer.length === 0) return;
  throw new SchemaError(
    `The database is used by a newer Porchlight (it has ${newer.map(({ name }) => name).join(", ")}). ` +
      "Start that version, or restore a backup.",
  );
}

/** So that those who hold the table can finish. */
async function withPatience<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isLockRefusal(error) && !isDeadlock(error)) throw error;
      if (tries === TRIES) {
        throw new SchemaError(
          "The database schema could not be migrated, because another program keeps a table locked " +
            `(${(error as Error).message}). End its transaction, then start again.`,
        );
      }
      await sleep(PAUSE_MS);
    }
  }
}
