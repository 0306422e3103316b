import { defineConfig } from "@playwright/test";

const inCi = Boolean(process.env["CI"]);

export default defineConfig({
  testDir: ".",
  outputDir: "../test-results",
  globalSetup: "./global-setup.ts",
  workers: 2,
  fullyParallel: true,
  forbidOnly: inCi,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: inCi ? [["list"], ["github"]] : [["list"]],
  use: {
    viewport: { width: 1280, height: 900 },
    locale: "en-US",
    timezoneId: "America/New_York",
    actionTimeout: 15_000,
    contextOptions: { reducedMotion: "reduce" },
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
  },
});
