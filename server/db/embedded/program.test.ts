import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isRoot } from "#server/db/embedded/account.ts";
import { programEnvironment, runProgram } from "#server/db/embedded/program.ts";

const run = (script: string, account?: { uid: number; gid: number }) =>
  runProgram(process.execPath, ["-e", script], { cwd: tmpdir(), account });

test("a program's words and status are told", async () => {
  expect(await run("console.log('out'); console.error('err'); process.exitCode = 3")).toEqual({
    status: 3,
    output: expect.stringMatching(/out|err/),
  });
});

test("a program that is not there is told, not thrown", async () => {
  const missing = await runProgram(join(tmpdir(), "no-such-program"), [], { cwd: "/", account: undefined });
  expect(missing).toEqual({ status: null, output: expect.stringContaining("ENOENT") });
});

test.skipIf(isRoot())("an account that we may not become is told, not thrown", async () => {
  expect(await run("", { uid: 1, gid: 1 })).toEqual({
    status: null,
    output: expect.stringContaining("EPERM"),
  });
});

test("a program sees the path and nothing of ours", () => {
  process.env["PGDATABASE"] = "elsewhere";
  expect(Object.keys(programEnvironment())).not.toContain("PGDATABASE");
  expect(programEnvironment()["PATH"]).toBe(process.env["PATH"]);
  delete process.env["PGDATABASE"];
});
