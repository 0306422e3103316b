import type { Attachment } from "#contract/calls/attachments.ts";
import type { Db } from "#server/db/database.ts";

export type FileRow = { id: number; name: string; type: string; size: number };

export const toAttachment = (row: FileRow): Attachment => ({
  id: row.id,
  name: row.name,
  type: row.type as Attachment["type"],
  url: `/api/attachments/${row.id}`,
  size: row.size,
});

/** The files with these ids, by id. An unknown id is missing from the result. */
export async function attachmentsById(db: Db, ids: readonly number[]): Promise<Map<number, Attachment>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("attachments")
    .select(["id", "name", "type", "size"])
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map((row) => [row.id, toAttachment(row)]));
}
