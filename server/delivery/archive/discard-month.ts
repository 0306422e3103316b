import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { monthNumber } from "#server/db/archived-months.ts";
import type { Db } from "#server/db/database.ts";
import { beginsWith } from "#server/db/months.ts";
import { recordMonth } from "./archive-month.ts";
import { MANIFEST } from "./month-files.ts";
import { ArchiveError, withArchived } from "./restore-month.ts";

/**
 * Deletes an archived month's files for good, also those from before it was last brought back. If it is interrupted,
 * it can be repeated.
 * @param name "2025-03", or "earlier"
 * @param confirmed otherwise it only says what it would delete, as an error
 * @throws {ArchiveError}
 */
export async function discardMonth(
  db: Db,
  { folder, name, confirmed }: { folder: string; name: string; confirmed: boolean },
): Promise<void> {
  await withArchived(db, name, async (one, manifest) => {
    const path = join(folder, name);
    const entries = await readdir(folder).catch((): string[] => []);
    // The folder may not be mounted, or its files may be somewhere else.
    if (!entries.includes(name)) {
      throw new ArchiveError(
        `${path} is missing. Nothing was discarded. If it has been deleted, create an empty folder there and try again.`,
      );
    }
    const found = await readFile(join(path, MANIFEST), "utf8").catch(() => undefined);
    // None: an earlier attempt was interrupted.
    if (found !== undefined && found !== manifest) {
      throw new ArchiveError(
        `${join(path, MANIFEST)} has been altered, or is another database's. Nothing was discarded.`,
      );
    }
    const paths = entries
      .filter((entry) => entry === name || entry.startsWith(`${name}.restored-`))
      .map((entry) => join(folder, entry));
    if (!confirmed) {
      throw new ArchiveError(
        `This deletes ${paths.join(" and ")} for good. No one can bring ${name} back afterwards. ` +
          `To confirm: npm run archive -- discard ${name} --yes`,
      );
    }
    const month = monthNumber(name);
    await one.transaction().execute(async (tx) => {
      await sql`UPDATE archived_months SET manifest = NULL WHERE month = ${month}`.execute(tx);
      await sql`DELETE FROM notice_reads WHERE ${beginsWith(sql`run_id`, month)}`.execute(tx);
      await recordMonth(tx, month, {
        action: "month.discard",
        by: "Someone with access to the server",
        manifest,
      });
      // Last: if a file can't be deleted, the month stays archived.
      for (const each of paths) await rm(each, { recursive: true });
    });
  });
}
