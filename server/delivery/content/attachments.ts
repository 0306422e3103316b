import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import type { Attachment } from "./compiled.ts";

/** The files with these ids, in their order. One that is gone is missing from the result. */
export async function readAttachments(db: Db, ids: readonly number[]): Promise<Attachment[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Attachment>`
    SELECT a.name, a.type, b.bytes FROM unnest(${ids}::bigint[]) WITH ORDINALITY w (id, place)
    JOIN attachments a ON a.id = w.id JOIN attachment_bytes b ON b.sha256 = a.sha256 ORDER BY w.place`.execute(
    db,
  );
  return rows;
}
