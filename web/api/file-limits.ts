import {
  ATTACHMENTS_MAX_COUNT,
  ATTACHMENTS_TOTAL_MAX,
  MEGABYTE,
  type Attachment,
} from "#contract/calls/attachments.ts";
import { hasPdfHeader, HEAD_BYTES, heicAdvice, isHeic } from "#contract/text/file-content.ts";

type Format = { type: Attachment["type"]; endings: string[]; begins: (head: Uint8Array) => boolean };

const by =
  (...signature: number[]) =>
  (head: Uint8Array) =>
    signature.every((byte, index) => head[index] === byte);

const formats = {
  PNG: {
    type: "image/png",
    endings: [".png"],
    begins: by(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
  },
  JPG: { type: "image/jpeg", endings: [".jpg", ".jpeg"], begins: by(0xff, 0xd8, 0xff) },
  GIF: { type: "image/gif", endings: [".gif"], begins: by(0x47, 0x49, 0x46, 0x38) },
  PDF: { type: "application/pdf", endings: [".pdf"], begins: hasPdfHeader },
} as const satisfies Record<string, Format>;

type Sized = { size: number };

/** Which files a dialog accepts, and what it says about the others. */
export type FileLimits = {
  /** MIME type → extensions. */
  accept: Record<string, string[]>;
  /** In bytes, each. */
  maxSize: number;
  /** What to say of a file whose name already shows another format, or that is too large. */
  rejection: (file: { name: string }, reason: "type" | "size") => string;
  /** Why a file cannot be added to those already there; undefined if it can. */
  sizeTrouble: (file: Sized, present: readonly Sized[]) => string | undefined;
  /** Checks a file's first bytes, not its name, as the server will. */
  contentTrouble: (file: Blob) => Promise<string | undefined>;
};

const heicTrouble = `This ${heicAdvice}`;
const megabytes = (bytes: number) => `${bytes / MEGABYTE} MB`;

/** The formats in the order they are named, and the maximum file size in bytes. */
export function fileLimits(named: readonly (keyof typeof formats)[], maxSize: number): FileLimits {
  const taken = named.map((name) => formats[name]);
  const list = `${named.slice(0, -1).join(", ")} or ${named.at(-1)}`;
  const type = `This is not a ${list} file.`;
  const size = `This file is larger than ${megabytes(maxSize)}.`;
  return {
    accept: Object.fromEntries(taken.map((format) => [format.type, [...format.endings]])),
    maxSize,
    rejection(file, reason) {
      if (reason === "size") return size;
      return /\.hei[cf]$/i.test(file.name) ? heicTrouble : type;
    },
    sizeTrouble(file, present) {
      if (file.size === 0) return "This file is empty.";
      if (file.size > maxSize) return size;
      if (present.length >= ATTACHMENTS_MAX_COUNT) {
        return `You can attach up to ${ATTACHMENTS_MAX_COUNT} files.`;
      }
      const total = present.reduce((sum, one) => sum + one.size, file.size);
      return total > ATTACHMENTS_TOTAL_MAX
        ? `Together, the files would be larger than ${megabytes(ATTACHMENTS_TOTAL_MAX)}, which mail servers refuse.`
        : undefined;
    },
    async contentTrouble(file) {
      const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
      if (isHeic(head)) return heicTrouble;
      return taken.some(({ begins }) => begins(head)) ? undefined : `This isn't actually a ${list} file.`;
    },
  };
}
