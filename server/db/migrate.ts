import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { release, tryHold } from "#server/db/advisory-locks.ts";
import { buildOnEachTable, readConcurrentIndex } from "#server/db/concurrent-index.ts";
import { type Db, isDeadlock, isLockRefusal } from "#server/db/database.ts";

const ownFolder = new URL("./migrations/", import.meta.url);

/** Older processes wait behind a migration that waits for a table. Longer than a vacuum takes to make way (1 s). */
const LOCK_WAIT = "2s";
/** In milliseconds. It doubles, so that a migration that waits for a long dump blocks others less and less. */
const PAUSE = { first: 100, usual: 1000, longest: 30_000 };

/** This build can't work with the database's schema; the message says what to do. */
export class SchemaError extends Error {
  override name = "SchemaError";
}

/** PostgreSQL's insufficient_privilege. */
const NOT_ALLOWED = "42501";

type MigrateOptions = {
  /** URL of the migrations, with a slash at the end. */
  folder?: URL;
  /** Called with a sentence about each change of people's data that a migration made. */
  onChange?: (sentence: string) => void;
  /** Called with a sentence each time it waits for more than a moment. */
  onWait?: (reason: string) => void;
  /** Ends the wait with an AbortError. */
  signal?: AbortSignal;
};

/**
 * A migration that SQL can't express. `default`: in its own transaction, like the others; returns sentences for `onChange`.
 * `inSteps`: before that, each statement commits, so that no one waits for all of it. If it is interrupted, it runs again.
 */
type Program = { default?: (tx: Db) => Promise<string[]>; inSteps?: (db: Db) => Promise<void> };

type Step =
  | { applied: string; changes: string[] }
  | { waits: "for another process" | "for a table" }
  | "done";

/**
 * Brings the schema forward to this build while older processes keep working
 * (`docs/decisions/0054-rolling-upgrades.md`). One process at a time migrates. Each migration is a transaction of its
 * own, after an index that is built concurrently. One that can't get a table's lock soon gives way and tries again,
 * for as long as it takes.
 *
 * @returns the names of what it applied
 * @throws {SchemaError} a newer build has taken away what this one needs, or the user doesn't own the database
 */
export async function migrate(
  db: Db,
  { folder = ownFolder, onChange, onWait, signal }: MigrateOptions = {},
): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => /\.(sql|ts)$/.test(name)).sort();
  const applied: string[] = [];
  for (let pause = PAUSE.first; ;) {
    const step = await db.connection().execute((one) => tryNext(one, folder, names));
    if (step === "done") return applied;
    if ("applied" in step) {
      applied.push(step.applied);
      for (const change of step.changes) onChange?.(change);
      pause = PAUSE.first;
      continue;
    }
    // Processes that start together wait for each other for a moment.
    if (step.waits === "for a table" || pause > PAUSE.usual) onWait?.(await reasonFor(db, step.waits));
    await sleep(pause, undefined, { signal });
    pause = Math.min(pause * 2, PAUSE.longest);
  }
}

/** Applies the first one that is missing, over one connection. */
async function tryNext(db: Db, folder: URL, names: readonly string[]): Promise<Step> {
  // Not waited for in a statement: an index that is built concurrently would wait for that statement's end.
  if (!(await tryHold(db, "migrations"))) return { waits: "for another process" };
  try {
    return await applyNext(db, folder, names);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === NOT_ALLOWED) throw await notTheOwner(db, error as Error);
    if (!isLockRefusal(error) && !isDeadlock(error)) throw error;
    return { waits: "for a table" };
  } finally {
    await release(db, "migrations");
  }
}

