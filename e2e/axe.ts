import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import type axe from "axe-core";

/** WCAG 2.2 A and AA. */
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const desktop = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };
/** A theme changes nothing but colors, so every rule runs once at each size. */
const views = [
  { name: "desktop, light", size: desktop, colorScheme: "light", runOnly: rules },
  { name: "desktop, dark", size: desktop, colorScheme: "dark", runOnly: ["color-contrast"] },
  { name: "phone, dark", size: phone, colorScheme: "dark", runOnly: rules },
] as const;

const source = readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Checks the page in its current state, on desktop and phone, in light and dark. */
export async function expectAccessible(page: Page): Promise<void> {
  const before = page.viewportSize() ?? desktop;
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(await source);
  const found: string[] = [];
  for (const { name, size, colorScheme, runOnly } of views) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    found.push(...(await findViolations(page, runOnly)).map((violation) => `${name}: ${violation}`));
  }
  await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: null });
  expect(found).toEqual([]);
}

function findViolations(page: Page, runOnly: readonly string[]): Promise<string[]> {
  return page.evaluate(async (runOnly) => {
    // In the middle of a fade, the contrast would be too low.
    let moving: Animation[];
    do {
      await new Promise(requestAnimationFrame);
      moving = document.getAnimations();
      await Promise.allSettled(moving.map((animation) => animation.finished));
    } while (moving.length > 0);
    const checker = (window as unknown as { axe: typeof axe }).axe;
    // Colors are not found out about what an open dialog covers, and looking takes as long as the dialog does.
    const covered = runOnly.length === 1 ? ["body > [aria-hidden=true]"] : [];
    // A frame shows an email, in which no script may run.
    const { violations } = await checker.run(covered.length > 0 ? { exclude: covered } : document, {
      runOnly: [...runOnly],
      resultTypes: ["violations"],
      iframes: false,
      preload: false,
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}\n${failureSummary ?? ""}`),
    );
  }, runOnly);
}
