import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { KEY_BYTES } from "#server/db/secret-box.ts";

/** The keys cannot be used as they are; the message says what to do and contains no key. */
export class SecretKeyError extends Error {
  override name = "SecretKeyError";
}

/** Reads keys of 32 bytes in base64, with spaces or line breaks between. Throws an Error fit for the settings' list. */
export function parseSecretKeys(text: string): Buffer[] {
  const keys = text.trim().split(/\s+/);
  if (!keys.every((key) => /^[A-Za-z0-9+/_-]+={0,2}$/.test(key) && bytesOf(key).length === KEY_BYTES)) {
    throw new Error(
      "must be 32 bytes in base64, as `openssl rand -base64 32` prints; separate several with spaces",
    );
  }
  return keys.map(bytesOf);
}

const bytesOf = (key: string) => Buffer.from(key, "base64");

/**
 * The keys of `secret.key` in the data folder, one per line, the first of which encrypts. The file is created on first use
 * and is open to its owner alone.
 *
 * @throws {SecretKeyError}
 */
export async function secretKeysOf(dataDir: string): Promise<Buffer[]> {
  const path = join(dataDir, "secret.key");
  const text = await readFile(path, "utf8").catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw new SecretKeyError(`${path} can't be read: ${error.message}`);
    return makeKeyFile(dataDir, path).catch((reason: Error) => {
      throw new SecretKeyError(`${path} can't be created: ${reason.message}. Or set PORCHLIGHT_SECRET_KEY.`);
    });
  });
  // Windows has no such modes: there the folder's own rights decide.
  if (process.platform !== "win32" && ((await stat(path)).mode & 0o077) !== 0) {
    throw new SecretKeyError(`Other users of this computer can read ${path}. Run: chmod 600 ${path}`);
  }
  try {
    return parseSecretKeys(text);
  } catch (error) {
    throw new SecretKeyError(`${path} ${(error as Error).message}`);
  }
}

/** Whole or not at all, and one file where several processes start together. */
async function makeKeyFile(dataDir: string, path: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, `${randomBytes(KEY_BYTES).toString("base64")}\n`, { mode: 0o600 });
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft);
  return readFile(path, "utf8");
}
