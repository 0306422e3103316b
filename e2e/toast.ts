import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";

/**
 * Waits for the toast with this title and, where one is given, this text under it. One shows at a time, also beside
 * an open dialog, which hides all else from assistive technology: there the toast is announced instead.
 */
export async function expectToast(page: Page, title: string, description = ""): Promise<void> {
  const toast = page
    .getByRole("region", { name: "Notifications (F8)", includeHidden: true })
    .getByRole("listitem", { includeHidden: true });
  await expect(toast).toContainText(title);
  await expect(toast).toContainText(description);
}
