import type { DatabaseServer } from "#server/testing/database-server.ts";
import type { Chromium } from "./chromium.ts";

/** What global-setup.ts has prepared for all workers. */
export type Run = {
  chromium: Chromium;
  databaseServer: Pick<DatabaseServer, "url" | "template">;
};

// Playwright passes only the environment of its setup on to the workers.
const KEY = "PORCHLIGHT_E2E_RUN";

export function provideRun(run: Run): void {
  process.env[KEY] = JSON.stringify(run);
}

export function theRun(): Run {
  const text = process.env[KEY];
  if (text === undefined) throw new Error("global-setup.ts has not run");
  return JSON.parse(text) as Run;
}
