import { readOds } from "./ods.ts";
import { readText } from "./text-tables.ts";
import { MOST_CHARACTERS, type Part, UnreadableWorkbook } from "./workbook.ts";
import { readXlsx } from "./xlsx.ts";
import { openZip } from "./zip.ts";

const OLD_CONTAINER = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

/**
 * Reads a spreadsheet, told by its content: Excel, OpenDocument, CSV in any encoding, or a table that a program calls
 * .xls. Throws UnreadableWorkbook.
 * @param encoding the one that someone chose for a text file
 */
export async function* readWorkbook(bytes: Buffer, encoding?: string): AsyncGenerator<Part> {
  if (bytes.length === 0) throw new UnreadableWorkbook("empty");
  let filled = false;
  let characters = 0;
  try {
    for await (const part of partsOf(bytes, encoding)) {
      filled ||= part.kind === "rows" || (part.kind === "end" && part.trouble !== null);
      if (part.kind === "rows")
        for (const { cells } of part.rows) characters += cells.reduce((sum, { length }) => sum + length, 0);
      if (characters > MOST_CHARACTERS) throw new UnreadableWorkbook("too-large");
      yield part;
    }
  } catch (error) {
    if (error instanceof UnreadableWorkbook) throw error;
    // What unpacks to something else than it says, or isn't the markup that it should be.
    throw new UnreadableWorkbook("damaged", error);
  }
  if (!filled) throw new UnreadableWorkbook("empty");
}

function partsOf(bytes: Buffer, encoding?: string): AsyncIterable<Part> | Iterable<Part> {
  if (bytes.subarray(0, OLD_CONTAINER.length).equals(OLD_CONTAINER)) {
    // A workbook with a password is in the old container, too.
    const locked = bytes.includes(Buffer.from("EncryptedPackage", "utf16le"));
    throw new UnreadableWorkbook(locked ? "locked" : "old-format");
  }
  return bytes.subarray(0, 2).toString("latin1") === "PK" ? partsOfZip(bytes) : readText(bytes, encoding);
}

async function* partsOfZip(bytes: Buffer): AsyncGenerator<Part> {
  const zip = await openZip(bytes);
  if (zip.has("[Content_Types].xml")) yield* readXlsx(zip);
  else if (zip.has("META-INF/manifest.xml") || zip.has("content.xml")) yield* readOds(zip);
  else throw new UnreadableWorkbook("not-a-sheet");
}
