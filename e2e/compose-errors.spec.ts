import { ComposeDialog } from "./compose-dialog.ts";
import { expect, test } from "./fixtures.ts";

test("error messages stay when switching the message type or schedule and back", async ({ page }) => {
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  await dialog.send.click();
  const missing = dialog.root.getByText("Either template or custom message is required");
  await expect(missing).toBeVisible();
  await dialog.choose("Custom message");
  await expect(missing).toBeVisible();
  await dialog.choose("Template");
  await expect(missing).toBeVisible();
  await dialog.choose("Custom message");
  await dialog.message.fill("Now there is one.");
  await expect(missing).toHaveCount(0);

  await dialog.choose("Schedule for later");
  await dialog.root.getByRole("textbox", { name: "Date" }).fill("01/02/2020");
  const past = dialog.root.getByText("Choose today or a later day");
  await expect(past).toBeVisible();
  await dialog.choose("Send immediately");
  await dialog.choose("Schedule for later");
  await expect(past).toBeVisible();
});

test("switching the message type shows no errors before the first submit", async ({ page }) => {
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  await dialog.choose("Custom message");
  await dialog.choose("Schedule for later");
  await expect(dialog.root.locator('[aria-invalid="true"], [data-invalid]')).toHaveCount(0);
});
