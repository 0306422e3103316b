import { expect, type Locator, type Page } from "@playwright/test";
import { notificationStatuses, type NotificationStatus } from "#contract/delivery.ts";
import { notifications } from "#contract/calls/notifications.ts";
import type { Caller } from "./caller.ts";
import type { Property } from "./people.ts";

/** Saves an email to a property's tenants as a draft, and returns its id. */
export async function saveDraft(call: Caller, { group }: Property, title = "Gutter"): Promise<number> {
  const content = "The gutter is cleaned.";
  const body = { title, content, recipients: [group], channels: ["email"], status: "Draft" };
  return (await call(notifications.create, { body })).id;
}

/** Opens a notification's page and, on it, the edit dialog. */
export async function openEditor(page: Page, id: number): Promise<Locator> {
  await page.goto(`/notifications/${id}`);
  await page.getByRole("button", { name: "Edit Notification" }).click();
  return page.getByRole("dialog", { name: "Edit Notification" });
}

const anyStatus = new RegExp(`^(${notificationStatuses.join("|")})$`);

/** Waits until a notification's page shows this status, which is the first status on the page, below the title. */
export async function expectStatus(page: Page, status: NotificationStatus): Promise<void> {
  await expect(page.getByRole("main").getByText(anyStatus).first()).toHaveText(status);
}
