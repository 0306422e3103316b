import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { text } from "node:stream/consumers";
import { afterEach, expect, test, vi } from "vitest";
import { logLines } from "#server/log.ts";

afterEach(() => vi.useRealTimers());

/** A disk with so much room. */
function disk() {
  const state = { room: Infinity, written: "" };
  const write = (bytes: Uint8Array) => {
    if (state.room <= 0) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    const some = bytes.subarray(0, state.room);
    state.room -= some.length;
    state.written += Buffer.from(some).toString();
    return some.length;
  };
  return { state, write };
}

test("what a full disk has no room for is counted, and said once there is room", () => {
  const { state, write } = disk();
  const lines = logLines(write);
  lines.write("one\n");
  state.room = 2;
  lines.write("two\n");
  lines.write("three\n");
  state.room = Infinity;
  lines.write("four\n");
  lines.write("five\n");
  const [one, torn, told, four, five] = state.written.split("\n");
  expect([one, torn, four, five]).toEqual(["one", "tw", "four", "five"]);
  expect(JSON.parse(told!)).toMatchObject({
    level: 40,
    lost: 2,
    msg: "2 log lines could not be written (ENOSPC)",
  });
});

test("it is said although nothing else is logged anymore", () => {
  vi.useFakeTimers();
  const { state, write } = disk();
  state.room = 0;
  logLines(write).write("lost\n");
  vi.advanceTimersByTime(20_000);
  expect(state.written).toBe("");
  state.room = Infinity;
  vi.advanceTimersByTime(20_000);
  expect(state.written).toContain("1 log line could not be written (ENOSPC)");
  expect(state.written.trim().split("\n")).toHaveLength(1);
});

test.runIf(process.platform === "linux")("a process whose log has no room lives on", async () => {
  const script = `
    import { createLog } from "#server/log.ts";
    const log = createLog("info");
    for (let line = 0; line < 100; line += 1) log.info({ line }, "no room");
    log.fatal("no room");
    process.stderr.write("no room");
    setTimeout(() => process.stdout.write("alive"), 50);`;
  const full = openSync("/dev/full", "w");
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: process.cwd(),
    stdio: ["ignore", "pipe", full],
  });
  closeSync(full);
  const ended = new Promise((resolve) => child.on("exit", resolve));
  expect([await text(child.stdout!), await ended]).toEqual(["alive", 0]);
});
