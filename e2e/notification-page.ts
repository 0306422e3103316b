import { expect, type Page } from "@playwright/test";
import { notificationStatuses, type NotificationStatus } from "#contract/delivery.ts";

const anyStatus = new RegExp(`^(${notificationStatuses.join("|")})$`);

/** Waits until a notification's page shows this status, which is the first status on the page, below the title. */
export async function expectStatus(page: Page, status: NotificationStatus): Promise<void> {
  await expect(page.getByRole("main").getByText(anyStatus).first()).toHaveText(status);
}
