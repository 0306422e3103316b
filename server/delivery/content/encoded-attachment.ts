import type { Attachment } from "./compiled.ts";

/** One attachment encoded for email. The original bytes need not be kept. */
export type EncodedAttachment = {
  name: string;
  type: string;
  /** Base64 in lines of 76 characters, each ended by CRLF. */
  base64: Buffer;
};

export function encodedAttachment({ name, type, bytes }: Attachment): EncodedAttachment {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  const lines = Math.ceil(text.length / 76);
  const base64 = Buffer.allocUnsafe(text.length + lines * 2);
  let end = 0;
  for (let start = 0; start < text.length; start += 76) {
    end += base64.write(text.slice(start, start + 76), end, "latin1");
    base64[end] = 0x0d;
    base64[end + 1] = 0x0a;
    end += 2;
  }
  return { name, type, base64 };
}

/** The bytes of a run's attachments in each of its emails. */
export function attachedBytes({ attachments }: { attachments: readonly EncodedAttachment[] }): number {
  return attachments.reduce((sum, { base64 }) => sum + base64.length, 0);
}

/** Its Base64 without the line breaks, as JSON carries it. */
export const unbroken = (base64: EncodedAttachment["base64"]) =>
  base64.toString("latin1").replaceAll("\r\n", "");
