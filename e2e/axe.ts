import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import type axe from "axe-core";

/** WCAG 2.2 A and AA. */
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
const themes = ["light", "dark"] as const;

const source = readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Looks at the page as it stands: on a desktop and on a phone, in the light and in the dark. */
export async function expectAccessible(page: Page): Promise<void> {
  const before = page.viewportSize() ?? sizes.desktop;
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(await source);
  const found: string[] = [];
  for (const [name, size] of Object.entries(sizes)) {
    await page.setViewportSize(size);
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await look(page)).map((violation) => `${name}, ${colorScheme}: ${violation}`));
    }
  }
  await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: null });
  expect(found).toEqual([]);
}

function look(page: Page): Promise<string[]> {
  return page.evaluate(async (runOnly) => {
    // Half a fade has half its contrast.
    let moving: Animation[];
    do {
      await new Promise(requestAnimationFrame);
      moving = document.getAnimations();
      await Promise.allSettled(moving.map((animation) => animation.finished));
    } while (moving.length > 0);
    const checker = (window as unknown as { axe: typeof axe }).axe;
    // What is in a frame is a mail, sealed off from every script.
    const { violations } = await checker.run({
      runOnly,
      resultTypes: ["violations"],
      iframes: false,
      preload: false,
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}\n${failureSummary ?? ""}`),
    );
  }, rules);
}
