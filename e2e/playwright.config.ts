import { defineConfig } from "@playwright/test";

/** Their tests need a system of another kind, or one to themselves. */
const apart = /(bell|first-notification|integrations|screens|settings|two-factor|web-push)\.spec\.ts$/;

export default defineConfig({
  testDir: ".",
  outputDir: "../test-results",
  globalSetup: "./global-setup.ts",
  // One more than the two cores that the suite is meant for: a test often waits.
  workers: 3,
  fullyParallel: true,
  // One worker after the other for the first, begun at once: each of three would start every kind of system again.
  projects: [
    { name: "apart", testMatch: apart, workers: 1 },
    { name: "together", testIgnore: apart },
  ],
  forbidOnly: Boolean(process.env["CI"]),
  // Tests wait for events, not for fixed times. Even on one busy core, only a test that hangs comes near these limits.
  timeout: 600_000,
  expect: { timeout: 30_000 },
  reporter: "list",
  use: {
    viewport: { width: 1280, height: 900 },
    locale: "en-US",
    timezoneId: "America/New_York",
    actionTimeout: 30_000,
    contextOptions: { reducedMotion: "reduce" },
    // A failed test keeps a screenshot and the server's log. Recording every test would take a tenth of the time. To see
    // one step by step, run it alone with --trace on.
    screenshot: "only-on-failure",
  },
});
