import { sql, type RawBuilder } from "kysely";
import type { Archived } from "#contract/calls/archive.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import type { Db } from "#server/db/database.ts";
import { beginsWith, monthOfId } from "#server/db/months.ts";

/** Months whose deliveries are in files instead: `docs/decisions/0057-retention.md`. */

/** "2025-03", and "earlier" for month 0. */
export function monthName(month: number): string {
  return month === 0 ? "earlier" : `${Math.floor(month / 100)}-${String(month % 100).padStart(2, "0")}`;
}

/** The opposite of `monthName`. */
export const monthNumber = (name: string): number => (name === "earlier" ? 0 : Number(name.replace("-", "")));

/** As `archiveOf` reads it. */
export type ArchiveRow = { month: number; at: string | null; sha256: string | null };

/** A column: the archive that the deliveries of this run, or this delivery, went to; null while they are in the database. */
export const archiveOf = (id: RawBuilder<unknown>): RawBuilder<ArchiveRow | null> => sql<ArchiveRow | null>`(
  SELECT jsonb_build_object('month', a.month, 'at', a.archived_at,
    'sha256', CASE WHEN a.archived_at IS NOT NULL THEN ${sha256OfManifest} END)
  FROM archived_months a WHERE a.month = ${monthOfId(id)} AND a.restored_at IS NULL)`;

/** Of `archived_months a`, in hex. */
export const sha256OfManifest = sql<string>`encode(sha256(convert_to(a.manifest, 'UTF8')), 'hex')`;

export const presentArchive = ({ month, ...rest }: ArchiveRow): Archived => ({
  month: monthName(month),
  ...rest,
});

/** The archive that the deliveries of this run, or this delivery, went to; null: none. */
export async function readArchive(db: Db, id: number): Promise<Archived | null> {
  const { rows } = await sql<{ archive: ArchiveRow | null }>`
    SELECT ${archiveOf(sql`${id}::bigint`)} AS archive`.execute(db);
  const archive = rows[0]!.archive;
  return archive && presentArchive(archive);
}

/** A column of `users u`: the newest archived month in which they may have got messages, as a number; null: none. */
export const archivedThrough = sql<number | null>`(
  SELECT max(a.month) FROM archived_months a WHERE a.restored_at IS NULL AND (a.month >= month_of(u.created_at)
    OR (a.month = 0 AND u.created_at < (SELECT max(r.created_at) FROM runs r WHERE ${beginsWith(sql`r.id`, 0)}))))`;

/** Throws conflict if the deliveries of this run are archived. */
export async function refuseArchived(db: Db, runId: number): Promise<void> {
  const archive = await readArchive(db, runId);
  if (archive) throw refusal("retry-archived", { archive });
}
