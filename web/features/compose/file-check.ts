import {
  ATTACHMENTS_MAX_COUNT,
  ATTACHMENTS_TOTAL_MAX,
  ATTACHMENT_MAX,
  MEGABYTE,
} from "#contract/attachments.ts";

/** What the dialog takes: MIME type → endings. */
export const acceptedFiles = {
  "image/png": [".png"],
  "image/jpeg": [".jpg", ".jpeg"],
  "application/pdf": [".pdf"],
};
export const attachmentHint = "PNG, JPG, PDF up to 10MB";

const megabytes = (bytes: number) => `${bytes / MEGABYTE} MB`;

export const notAccepted = "This is not a PNG, JPG or PDF file.";
export const tooLarge = `This file is larger than ${megabytes(ATTACHMENT_MAX)}.`;

type Sized = { size: number };

/** Why a file cannot be added to those already there, in a sentence; undefined when it can. */
export function sizeTrouble(file: Sized, present: readonly Sized[]): string | undefined {
  if (file.size === 0) return "This file is empty.";
  if (file.size > ATTACHMENT_MAX) return tooLarge;
  if (present.length >= ATTACHMENTS_MAX_COUNT) {
    return `At most ${ATTACHMENTS_MAX_COUNT} files can be attached.`;
  }
  const total = present.reduce((sum, one) => sum + one.size, file.size);
  return total > ATTACHMENTS_TOTAL_MAX
    ? `All files together would be larger than ${megabytes(ATTACHMENTS_TOTAL_MAX)}, which mail servers refuse.`
    : undefined;
}

const signatures: readonly (readonly number[])[] = [
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], // PNG
  [0xff, 0xd8, 0xff], // JPEG
  [0x25, 0x50, 0x44, 0x46, 0x2d], // %PDF-
];

/** Looks at a file's first bytes, not at its name: the server will do the same. */
export async function contentTrouble(file: Blob): Promise<string | undefined> {
  const head = new Uint8Array(await file.slice(0, 8).arrayBuffer());
  const known = signatures.some((signature) => signature.every((byte, index) => head[index] === byte));
  return known ? undefined : "This is not a PNG, JPG or PDF file, whatever its name says.";
}
