import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";

const stampName = ".source-hash";
const draftPrefix = ".web-";

/** The web app cannot be served; the message says why. */
export class WebBuildError extends Error {
  override name = "WebBuildError";
}

/**
 * The folder of the built web app, `dist/web`, built first if it is missing or older than its sources. Without sources,
 * an existing build is used as it is. A build is made in a separate folder and moved when complete, so a killed or
 * doubled start never leaves half of one.
 * @returns absolute path
 * @throws {WebBuildError} with the bundler's output, or because there is neither build nor source
 */
export async function ensureWebBuild({
  log = (_message: string): void => undefined,
  projectFolder = join(import.meta.dirname, ".."),
} = {}): Promise<string> {
  const dist = join(projectFolder, "dist");
  const built = join(dist, "web");
  if (!(await isFile(join(projectFolder, "web", "index.html")))) {
    if (await isFile(join(built, "index.html"))) return built;
    throw new WebBuildError("Neither the web app's source (web/) nor its build (dist/web) was found.");
  }

  const hash = await sourceHash(projectFolder);
  if ((await stamp(built)) === hash) return built;

  log("Building the web app. This happens once per version of its sources.");
  await mkdir(dist, { recursive: true });
  await removeAbandoned(dist);
  const draft = await mkdtemp(join(dist, draftPrefix));
  try {
    await bundle(projectFolder, draft);
    await compressFiles(draft);
    await writeFile(join(draft, stampName), hash);
    // Root may build what another user serves.
    await chmod(draft, 0o755);
    await moveIn(draft, built, hash);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return built;
}

/** Everything the build is made from. Tests are not part of it and may change without a new build. */
async function sourceHash(projectFolder: string): Promise<string> {
  const hash = createHash("sha256");
  const files = ["package-lock.json"];
  for (const tree of ["contract", "web"]) {
    const entries = await readdir(join(projectFolder, tree), { recursive: true, withFileTypes: true });
    files.push(
      ...entries
        .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
        .map((entry) => relative(projectFolder, join(entry.parentPath, entry.name)).replaceAll(sep, "/")),
    );
  }
  for (const file of files.sort()) {
    const content = await readFile(join(projectFolder, file));
    hash.update(`${file}\n${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}

/** Vite runs in a separate process: it needs its own NODE_ENV, and its memory would be missed by the server. */
async function bundle(projectFolder: string, outDir: string): Promise<void> {
  const vite = join(dirname(createRequire(import.meta.url).resolve("vite/package.json")), "bin", "vite.js");
  try {
    await promisify(execFile)(
      process.execPath,
      [vite, "build", join(projectFolder, "web"), "--outDir", outDir, "--emptyOutDir", "--logLevel", "warn"],
      // Under another NODE_ENV, such as a test's, Vite uses the libraries' larger and slower builds.
      { cwd: projectFolder, maxBuffer: 16_000_000, env: { ...process.env, NODE_ENV: "production" } },
    );
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    const said = (stderr?.trim() || message).replaceAll(/^ +at .*\n?/gm, "");
    throw new WebBuildError(`The web app could not be built.\n${said}`);
  }
}

const COMPRESSIBLE = /\.(js|css|svg)$/;
/** Smaller files fit one packet as they are, in bytes. */
const WORTH_IT = 1024;

/** Writes `x.js.br` and `x.js.gz` beside `x.js`, once for everyone: static.ts serves what a browser accepts. */
async function compressFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !COMPRESSIBLE.test(entry.name)) continue;
    const bytes = await readFile(path);
    if (bytes.length < WORTH_IT) continue;
    const [br, gz] = await Promise.all([promisify(brotliCompress)(bytes), promisify(gzip)(bytes)]);
    await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
  }
}

/** Replaces an older build with the draft, unless another process put the same one there first. */
async function moveIn(draft: string, built: string, hash: string): Promise<void> {
  const old = `${draft}-old`;
  while ((await stamp(built)) !== hash) {
    await rename(built, old).catch(ignoreMissing);
    try {
      await rename(draft, built);
      return;
    } catch (error) {
      if (!(await stat(built).catch(() => undefined))) throw error;
    } finally {
      await rm(old, { recursive: true, force: true });
    }
  }
}

/** Drafts of starts that were killed; one that another process is working on is younger. */
async function removeAbandoned(dist: string): Promise<void> {
  for (const name of await readdir(dist)) {
    if (!name.startsWith(draftPrefix)) continue;
    const path = join(dist, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > 600_000) await rm(path, { recursive: true, force: true });
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

async function stamp(built: string): Promise<string | undefined> {
  return readFile(join(built, stampName), "utf8").catch(() => undefined);
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false;
}

if (import.meta.main) await ensureWebBuild({ log: (message) => process.stdout.write(`${message}\n`) });
