import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "#server/testing/postgres.ts";
import type { TestDatabase } from "#server/testing/postgres.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** No figure is tested: this is to show that the bench still runs the product and everyone gets a message. */
test("the bench sends through the product and prints its table", async () => {
  const env = { ...process.env, BENCH_DATABASE_URL: database.url, BENCH_MESSAGES: "40" };
  const bench = promisify(execFile)(process.execPath, [join(import.meta.dirname, "main.ts"), "latency"], {
    env,
  });
  const { stdout } = await bench;
  expect(stdout).toMatch(/click to mail server, p50 ÷ one commit.*\d ms.*│ '≤ 5'/);
});
