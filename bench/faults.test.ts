import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { testDatabase } from "#server/testing/postgres.ts";

test("the smallest storm: processes are killed under load, and the books balance", async () => {
  const { url, close } = await testDatabase();
  const storm = spawn(process.execPath, [join(import.meta.dirname, "faults.ts"), "11"], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [printed] = await Promise.all([text(storm.stdout), once(storm, "exit")]);
    expect(printed).toMatch(/11 random processes killed, a queryable provider: .* 3 kills/);
    expect([printed, storm.exitCode]).toEqual([printed, 0]);
  } finally {
    storm.kill("SIGKILL");
    await close();
  }
  // Longer than the program waits for anything.
}, 300_000);
