import { spawnSync } from "node:child_process";
import { readFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { UnreadableWorkbook } from "#server/spreadsheets/workbook.ts";
import { readInThread } from "#server/spreadsheets/read-in-thread.ts";
import { hostileWorkbooks, largeHostileWorkbooks } from "#server/testing/hostile-workbooks.ts";
import { xlsxOf } from "#server/testing/workbooks.ts";

/**
 * What files cost that are made to cost a lot: seconds until they are read or refused, and how much more memory a process
 * of its own took for it than for the smallest workbook.
 */

type Cost = { seconds: number; megabytes: number; outcome: string };

async function readOnce(path: string): Promise<Cost> {
  const bytes = readFileSync(path);
  const begin = performance.now();
  let outcome = "read";
  try {
    for await (const part of readInThread(bytes))
      if (part.kind === "end" && part.trouble) outcome = part.trouble;
  } catch (error) {
    outcome = error instanceof UnreadableWorkbook ? error.trouble : String(error);
  }
  const seconds = (performance.now() - begin) / 1000;
  return { seconds, megabytes: mostMegabytes(), outcome };
}

/** The most that this process has held. What the kernel tells of a child begins with its parent's. */
function mostMegabytes(): number {
  const status = readFileSync("/proc/self/status", "utf8");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** In a process of its own, which ends with what it held. */
function measure(folder: string, bytes: Buffer): Cost {
  const path = join(folder, "file");
  writeFileSync(path, bytes);
  const { stdout, signal } = spawnSync(process.execPath, [import.meta.filename, path], { encoding: "utf8" });
  return signal || stdout === ""
    ? { seconds: NaN, megabytes: NaN, outcome: `THE PROCESS ENDED (${signal})` }
    : (JSON.parse(stdout) as Cost);
}

const [given] = process.argv.slice(2);
if (given) console.log(JSON.stringify(await readOnce(given)));
else {
  const folder = mkdtempSync(join(tmpdir(), "hostile-"));
  try {
    const row = ["A-101", "Morris, Elizabeth", "(415) 555-0101", "liz@example.com", "Current", 46356, 1653];
    const rows = Array.from({ length: 100_000 }, () => row);
    const { megabytes: least } = measure(folder, xlsxOf({ S: { rows: [["x"]] } }));
    const cases = {
      "100,000 rows of seven columns": () => xlsxOf({ S: { rows } }),
      ...hostileWorkbooks,
      ...largeHostileWorkbooks,
    };
    for (const [what, make] of Object.entries(cases)) {
      const { seconds, megabytes, outcome } = measure(folder, make());
      console.log(
        `${what.padEnd(48)} ${seconds.toFixed(2).padStart(6)} s ${(megabytes - least).toFixed(0).padStart(5)} MB  ${outcome}`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
