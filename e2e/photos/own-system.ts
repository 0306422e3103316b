import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import type { Browser } from "@playwright/test";
import { startEmbedded } from "#server/db/embedded/embedded.ts";
import { ensureWebBuild } from "#server/web-build.ts";
import { findChromium } from "../chromium.ts";
import { startStaffedSystem } from "../system.ts";
import type { StaffedSystem } from "../system.ts";

export const say = (message: string) => void process.stderr.write(`${message}\n`);

/** Does the work on a system with its own data, which is deleted afterwards, and with the packaged Chromium. */
export async function onOwnSystem(
  work: (system: StaffedSystem, browser: Browser) => Promise<void>,
  { args = [] as string[] } = {},
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "porchlight-photos-"));
  const log = { info: () => undefined, warn: say, error: say };
  const settings = { fsync: "off", synchronous_commit: "off" };
  const [{ executablePath, env }, postgres] = await Promise.all([
    findChromium(),
    startEmbedded({ dataDir, log, settings }),
    ensureWebBuild({ log: say }),
  ]);
  try {
    const system = await startStaffedSystem(postgres.url);
    const browser = await chromium.launch({ executablePath, env, args });
    try {
      await work(system, browser);
    } finally {
      await browser.close();
      await system.stop();
    }
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
