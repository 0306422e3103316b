import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";

/**
 * Waits for a toast with this title and, if given, this description. Only one shows at a time. Next to an open dialog,
 * which hides everything else from assistive technology, the toast is announced instead.
 */
export async function expectToast(page: Page, title: string, description = ""): Promise<void> {
  const toast = page
    .getByRole("region", { name: "Notifications (F8)", includeHidden: true })
    .getByRole("listitem", { includeHidden: true });
  // Both at once: a toast stays only for seconds.
  await expect(toast).toContainText(new RegExp(`${RegExp.escape(title)}[^]*${RegExp.escape(description)}`));
}
