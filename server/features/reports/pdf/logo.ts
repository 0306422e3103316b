import { inflateSync } from "node:zlib";
import type { Internals } from "./pages.ts";

/** PDFKit holds a PNG's pixels several times over. */
const MOST_PIXELS = 10_000_000;
/** Four channels of 16 bits. */
const MOST_BYTES = MOST_PIXELS * 8;

type Png = {
  width: number;
  height: number;
  imgData: Uint8Array;
  decodePixels(then: () => void): void;
};
export type Logo = { width: number; height: number; image?: Png };

/** A logo that PDFKit can print. Null for one that is damaged or too large, because a report does without it. */
export async function openLogo(doc: PDFKit.PDFDocument, bytes: Uint8Array | null): Promise<Logo | null> {
  if (!bytes) return null;
  try {
    const file = Buffer.from(bytes);
    if (file[0] === 0x89) refuseTruncated(file);
    const logo = (doc as unknown as Internals).openImage(file);
    if (!(logo.width > 0 && logo.height > 0 && logo.width * logo.height <= MOST_PIXELS)) return null;
    return !logo.image || (await decodes(logo.image)) ? logo : null;
  } catch {
    return null;
  }
}

/** PDFKit would read a chunk that says it is longer than the file. */
function refuseTruncated(png: Buffer): void {
  let at = 8;
  while (png.toString("latin1", at + 4, at + 8) !== "IEND") at += 12 + png.readUInt32BE(at);
}

/**
 * PDFKit decodes pixels in a callback of its own. What it throws there ends the thread, so it is tried beforehand while
 * nothing else happens in the thread.
 */
async function decodes(png: Png): Promise<boolean> {
  inflateSync(png.imgData, { maxOutputLength: MOST_BYTES });
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const failed = () => resolve(false);
  process.once("uncaughtException", failed);
  png.decodePixels(() => resolve(true));
  return promise.finally(() => process.off("uncaughtException", failed));
}
