import { join } from "node:path";
import { devices, type Browser, type BrowserContext, type Page } from "@playwright/test";
import type { StaffedSystem } from "../system.ts";
import { findViolations } from "../axe.ts";
import type { Shot } from "./shots.ts";

const sizes = {
  desktop: { viewport: { width: 1360, height: 900 } },
  phone: {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 1.5,
    userAgent: devices["Pixel 7"].userAgent,
  },
};
export type Size = keyof typeof sizes;
export const themes = ["light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** One picture in the folder. */
export type Photo = {
  name: string;
  size: Size;
  theme: Theme;
  file: string;
  /** Why it doesn't show what it should, if so. */
  problem?: string;
  /** What axe finds in it. */
  violations: string[];
};

type Job = { browser: Browser; system: StaffedSystem; folder: string; shots: Shot[] };

/** Takes every shot in every size and theme. Both sizes are taken at the same time. */
export async function takePhotos(job: Job): Promise<Photo[]> {
  const sets = await Promise.all((Object.keys(sizes) as Size[]).map((size) => takeSet(job, size)));
  return sets.flat();
}

async function takeSet({ browser, system, folder, shots }: Job, size: Size): Promise<Photo[]> {
  const visitors = new Map<string, BrowserContext>();
  const photos: Photo[] = [];
  for (const shot of shots) {
    const { name, as = "admin" } = shot;
    const context = visitors.get(as) ?? (await visit(browser, system, size, as));
    visitors.set(as, context);
    const page = await context.newPage();
    const problem = await arrange(page, shot);
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme, forcedColors: shot.forcedColors ? "active" : "none" });
      const file = `${name.replaceAll("/", "-")}-${size}-${theme}.png`;
      await page.screenshot({ path: join(folder, file), ...(await frame(page, shot)) });
      // axe sees the colors that the system replaces.
      const violations = shot.forcedColors ? [] : await findViolations(page);
      photos.push({ name, size, theme, file, ...(problem && { problem }), violations });
    }
    await page.close();
  }
  for (const context of visitors.values()) await context.close();
  return photos;
}

/** Long lists repeat themselves. */
const SCREENS_MAX = 3;

/** What the picture shows: the page from its top, or what is in view, because a dialog covers no more. */
async function frame(page: Page, { inView }: Shot) {
  const open = await page
    .locator("[role=dialog],[role=alertdialog],[role=menu],[role=listbox]")
    .filter({ visible: true })
    .count();
  if (open > 0) return {};
  // What is fixed to the window would be in the middle of the picture.
  await page.evaluate(() => scrollTo(0, 0));
  if (inView) return {};
  const { width, height } = page.viewportSize() ?? sizes.desktop.viewport;
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  const shown = Math.max(height, Math.min(whole, height * SCREENS_MAX));
  return { fullPage: true, clip: { x: 0, y: 0, width, height: shown } };
}

/** A browser in which this person is signed in, and which follows the system's theme. */
async function visit(
  browser: Browser,
  { server, cookies }: StaffedSystem,
  size: Size,
  as: NonNullable<Shot["as"]>,
) {
  const context = await browser.newContext({
    ...sizes[size],
    baseURL: server.url,
    locale: "en-US",
    timezoneId: "America/New_York",
    reducedMotion: "reduce",
  });
  await context.addInitScript(() => {
    // A draft of an earlier shot would be brought back. The frames of a page share its storage.
    if (window === top) localStorage.clear();
    localStorage.setItem("ui-theme", "system");
  });
  const [name = "", value = ""] = as === "nobody" ? [] : cookies[as].split("=");
  if (name) await context.addCookies([{ name, value, url: server.url }]);
  return context;
}

// What the frame around every screen needs.
const ofShell = /\/api\/(auth|shell|version|events)/;

/** Opens the page and does what the shot asks for. Returns why that failed. */
async function arrange(page: Page, shot: Shot): Promise<string | undefined> {
  page.setDefaultTimeout(30_000);
  try {
    if (shot.server) {
      await page.route("**/api/**", (route) => {
        if (ofShell.test(route.request().url())) return route.fallback();
        if (shot.server === "silent") return undefined;
        return route.fulfill({ status: 500, json: { code: "internal", message: "Something went wrong" } });
      });
    }
    await page.goto(shot.path);
    await settle(page, shot.server === "silent");
    await shot.act?.(page);
    await settle(page, shot.server === "silent");
  } catch (error) {
    return (error as Error).message.split("\n")[0];
  }
  return undefined;
}

/** Waits until nothing is loading or moving. */
async function settle(page: Page, loadsForever: boolean): Promise<void> {
  await page.evaluate(async (never) => {
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const busy = () => never || document.querySelector(".animate-pulse, .animate-spin") !== null;
    const patience = Date.now() + (never ? 800 : 6000);
    await pause(250);
    while (busy() && Date.now() < patience) await pause(50);
    await document.fonts.ready;
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
    await pause(100);
  }, loadsForever);
}
