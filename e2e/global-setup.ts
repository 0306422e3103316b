import { startDatabaseServer } from "#server/testing/database-server.ts";
import { ensureWebBuild } from "#server/web-build.ts";
import { findChromium } from "./chromium.ts";
import { provideRun } from "./run.ts";

/** Prepares once per run: the browser, the web build, and a PostgreSQL with a database for each server under test. */
export default async function setup(): Promise<() => Promise<void>> {
  const [chromium, { stop, ...databaseServer }] = await Promise.all([
    findChromium(),
    startDatabaseServer(),
    ensureWebBuild({ log: (message) => void process.stderr.write(`${message}\n`) }),
  ]);
  provideRun({ chromium, databaseServer });
  return stop;
}
