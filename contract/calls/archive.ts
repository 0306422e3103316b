import * as z from "zod";
import { instant } from "#contract/fields.ts";
import { dateFormat } from "#contract/text/locale.ts";

/** The archive of who got what, once that is no longer in the database. */
export const archived = z.object({
  /** "2025-03", or "earlier": from before months were kept apart. */
  month: z.string(),
  /** Null while it is being written. */
  at: instant.nullable(),
  /** The SHA-256 of its manifest, which has those of its files; null while it is being written, and once it is discarded. */
  sha256: z.string().nullable(),
});
export type Archived = z.output<typeof archived>;

/** Its files were deleted for good. */
export const isDiscarded = ({ at, sha256 }: Archived): boolean => at !== null && sha256 === null;

/** "March 2025", or "earlier months" */
export function monthText(month: string): string {
  const [year, number] = month.split("-").map(Number);
  if (year === undefined || number === undefined) return "earlier months";
  const first = new Date(Date.UTC(year, number - 1));
  return dateFormat({ month: "long", year: "numeric", timeZone: "UTC" }).format(first);
}

/** "The delivery details of March 2025 have been archived" */
export const archivedText = (archive: Archived): string =>
  `The delivery details of ${monthText(archive.month)} have been ${isDiscarded(archive) ? "discarded" : "archived"}`;
