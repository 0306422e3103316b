import type { Readable } from "node:stream";
import { type Entry, fromBuffer, type ZipFile } from "yauzl";
import { UnreadableWorkbook } from "./workbook.ts";

const MEGABYTE = 1024 * 1024;
const MOST_UNPACKED = 500 * MEGABYTE;
const MOST_ENTRIES = 5000;
// Cells full of zeros pack to a fiftieth. What packs better than this, and is large, was made to be.
const MOST_PACKED = 150;
const LARGE = 20 * MEGABYTE;

/** A zip file's parts by name, none of which is unpacked before it is asked for. */
export type Zip = { has: (name: string) => boolean; open: (name: string) => Promise<Readable> };

/** Throws if it is damaged, locked, or would unpack to more than a spreadsheet has. Its own sizes are enforced. */
export async function openZip(bytes: Buffer): Promise<Zip> {
  const zip = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(bytes, { lazyEntries: true, validateEntrySizes: true }, (error, opened) =>
      // oxlint-disable-next-line typescript/no-unnecessary-condition -- one of the two is there
      opened ? resolve(opened) : reject(new UnreadableWorkbook("damaged", error)),
    ),
  );
  const entries = await entriesOf(zip);
  const find = (name: string) => entries.get(name.toLowerCase());
  return {
    has: (name) => find(name) !== undefined,
    open(name) {
      const entry = find(name);
      return new Promise((resolve, reject) => {
        if (!entry) reject(new UnreadableWorkbook("damaged"));
        else if (entry.isEncrypted()) reject(new UnreadableWorkbook("locked"));
        else
          zip.openReadStream(entry, (error, stream) =>
            error ? reject(new UnreadableWorkbook("damaged", error)) : resolve(stream),
          );
      });
    },
  };
}

function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  let unpacked = 0;
  return new Promise((resolve, reject) => {
    zip.on("error", (error) => reject(new UnreadableWorkbook("damaged", error)));
    zip.on("end", () => resolve(entries));
    zip.on("entry", (entry: Entry) => {
      const { fileName, uncompressedSize: size, compressedSize } = entry;
      unpacked += size;
      const bomb = size > LARGE && size > compressedSize * MOST_PACKED;
      if (bomb || unpacked > MOST_UNPACKED || entries.size >= MOST_ENTRIES) {
        reject(new UnreadableWorkbook("too-large"));
        return;
      }
      entries.set(fileName.toLowerCase(), entry);
      zip.readEntry();
    });
    zip.readEntry();
  });
}
