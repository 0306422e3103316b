import { chromium, type Browser } from "@playwright/test";
import { startDatabaseServer } from "#server/testing/database-server.ts";
import { ensureWebBuild } from "#server/web-build.ts";
import { findChromium } from "../chromium.ts";
import { startStaffedSystem, type StaffedSystem } from "../system.ts";

export const say = (message: string) => void process.stderr.write(`${message}\n`);

/** Does the work on a system with its own data, which is deleted afterwards, and with the packaged Chromium. */
export async function onOwnSystem(
  work: (system: StaffedSystem, browser: Browser) => Promise<void>,
  { args = [] as string[] } = {},
): Promise<void> {
  const [{ executablePath, env }, databaseServer] = await Promise.all([
    findChromium(),
    startDatabaseServer(),
    ensureWebBuild({ log: say }),
  ]);
  try {
    const system = await startStaffedSystem(databaseServer);
    const browser = await chromium.launch({ executablePath, env, args });
    try {
      await work(system, browser);
    } finally {
      await browser.close();
      await system.stop();
    }
  } finally {
    await databaseServer.stop();
  }
}
