import { readdir, readFile } from "node:fs/promises";
import { sql } from "kysely";
import { holdUntilCommit } from "#server/db/advisory-locks.ts";
import type { Db } from "#server/db/database.ts";

const folder = new URL("./migrations/", import.meta.url);

/** The database was made by a newer build. */
export class SchemaError extends Error {
  override name = "SchemaError";
}

/** The names of the migrations that this build knows, in order. */
async function known(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
}

/**
 * Brings the schema forward to this build, under an advisory lock, all in one transaction.
 * Returns the names of what it applied. Throws when the database has migrations that this build
 * does not know: an older build must not serve a newer schema.
 */
export async function migrate(db: Db): Promise<string[]> {
  const names = await known();
  return db.transaction().execute(async (tx) => {
    await holdUntilCommit(tx, "migrations");
    await sql`CREATE TABLE IF NOT EXISTS migrations (
      name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`.execute(tx);
    const done = await sql<{ name: string }>`SELECT name FROM migrations ORDER BY name`.execute(tx);
    const applied = new Set(done.rows.map((row) => row.name));
    const unknown = [...applied].filter((name) => !names.includes(name));
    if (unknown.length > 0) {
      throw new SchemaError(
        `The database was created by a newer Porchlight (it has ${unknown.join(", ")}). Start that version, or restore a backup.`,
      );
    }
    const missing = names.filter((name) => !applied.has(name));
    for (const name of missing) {
      await sql.raw(await readFile(new URL(name, folder), "utf8")).execute(tx);
      await sql`INSERT INTO migrations (name) VALUES (${name})`.execute(tx);
    }
    return missing;
  });
}
