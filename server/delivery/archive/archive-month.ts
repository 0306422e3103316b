import { readdir, readFile, rename, rm } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { sql } from "kysely";
import { monthText } from "#contract/calls/archive.ts";
import { holdUntilCommit, whileHolding } from "#server/db/advisory-locks.ts";
import { monthName } from "#server/db/archived-months.ts";
import type { Db } from "#server/db/database.ts";
import { beginMonth, isOpen } from "./begin-month.ts";
import { emptyValuesOf } from "./empty-values.ts";
import {
  exists,
  parseManifest,
  problemsOf,
  refuseFolder,
  sha256Of,
  syncFolder,
  writeMonth,
} from "./month-files.ts";
import { earlierOf, monthTables, partitioned, rowsOf, tableOf } from "./month-tables.ts";

type ArchiveOptions = {
  /** Absolute path; created when it is needed. Undefined: no one has said where files are safe. */
  folder: string | undefined;
  /** How many whole months before this one stay in the database; 0: all. */
  keepMonths: number;
  signal?: AbortSignal;
};

const packageFile = new URL("../../../package.json", import.meta.url);

/**
 * Moves the oldest month that may go from the database to files, or finishes one that was begun. It can be killed
 * anywhere: each step sees from the database and the folder what is left to do. Only one process at a time does this.
 * @param db without a time limit for answers: a large month takes minutes
 * @returns the month, like 202503; null if there is nothing to do, or another process is at it
 * @throws the files can't be written, or aren't what was written; the rows are still in the database
 */
export async function archiveNext(
  db: Db,
  { folder, keepMonths, signal }: ArchiveOptions,
): Promise<number | null> {
  const done = await whileHolding(db, "archive", async (one) => {
    const begun = await readBegun(one);
    if (keepMonths === 0) {
      if (begun !== null) await callOff(one, begun);
      return null;
    }
    if (folder === undefined) {
      throw new Error(
        "Set PORCHLIGHT_ARCHIVE to a folder that outlives this process: old months stay in the database until then",
      );
    }
    const month = begun ?? (await beginMonth(one, folder, keepMonths));
    return month !== null && (await archive(one, month, { folder, signal })) ? month : null;
  });
  return done ?? null;
}

async function readBegun(db: Db): Promise<number | null> {
  const { rows } = await sql<{ month: number }>`
    SELECT month FROM archived_months WHERE archived_at IS NULL ORDER BY month LIMIT 1`.execute(db);
  return rows[0]?.month ?? null;
}

type Place = { folder: string; signal: AbortSignal | undefined };

/** @returns false: the month is called off, because something of it is to be sent again */
async function archive(db: Db, month: number, { folder, signal }: Place): Promise<boolean> {
  for (const table of partitioned) {
    signal?.throwIfAborted();
    await detach(db, table, month);
  }
  // A process of an older build, beside this one, doesn't know that the month is begun.
  const { rows } = await sql`SELECT WHERE ${isOpen(sql`${month}::bigint`)}`.execute(db);
  if (rows.length > 0) {
    await callOff(db, month);
    return false;
  }
  const target = join(folder, monthName(month));
  const { manifest: recorded } = await readMonth(db, month);
  if (recorded === null) await refuseFolder(target);
  // If the files were never moved into place, they are written again.
  const manifest =
    recorded !== null && (await exists(target))
      ? recorded
      : await write(db, month, { folder, target, signal });
  const problems = await problemsOf(target, manifest);
  if (problems.length > 0) {
    throw new Error(
      `${problems.join(" ")} Move ${target} away so that it can be written again. Nothing is lost.`,
    );
  }
  signal?.throwIfAborted();
  // Here and not where they are renamed, because a process may be killed in between.
  for (const one of [target, folder, dirname(folder)]) await syncFolder(one);
  await drop(db, month, manifest);
  return true;
}

/** The month is as it was before archiving began. */
async function callOff(db: Db, month: number): Promise<void> {
  for (const table of partitioned) {
    if ((await attachedAs(db, tableOf(table, month))) === "leaving") await detach(db, table, month);
  }
  await db.transaction().execute(async (tx) => {
    for (const table of partitioned) {
      const partition = tableOf(table, month);
      if ((await attachedAs(tx, partition)) === "not") {
        await sql`SELECT attach_month(${table}, ${month}::bigint) WHERE to_regclass(${partition}) IS NOT NULL`.execute(
          tx,
        );
      }
    }
    // Otherwise one under way could take its message for one that was never there.
    await holdUntilCommit(tx, "receipts");
    await sql`DELETE FROM archived_months WHERE month = ${month}`.execute(tx);
  });
}

