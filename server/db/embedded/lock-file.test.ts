import { spawn } from "node:child_process";
import { copyFile, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LockFile } from "#server/db/embedded/lock-file.ts";

let path: string;
let now: number;
let lock: LockFile;

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), "porchlight-lock-"));
  now = 0;
  lock = new LockFile({ path }, () => now);
});
afterEach(() => rm(path, { recursive: true, force: true }));

const write = (content: string) => writeFile(join(path, "postmaster.pid"), content);

test("without a file there is nothing to pass over", async () => {
  expect(await lock.staleHolder()).toBeUndefined();
});

test.runIf(process.platform === "linux")("a process of another program is none of ours", async () => {
  await write(`${process.pid}\n/somewhere\n`);
  expect(await lock.staleHolder()).toBe(process.pid);
});

test("a live server is left the time to start, but not forever", async () => {
  await copyFile("/bin/sleep", join(path, "postgres"));
  const server = spawn(join(path, "postgres"), ["60"]);
  try {
    await write(`${server.pid}\n/somewhere\n`);
    expect(await lock.staleHolder()).toBeUndefined();
    now = 9000;
    expect(await lock.staleHolder()).toBeUndefined();
    now = 11_000;
    expect(await lock.staleHolder()).toBe(server.pid);
  } finally {
    server.kill();
  }
});

test("a file that another server has just made counts from its own beginning", async () => {
  await write("");
  await lock.staleHolder();
  now = 11_000;
  await write("1\n/somewhere\n");
  await lock.staleHolder();
  await write("");
  await lock.staleHolder();
  expect(await readdir(path)).toEqual(["postmaster.pid"]);
});

test("a file that stays empty is removed, one that is just being written is not", async () => {
  await write("");
  await lock.staleHolder();
  now = 9000;
  await lock.staleHolder();
  expect(await readdir(path)).toEqual(["postmaster.pid"]);
  now = 11_000;
  await lock.staleHolder();
  expect(await readdir(path)).toEqual([]);
});
