import { expect, type BrowserContext, type Locator, type Page } from "@playwright/test";

declare global {
  /** The texts of the page's toasts, oldest first, until a test has seen them. */
  var shownToasts: { text: string; destructive: boolean }[];
}

/** Lets `expectToast` see toasts that are gone already: on a busy machine, a test may look later than a toast stays. */
export async function rememberToasts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    globalThis.shownToasts = [];
    const known = new WeakMap<Element, string>();
    new MutationObserver(() => {
      for (const toast of document.querySelectorAll("[aria-label='Notifications (F8)'] li")) {
        const text = toast.textContent;
        if (known.get(toast) === text) continue;
        known.set(toast, text);
        globalThis.shownToasts.push({ text, destructive: toast.classList.contains("border-bad") });
      }
    }).observe(document, { childList: true, characterData: true, subtree: true });
  });
}

/**
 * Waits until a toast with this title and, if given, this description and variant has been shown since the last one
 * waited for.
 */
export async function expectToast(
  page: Page,
  title: string,
  description = "",
  variant?: "default" | "destructive",
): Promise<void> {
  await expect(async () => {
    const shown = await page.evaluate(() => globalThis.shownToasts);
    const index = shown.findIndex(
      ({ text, destructive }) =>
        text.startsWith(title) &&
        text.includes(description, title.length) &&
        (variant === undefined || destructive === (variant === "destructive")),
    );
    expect(index, `“${title}” ${description} among ${JSON.stringify(shown)}`).not.toBe(-1);
    await page.evaluate((seen) => globalThis.shownToasts.splice(0, seen), index + 1);
  }).toPass({ timeout: 30_000, intervals: [50, 100, 250] });
}

/** Waits until the toast that is shown doesn't cover this button. */
export async function expectUncovered(page: Page, button: Locator): Promise<void> {
  const toast = page
    .getByRole("region", { name: "Notifications (F8)", includeHidden: true })
    .getByRole("listitem", { includeHidden: true });
  // While another window is in front, toasts stay.
  await page.evaluate(() => window.dispatchEvent(new Event("blur")));
  await expect
    .poll(async () => {
      const [below, cover] = await Promise.all([button.boundingBox(), toast.boundingBox()]);
      if (!below || !cover) throw new Error("both are on the screen");
      return below.x >= cover.x + cover.width || below.y >= cover.y + cover.height;
    })
    .toBe(true);
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
}
