import { createHash } from "node:crypto";
import { sql } from "kysely";
import { api } from "#contract/api.ts";
import {
  type Attachment,
  attachmentTypes,
  UPLOADS_A_DAY_MAX,
  UPLOADS_A_DAY_MAX_COUNT,
} from "#contract/calls/attachments.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { hasPdfHeader, isHeic } from "#contract/text/file-content.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { insertAttachment, readAttachment, uploadedLately } from "#server/features/attachments/queries.ts";
import { on, type Route } from "#server/http/route.ts";

const extensions: Record<Attachment["type"], readonly string[]> = {
  "image/png": ["png"],
  "image/jpeg": ["jpg", "jpeg"],
  "image/gif": ["gif"],
  "application/pdf": ["pdf"],
};

const pdf = { mime: "application/pdf", ext: "pdf" };

const isAllowed = (type: string): type is Attachment["type"] =>
  (attachmentTypes as readonly string[]).includes(type);

export function attachmentsRoutes({ db }: { db: Db }): Route[] {
  return [
    on(api.attachments.upload, async ({ query, request, user }) => {
      const name = plainName(query.name);
      const bytes = request.body as Buffer | undefined;
      if (!Buffer.isBuffer(bytes) || bytes.length === 0) throw refusal("file-empty", { name });
      const type = await typeOf(bytes, name);
      const sha256 = createHash("sha256").update(bytes).digest();
      return transaction(db, async (tx) => {
        await refuseBeyondQuota(tx, user.id, bytes.length);
        return insertAttachment(tx, { sha256, bytes, name, type, uploadedBy: user.id });
      });
    }),

    on(api.attachments.download, async ({ params: { id } }) => {
      const file = await readAttachment(db, id);
      if (!file) throw refusal("no-such-file");
      return file;
    }),
  ];
}

/**
 * Throws too-many-requests if one person uploads more in a day than anyone would send. A person's uploads take turns
 * until the transaction ends, or several at once would each see room that only one of them has.
 */
async function refuseBeyondQuota(tx: Db, userId: number, size: number): Promise<void> {
  await sql`SELECT FROM users WHERE id = ${userId} FOR NO KEY UPDATE`.execute(tx);
  const { files, bytes } = await uploadedLately(tx, userId);
  if (files < UPLOADS_A_DAY_MAX_COUNT && bytes + size <= UPLOADS_A_DAY_MAX) return;
  throw refusal(
    "too-many-uploads",
    { bytes: UPLOADS_A_DAY_MAX, files: UPLOADS_A_DAY_MAX_COUNT },
    { retryAfter: 60 * 60 },
  );
}

/** Without the folders that some programs include. */
const plainName = (name: string) =>
  name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1).trim();

/** Checks the actual content; the name must not say otherwise, because a tenant's computer trusts the name. */
async function typeOf(bytes: Buffer, name: string): Promise<Attachment["type"]> {
  if (isHeic(bytes)) throw refusal("file-heic", { name });
  const { fileTypeFromBuffer } = await import("file-type");
  const found = (await fileTypeFromBuffer(bytes)) ?? (hasPdfHeader(bytes) ? pdf : undefined);
  if (!found || !isAllowed(found.mime)) throw refusal("file-not-attachable", { name });
  const extension = name.toLowerCase().split(".").pop() ?? "";
  if (!extensions[found.mime].includes(extension)) {
    throw refusal("file-misnamed", { name, kind: found.ext.toUpperCase() });
  }
  return found.mime;
}
