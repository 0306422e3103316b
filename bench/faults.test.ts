import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { testDatabase } from "#server/testing/postgres.ts";

/** Those that take seconds and depend on nothing that a slow machine changes. All others: npm run faults. */
const small = ["10", "11", "12", "33", "36", "37", "38"];

test("the small storm: processes are killed and providers misbehave under load, and the books balance", async () => {
  const { url, close } = await testDatabase();
  const storm = spawn(process.execPath, [join(import.meta.dirname, "faults.ts"), ...small], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [printed] = await Promise.all([text(storm.stdout), once(storm, "exit")]);
    expect(printed.match(/^\d+ random processes killed, an? \w+ provider: .* 3 kills/gm)).toHaveLength(3);
    expect(printed.match(/^\d+/gm)).toEqual(small);
    expect([printed, storm.exitCode]).toEqual([printed, 0]);
  } finally {
    storm.kill("SIGKILL");
    await close();
  }
  // Longer than the program waits for anything.
}, 600_000);
