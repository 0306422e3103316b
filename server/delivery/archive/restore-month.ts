import { join } from "node:path";
import { sql } from "kysely";
import { monthText } from "#contract/calls/archive.ts";
import { holdUntilCommit, whileHolding } from "#server/db/advisory-locks.ts";
import { monthName, monthNumber, sha256OfManifest } from "#server/db/archived-months.ts";
import type { Db } from "#server/db/database.ts";
import { recordMonth } from "./archive-month.ts";
import { parseManifest, problemsOf, putAside, readPages } from "./month-files.ts";
import { insertRows, type MonthTable, monthTables, partitioned, tableOf } from "./month-tables.ts";

/** The month can't be brought back or discarded; the message says why. Nothing was changed. */
export class ArchiveError extends Error {
  override name = "ArchiveError";
}

export type ArchivedMonth = {
  name: string;
  beganAt: Date;
  archivedAt: Date | null;
  restoredAt: Date | null;
  lateReceipts: number;
  /** Null while the files are being written, and once they are discarded. */
  manifest: string | null;
  sha256: string | null;
};

/** Every month that was archived, oldest first, also those that were brought back. */
export async function listArchived(db: Db): Promise<ArchivedMonth[]> {
  const { rows } = await sql<Omit<ArchivedMonth, "name"> & { month: number }>`
    SELECT month, begun_at AS "beganAt", archived_at AS "archivedAt", restored_at AS "restoredAt",
      late_receipts AS "lateReceipts", manifest, ${sha256OfManifest} AS sha256
    FROM archived_months a ORDER BY month`.execute(db);
  return rows.map(({ month, ...row }) => ({ name: monthName(month), ...row }));
}

const PAGE = 1000;

/**
 * Brings a month's rows back from its files, all or none. Afterwards its folder has another name: if the month is
 * archived again, it gets new files.
 * @param name "2025-03", or "earlier"
 * @returns the number of rows
 * @throws {ArchiveError}
 */
export async function restoreMonth(
  db: Db,
  { folder, name }: { folder: string; name: string },
): Promise<number> {
  return withArchived(db, name, (one, manifest) => restore(one, { folder, name, manifest }));
}

/**
 * Works on a month that is archived. Nothing else is archived, brought back or discarded meanwhile.
 * @throws {ArchiveError} it isn't archived, or something else is under way
 */
export async function withArchived<T>(
  db: Db,
  name: string,
  work: (db: Db, manifest: string) => Promise<T>,
): Promise<T> {
  const done = await whileHolding(db, "archive", async (one) => ({
    result: await work(one, await readManifest(one, name)),
  }));
  if (!done) {
    throw new ArchiveError(
      "A month is being archived, brought back or discarded right now. Try again when that is done.",
    );
  }
  return done.result;
}

async function readManifest(db: Db, name: string): Promise<string> {
  const found = (await listArchived(db)).find((one) => one.name === name);
  if (found && !found.archivedAt) {
    throw new ArchiveError(
      `${name} is still being archived. To call that off, set Keep delivery details to 0 in Settings.`,
    );
  }
  if (!found || found.restoredAt) throw new ArchiveError(`${name} is not archived.`);
  if (found.manifest === null) throw new ArchiveError(`${name} was discarded: its files are deleted.`);
  return found.manifest;
}

async function restore(
  db: Db,
  { folder, name, manifest }: { folder: string; name: string; manifest: string },
): Promise<number> {
  const path = join(folder, name);
  const problems = await problemsOf(path, manifest);
  if (problems.length > 0) {
    throw new ArchiveError(`${problems.join(" ")} Nothing was brought back.`);
  }
  const month = monthNumber(name);
  const { rows: existing } =
    await sql`SELECT FROM pg_class WHERE oid = to_regclass(${tableOf("deliveries", month)})`.execute(db);
  if (existing.length > 0) {
    throw new ArchiveError(
      `There are new messages of ${monthText(name)} in the database. Was its clock wrong?`,
    );
  }
  const { files } = parseManifest(manifest);
  let count = 0;
  await db.transaction().execute(async (tx) => {
    for (const table of partitioned) {
      await sql`SELECT create_month_table(${table}, ${month}::bigint)`.execute(tx);
    }
    for (const { table, file, columns } of files) {
      if (!isMonthTable(table)) throw new ArchiveError(`This version of Porchlight doesn't know ${table}.`);
      const target = { table, into: tableOf(table, month), columns };
      for await (const lines of readPages(join(path, file), PAGE)) {
        await insertRows(tx, target, lines);
        count += lines.length;
      }
    }
    for (const table of partitioned) await sql`SELECT attach_month(${table}, ${month}::bigint)`.execute(tx);
    // As in calling off.
    await holdUntilCommit(tx, "receipts");
    await sql`UPDATE archived_months SET restored_at = now() WHERE month = ${month}`.execute(tx);
    await recordMonth(tx, month, {
      action: "month.restore",
      by: "Someone with access to the server",
      manifest,
    });
  });
  // If this fails, the scheduler does it before it archives the month again.
  await putAside(path).catch(() => undefined);
  return count;
}

const isMonthTable = (name: string): name is MonthTable => (monthTables as string[]).includes(name);
