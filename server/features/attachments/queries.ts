import { sql } from "kysely";
import type { Attachment } from "#contract/calls/attachments.ts";
import type { Db } from "#server/db/database.ts";
import { type FileRow, toAttachment } from "#server/messages/attachments.ts";

/** Stores the bytes once no matter how often they are uploaded, with each upload's name. */
export async function insertAttachment(
  db: Db,
  file: { sha256: Buffer; bytes: Buffer; name: string; type: string; uploadedBy: number },
): Promise<Attachment> {
  const stored = await sql<FileRow>`
    WITH kept AS (
      INSERT INTO attachment_bytes (sha256, bytes) VALUES (${file.sha256}, ${file.bytes})
      ON CONFLICT (sha256) DO NOTHING
    )
    INSERT INTO attachments (sha256, name, type, size, uploaded_by)
    VALUES (${file.sha256}, ${file.name}, ${file.type}, ${file.bytes.length}, ${file.uploadedBy})
    RETURNING id, name, type, size`.execute(db);
  return toAttachment(stored.rows[0]!);
}

/** What a person has uploaded in the last 24 hours. */
export async function uploadedLately(db: Db, userId: number): Promise<{ files: number; bytes: number }> {
  const { rows } = await sql<{ files: number; bytes: number }>`
    SELECT count(*) AS files, coalesce(sum(size), 0)::float8 AS bytes FROM attachments
    WHERE uploaded_by = ${userId} AND created_at > now() - interval '24 hours'`.execute(db);
  return rows[0]!;
}

export async function readAttachment(db: Db, id: number) {
  return db
    .selectFrom("attachments")
    .innerJoin("attachment_bytes", "attachment_bytes.sha256", "attachments.sha256")
    .select(["name", "type", "bytes"])
    .where("attachments.id", "=", id)
    .executeTakeFirst();
}
