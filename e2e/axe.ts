import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, type Page } from "@playwright/test";
import type axe from "axe-core";

/** WCAG 2.2 A and AA. */
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const desktop = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };
/**
 * A theme only changes colors, so two of the four combinations cover each size and each theme. screens.spec.ts checks
 * contrast in the dark for what only a desktop shows.
 */
const views = [
  { name: "desktop, light", size: desktop, colorScheme: "light" },
  { name: "phone, dark", size: phone, colorScheme: "dark" },
] as const;

const source = readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Checks the page in its current state, on a desktop in light and on a phone in dark. */
export async function expectAccessible(page: Page): Promise<void> {
  const before = page.viewportSize() ?? desktop;
  const found: string[] = [];
  for (const { name, size, colorScheme } of views) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    found.push(...(await findViolations(page)).map((violation) => `${name}: ${violation}`));
  }
  await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: null });
  expect(found).toEqual([]);
}

/** Texts with too little contrast in the dark, at the current size. */
export async function findFaintInDark(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "dark" });
  const found = await findViolations(page, ["color-contrast"]);
  await page.emulateMedia({ colorScheme: null });
  return found;
}

/** What axe finds on the page as it is, one text for each element. */
export async function findViolations(page: Page, runOnly = rules): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(await source);
  return page.evaluate(async (runOnly) => {
    // During a fade, contrast is too low.
    let moving: Animation[];
    do {
      await new Promise(requestAnimationFrame);
      moving = document.getAnimations();
      await Promise.allSettled(moving.map((animation) => animation.finished));
    } while (moving.length > 0);
    const checker = (window as unknown as { axe: typeof axe }).axe;
    // What an open dialog or menu covers is checked when nothing covers it. Checking it here too would double the time.
    const context = { exclude: ["body > [aria-hidden=true]", "body:has([role=menu]) > #root"] };
    // Frames show emails, in which scripts can't run.
    const { violations } = await checker.run(context, {
      runOnly,
      resultTypes: ["violations"],
      iframes: false,
      preload: false,
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}\n${failureSummary ?? ""}`),
    );
  }, runOnly);
}
