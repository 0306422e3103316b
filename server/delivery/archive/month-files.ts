import { createHash, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import * as z from "zod";

/**
 * The files of an archived month: for each table `TABLE.jsonl.gz`, a row as JSON in each line, and `manifest.json`,
 * which has the SHA-256 of each. `docs/decisions/0057-retention.md` describes them.
 */

export const MANIFEST = "manifest.json";

const manifestFile = z.object({
  table: z.string(),
  file: z.string(),
  columns: z.array(z.string()),
  rows: z.number(),
  /** Of the compressed file, as is its SHA-256. */
  bytes: z.number(),
  sha256: z.string(),
});
type ManifestFile = z.output<typeof manifestFile>;

const manifest = z.object({
  format: z.literal("porchlight-archive-1"),
  month: z.string(),
  createdAt: z.string(),
  /** The newest migration. */
  schema: z.string(),
  build: z.string(),
  files: z.array(manifestFile),
});
type Manifest = z.output<typeof manifest>;

export const parseManifest = (text: string): Manifest => manifest.parse(JSON.parse(text));
export const sha256Of = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A table's rows, as JSON texts in pages. */
export type Rows = { table: string; columns: string[]; pages: AsyncIterable<string[]> };

/**
 * Writes a month into a new folder, and returns its manifest. When it returns, everything is on disk.
 * @param about what the manifest says besides its files
 */
export async function writeMonth(
  folder: string,
  tables: readonly Rows[],
  about: Omit<Manifest, "format" | "files">,
): Promise<string> {
  // Only for its owner: it holds names and addresses.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const files: ManifestFile[] = [];
  for (const { table, columns, pages } of tables) {
    const file = `${table}.jsonl.gz`;
    files.push({ table, file, columns, ...(await writePages(join(folder, file), pages)) });
  }
  const text = `${JSON.stringify({ format: "porchlight-archive-1", ...about, files } satisfies Manifest, null, 2)}\n`;
  await writeFile(join(folder, MANIFEST), text, { flag: "wx", mode: 0o600, flush: true });
  await syncFolder(folder);
  return text;
}

async function writePages(
  path: string,
  pages: AsyncIterable<string[]>,
): Promise<Pick<ManifestFile, "rows" | "bytes" | "sha256">> {
  const hash = createHash("sha256");
  let [rows, bytes] = [0, 0];
  async function* lines() {
    for await (const page of pages) {
      rows += page.length;
      yield `${page.join("\n")}\n`;
    }
  }
  await pipeline(
    Readable.from(lines(), { highWaterMark: 2 }),
    createGzip(),
    async function* (compressed: AsyncIterable<Buffer>) {
      for await (const part of compressed) {
        hash.update(part);
        bytes += part.length;
        yield part;
      }
    },
    createWriteStream(path, { flags: "wx", mode: 0o600, flush: true }),
  );
  return { rows, bytes, sha256: hash.digest("hex") };
}

const cannotSync = ["EACCES", "EBADF", "EINVAL", "EISDIR", "ENOTSUP", "EPERM"];

/** So that a rename in it survives a power cut. Not every system can. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => undefined);
  try {
    await handle?.sync();
  } catch (error) {
    if (!cannotSync.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    await handle?.close();
  }
}

/** What is wrong with the files in this folder, in sentences; none if they are what this manifest says. Reads all of them. */
export async function problemsOf(folder: string, text: string): Promise<string[]> {
  const found = await readFile(join(folder, MANIFEST), "utf8").catch(() => undefined);
  if (found === undefined) return [`${join(folder, MANIFEST)} is missing.`];
  if (found !== text) return [`${join(folder, MANIFEST)} has been altered.`];
  const problems: string[] = [];
  for (const file of parseManifest(text).files) {
    const path = join(folder, file.file);
    const seen = await readBack(path).catch((error: NodeJS.ErrnoException) => error);
    if (!(seen instanceof Error) && seen.sha256 === file.sha256 && seen.rows === file.rows) continue;
    const missing = seen instanceof Error && seen.code === "ENOENT";
    problems.push(`${path} ${missing ? "is missing" : "has been altered"}.`);
  }
  return problems;
}

async function readBack(path: string): Promise<Pick<ManifestFile, "rows" | "sha256">> {
  const hash = createHash("sha256");
  let rows = 0;
  await pipeline(
    createReadStream(path),
    async function* (compressed: AsyncIterable<Buffer>) {
      for await (const part of compressed) {
        hash.update(part);
        yield part;
      }
    },
    createGunzip(),
    async (unpacked: AsyncIterable<Buffer>) => {
      for await (const part of unpacked) {
        for (let at = part.indexOf(10); at >= 0; at = part.indexOf(10, at + 1)) rows += 1;
      }
    },
  );
  return { rows, sha256: hash.digest("hex") };
}

/** The rows of a file, as JSON texts. A page has at least `size` rows, except the last. */
export async function* readPages(path: string, size: number): AsyncGenerator<string[]> {
  const source = createReadStream(path);
  const unpacked = source.pipe(createGunzip()).setEncoding("utf8");
  source.on("error", (error) => unpacked.destroy(error));
  // Not readline, which also ends a line where a text has a Unicode line separator.
  let [rest, page] = ["", [] as string[]];
  for await (const text of unpacked as AsyncIterable<string>) {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop()!;
    page.push(...lines);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

export const exists = (path: string) =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );

/** Throws if the folder is there: then another database has written it, or this one before it went back to a backup. */
export async function refuseFolder(target: string): Promise<void> {
  if (!(await exists(target))) return;
  throw new Error(
    `${target} already exists, but not from this database. Move it away so that the month can be archived.`,
  );
}

/** Gives a month's folder another name, because its rows are in the database again. */
export async function putAside(target: string): Promise<void> {
  const unique = randomBytes(2).toString("hex");
  await rename(target, `${target}.restored-${new Date().toISOString().slice(0, 10)}-${unique}`);
}
