import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: ".",
  outputDir: "../test-results",
  globalSetup: "./global-setup.ts",
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env["CI"]),
  // On a shared machine one slow moment must not stop a landing; the report still calls such a test flaky.
  retries: process.env["CI"] ? 1 : 0,
  // Only what hangs comes near it: a test that starts the server anew waits for it, and for the page to notice.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: "list",
  use: {
    viewport: { width: 1280, height: 900 },
    locale: "en-US",
    timezoneId: "America/New_York",
    actionTimeout: 15_000,
    contextOptions: { reducedMotion: "reduce" },
    // A film of every test would take more of two cores than the tests; the failed one has its last picture.
    trace: { mode: "retain-on-failure", screenshots: false },
    screenshot: "only-on-failure",
  },
});
