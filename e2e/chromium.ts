import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { inflate } from "@sparticuz/chromium";

/** How Playwright is to start the browser. */
export type Chromium = {
  executablePath: string;
  /** The whole environment of the browser's process. */
  env: Record<string, string>;
};

/** There is no usable browser. The message says how to fix that. */
class ChromiumError extends Error {
  override name = "ChromiumError";
}

// Playwright works with browser versions of about its own age.
const OLDEST = 130;
const cache = fileURLToPath(new URL("../node_modules/.cache/porchlight-chromium", import.meta.url));

/**
 * The Chromium inside the package @sparticuz/chromium, so that everyone tests with the same one, or the one that
 * CHROMIUM_PATH names. It never picks an installed one: tests would pass here and fail elsewhere.
 *
 * @throws {ChromiumError}
 */
export async function findChromium(executablePath = process.env["CHROMIUM_PATH"]): Promise<Chromium> {
  const env = ownEnvironment();
  if (!executablePath) return packagedChromium(env);
  const trouble = await troubleWith({ executablePath, env });
  if (trouble) throw new ChromiumError(`CHROMIUM_PATH is ${executablePath}: ${trouble}`);
  return { executablePath, env };
}

/**
 * The packaged browser, with the package's fonts, so that text shows on a machine without fonts. Its libraries (NSS)
 * are used only if the system has none, because they were built for another distribution.
 */
async function packagedChromium(env: Record<string, string>): Promise<Chromium> {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new ChromiumError(
      "The packaged Chromium runs only on Linux x64. Set CHROMIUM_PATH to an installed Chrome or Chromium.",
    );
  }
  const folder = await unpacked();
  const executablePath = join(folder, "chromium");
  const withFonts = { ...env, FONTCONFIG_FILE: join(folder, "fonts.conf") };
  const alone = { executablePath, env: withFonts };
  if (!(await troubleWith(alone))) return alone;

  const libraries = [join(folder, "al2023", "lib"), env["LD_LIBRARY_PATH"]].filter(Boolean).join(":");
  const supplied = { executablePath, env: { ...withFonts, LD_LIBRARY_PATH: libraries } };
  const trouble = await troubleWith(supplied);
  if (!trouble) return supplied;
  throw new ChromiumError(
    `The packaged Chromium cannot run here: ${trouble}\nSet CHROMIUM_PATH to an installed Chrome or Chromium.`,
  );
}

/** Why this browser cannot be used, or undefined. On some systems it is only a script that says where to get Chromium. */
async function troubleWith({ executablePath, env }: Chromium): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(executablePath, ["--version"], { env, timeout: 30_000 });
    const version = /\bChrom(?:e|ium)\b[^\d]*(\d+)\./.exec(stdout)?.[1];
    if (version === undefined) return `it does not say which Chromium it is but: ${stdout.trim()}`;
    return Number(version) < OLDEST
      ? `it is version ${version}, and ${OLDEST} is the oldest that will do`
      : undefined;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return stderr?.trim() || message;
  }
}

/**
 * The folder with the unpacked package. It is created under another name and renamed when complete, so a killed run
 * leaves nothing half-finished, and two runs can do this at the same time.
 */
async function unpacked(): Promise<string> {
  const archives = fileURLToPath(new URL("../bin/", import.meta.resolve("@sparticuz/chromium")));
  // The archive's time and size change with the package. Hashing 68 MB would take longer than everything else.
  const { mtimeMs, size } = await stat(join(archives, "chromium.br"));
  const folder = join(cache, `${size}-${Math.round(mtimeMs)}`);
  if (await exists(folder)) return folder;

  await mkdir(cache, { recursive: true });
  await removeAbandoned();
  const draft = await mkdtemp(join(cache, draftPrefix));
  try {
    await inflateInto(
      draft,
      ["chromium.br", "fonts.tar.br", "al2023.tar.br"].map((name) => join(archives, name)),
    );
    await writeFile(join(draft, "fonts.conf"), fontSettings(join(folder, "fonts")));
    // Root may unpack it, and another user run it.
    await chmod(join(draft, "chromium"), 0o755);
    await chmod(draft, 0o755);
    await rename(draft, folder);
  } catch (error) {
    if (!(await exists(folder))) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}

const draftPrefix = "draft-";

/** The package unpacks into the temporary folder, which all users share, so it gets its own. It reads TMPDIR at once. */
async function inflateInto(folder: string, archives: string[]): Promise<void> {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  const unpacking = Promise.all(archives.map((archive) => inflate(archive)));
  if (before === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = before;
  await unpacking;
}

async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!name.startsWith(draftPrefix)) continue;
    const path = join(cache, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > 600_000) await rm(path, { recursive: true, force: true });
  }
}

const fontSettings = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
