import * as z from "zod";
import { type Channel, writtenAs } from "#contract/delivery.ts";
import { endpoint } from "#contract/endpoint.ts";
import { id, idParams, requiredLine } from "#contract/fields.ts";

export const MEGABYTE = 1024 * 1024;
/** "PNG, JPG, PDF up to 10MB" in the create dialog. */
export const ATTACHMENT_MAX = 10 * MEGABYTE;
/** "max 5MB per file" in the edit dialog. */
export const EDIT_ATTACHMENT_MAX = 5 * MEGABYTE;
/** What mail servers commonly accept in one message, for all files together. */
export const ATTACHMENTS_TOTAL_MAX = 20 * MEGABYTE;
export const ATTACHMENTS_MAX_COUNT = 10;
/** What one person may upload within 24 hours. Every upload stays in the database, sent or not. */
export const UPLOADS_A_DAY_MAX = 500 * MEGABYTE;
export const UPLOADS_A_DAY_MAX_COUNT = 1000;
export const attachmentTypes = ["image/png", "image/jpeg", "image/gif", "application/pdf"] as const;

/** A stored file; its bytes are at `url`. `size` is in bytes. */
export const attachment = z.object({
  id: z.number(),
  name: z.string(),
  type: z.enum(attachmentTypes),
  url: z.string(),
  size: z.number(),
});
export type Attachment = z.output<typeof attachment>;

const hasFiles = (channel: Channel) => writtenAs(channel) === "email";

/** The note next to the files when these channels are selected; "" if every message has the files. */
export function filesNote(channels: readonly Channel[]): string {
  if (channels.every(hasFiles)) return "";
  return channels.some(hasFiles)
    ? "Attachments are only sent by email."
    : "Attachments are only sent by email, so no one will get them.";
}

const byUrl = z
  .object({ url: z.string().regex(/^\/api\/attachments\/[1-9]\d{0,14}$/) })
  .transform(({ url }) => ({ id: Number(url.slice(url.lastIndexOf("/") + 1)) }));

/** How a message names its files: by the id or url from the upload's reply. Other fields are ignored. */
export const attachmentRefs = z
  .array(
    z.union([z.object({ id }), byUrl], {
      error: "Name a file by the id or url that its upload returned",
    }),
  )
  .max(ATTACHMENTS_MAX_COUNT, `You can attach up to ${ATTACHMENTS_MAX_COUNT} files`);

export const attachments = {
  upload: endpoint({
    method: "POST",
    path: "/api/attachments",
    access: "messages:send",
    summary: "Store one file, sent as the body. Checked by content: PNG, JPG, GIF or PDF up to 10 MB",
    query: z.object({ name: requiredLine("File name", 255, "File name is required") }),
    upload: { limit: ATTACHMENT_MAX, field: "attachments" },
    status: 201,
    reply: attachment,
  }),
  download: endpoint({
    method: "GET",
    path: "/api/attachments/{id}",
    access: "messages:read",
    summary: "The bytes of one file",
    params: idParams,
    answer: "file",
    export: { action: "attachment.download", most: 300 },
    reply: z.instanceof(Uint8Array),
  }),
};