/** Since PostgreSQL 15, only the owner of a database may create tables in it. After a restore, tables may have another. */
async function notTheOwner(db: Db, { message }: Error): Promise<SchemaError> {
  const { rows } = await sql<{ owns: boolean; user: string; fix: string }>`
    SELECT pg_has_role(datdba, 'USAGE') AS owns, current_user AS user,
      format('ALTER DATABASE %I OWNER TO %I', datname, current_user) AS fix
    FROM pg_database WHERE datname = current_database()`.execute(db);
  const { owns, user, fix } = rows[0]!;
  const what = owns
    ? `Porchlight's user ${user} has to own its tables, too.`
    : `Porchlight's user has to own it: ${fix}`;
  return new SchemaError(`The database can't be set up: ${message}. ${what}`);
}

async function applyNext(db: Db, folder: URL, names: readonly string[]): Promise<Step> {
  await sql`CREATE TABLE IF NOT EXISTS migrations (
    name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now(), needs text)`.execute(db);
  const { rows } = await sql<{ name: string; needs: string | null }>`
    SELECT name, to_jsonb(migrations) ->> 'needs' AS needs FROM migrations ORDER BY name`.execute(db);
  refuseNewer(rows, names);
  const done = new Set(rows.map(({ name }) => name));
  const next = names.find((name) => !done.has(name));
  if (next === undefined) return "done";
  const file = new URL(next, folder);
  if (next.endsWith(".ts")) {
    const { default: run = async () => [], inSteps } = (await import(file.href)) as Program;
    await inSteps?.(db);
    return { applied: next, changes: await applied(db, { name: next, needs: null }, run) };
  }
  const statements = await readFile(file, "utf8");
  const index = readConcurrentIndex(statements);
  if (index) await buildOnEachTable(db, index);
  await applied(db, { name: next, needs: neededBy(statements) }, (tx) =>
    sql.raw(index ? index.onWhole : statements).execute(tx),
  );
  return { applied: next, changes: [] };
}

/** Runs a migration and records it, both or neither. */
function applied<T>(
  db: Db,
  { name, needs }: { name: string; needs: string | null },
  run: (tx: Db) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`SELECT set_config('lock_timeout', ${LOCK_WAIT}, true)`.execute(tx);
    // Databases that were made before this column existed.
    await sql`ALTER TABLE migrations ADD COLUMN IF NOT EXISTS needs text`.execute(tx);
    const result = await run(tx);
    await sql`INSERT INTO migrations (name, needs) VALUES (${name}, ${needs})`.execute(tx);
    return result;
  });
}

/** The migration whose build is the oldest that still works after this one: its first line says "-- needs NAME.sql". */
export function neededBy(statements: string): string | null {
  return /^-- needs (\S+\.sql)$/m.exec(statements)?.[1] ?? null;
}

/** What a newer build added does no harm. A migration that took something away names the build that it needs. */
function refuseNewer(applied: readonly { name: string; needs: string | null }[], names: readonly string[]) {
  const newer = applied.filter(({ needs }) => needs !== null && !names.includes(needs));
  if (newer.length === 0) return;
  throw new SchemaError(
    `The database is used by a newer Porchlight (it has ${newer.map(({ name }) => name).join(", ")}). ` +
      "Start that version, or restore a backup.",
  );
}

/** Of a table: the program whose transaction has been open the longest, which is usually the one that blocks it. */
async function reasonFor(db: Db, waits: "for another process" | "for a table"): Promise<string> {
  if (waits === "for another process") return "Another process is migrating the database. Waiting for it.";
  const { rows } = await sql<{ pid: number; name: string; seconds: number }>`
    SELECT pid, coalesce(nullif(application_name, ''), 'without a name') AS name,
      extract(epoch FROM now() - xact_start)::int AS seconds
    FROM pg_stat_activity WHERE datname = current_database() AND xact_start < now() - interval '1 second'
      AND pid <> pg_backend_pid()
    ORDER BY xact_start LIMIT 1`.execute(db);
  const found = rows.map(
    ({ pid, name, seconds }) =>
      `The oldest transaction is ${seconds} seconds old (process ${pid} of the server, ${name}).`,
  );
  const said = ["The database needs to be migrated, but another program has locked a table.", ...found];
  return [...said, "Trying again until it is free."].join(" ");
}