async function readMonth(db: Db, month: number): Promise<{ manifest: string | null }> {
  const found = db.selectFrom("archived_months").select("manifest").where("month", "=", month);
  return found.executeTakeFirstOrThrow();
}

/** Whether this table is a partition. "leaving": taking it out was interrupted. */
async function attachedAs(db: Db, partition: string): Promise<"partition" | "leaving" | "not"> {
  const { rows } = await sql<{ leaving: boolean }>`
    SELECT inhdetachpending AS leaving FROM pg_inherits WHERE inhrelid = to_regclass(${partition})`.execute(
    db,
  );
  if (!rows[0]) return "not";
  return rows[0].leaving ? "leaving" : "partition";
}

/** A reader such as a backup may take hours. Waiting for one must not hold up a stop, and is repeated later. */
const PATIENCE = sql.lit("20s");

/**
 * Takes a partition out. Holds up neither readers nor writers, and waits for those who may still see it, so that
 * afterwards no one writes to it anymore.
 */
async function detach(db: Db, table: (typeof partitioned)[number], month: number): Promise<void> {
  const partition = tableOf(table, month);
  const attached = await attachedAs(db, partition);
  if (attached === "not") return;
  const how = attached === "leaving" ? sql`FINALIZE` : sql`CONCURRENTLY`;
  // Not SET LOCAL, because DETACH can't run in a transaction.
  await sql`SET statement_timeout = ${PATIENCE}`.execute(db);
  try {
    await sql`ALTER TABLE ${sql.table(table)} DETACH PARTITION ${sql.table(partition)} ${how}`.execute(db);
  } finally {
    await sql`RESET statement_timeout`.execute(db).catch(() => undefined);
  }
}

/** Writes the files beside their place and records their manifest before they get there: what is in place is on record. */
async function write(
  db: Db,
  month: number,
  { folder, target, signal }: Place & { target: string },
): Promise<string> {
  const draft = `.${monthName(month)}.`;
  // Of processes that were killed.
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.startsWith(draft)) await rm(join(folder, name), { recursive: true });
  }
  const beside = join(folder, `${draft}${randomBytes(4).toString("hex")}`);
  const newest = await sql<{ name: string }>`SELECT max(name) AS name FROM migrations`.execute(db);
  const tables = await Promise.all(monthTables.map((table) => rowsOf(db, table, month, signal)));
  const manifest = await writeMonth(beside, tables, {
    month: monthName(month),
    createdAt: new Date().toISOString(),
    schema: newest.rows[0]!.name,
    build: (JSON.parse(await readFile(packageFile, "utf8")) as { version: string }).version,
  }).catch(async (error: unknown) => {
    // The disk may be full, and the database may be on it.
    await rm(beside, { recursive: true, force: true });
    throw error;
  });
  await sql`UPDATE archived_months SET manifest = ${manifest} WHERE month = ${month}`.execute(db);
  await rename(beside, target);
  return manifest;
}

/** Once this commits, only the files have the rows. */
async function drop(db: Db, month: number, manifest: string): Promise<void> {
  const { files } = parseManifest(manifest);
  await db.transaction().execute(async (tx) => {
    await sql`SET LOCAL lock_timeout = ${PATIENCE}`.execute(tx);
    for (const table of partitioned) {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*) AS count FROM ${sql.table(tableOf(table, month))}`.execute(tx);
      const written = files.find((file) => file.table === table)?.rows;
      if (rows[0]!.count !== written)
        throw new Error(`The number of rows in ${table} differs from what was written`);
      await sql`DROP TABLE ${sql.table(tableOf(table, month))}`.execute(tx);
    }
    await sql`DELETE FROM earlier_addresses WHERE ${earlierOf(month)}`.execute(tx);
    await sql`UPDATE archived_months SET archived_at = now() WHERE month = ${month}`.execute(tx);
    await emptyValuesOf(tx, month);
    await recordMonth(tx, month, { action: "month.archive", by: "Porchlight", manifest });
  });
}

/** The audit log says what became of a month, by no one who is signed in. */
export async function recordMonth(
  tx: Db,
  month: number,
  {
    action,
    by,
    manifest,
  }: { action: `month.${"archive" | "restore" | "discard"}`; by: string; manifest: string },
): Promise<void> {
  await tx
    .insertInto("audit")
    .values({
      actor_id: null,
      actor_name: by,
      action,
      subject_type: "month",
      subject_id: null,
      subject_name: monthText(monthName(month)),
      detail: JSON.stringify({ month, manifest: sha256Of(manifest) }),
      ip: null,
    })
    .execute();
}
