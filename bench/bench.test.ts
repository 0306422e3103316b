import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "#server/testing/postgres.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** One of each kind that doesn't only wait or start an embedded database. */
const measures = "email fan-out latency webhooks".split(" ");

/** No figure is tested: this is to show that the bench still runs the product and everyone gets a message. */
test("the bench sends through the product and prints its table", { timeout: 600_000 }, async () => {
  const env = {
    ...process.env,
    BENCH_DATABASE_URL: database.url,
    BENCH_MESSAGES: "40",
    BENCH_PEOPLE: "100",
  };
  const main = join(import.meta.dirname, "main.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...measures], { env });
  expect(stdout).toMatch(/click to mail server, p50 ÷ one commit.*\d ms.*│ '≤ 5'/);
  expect(stdout.match(/│ '\d+(?:\.\d+)?' +│/g)).toHaveLength(11);
});
