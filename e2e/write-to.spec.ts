import { ComposeDialog } from "./compose-dialog.ts";
import { expect, test } from "./fixtures.ts";
import { moveIn } from "./people.ts";
import { expectToast } from "./toast.ts";

test("starts a message to a person from their row and from their details", async ({ page, system }) => {
  const house = await moveIn(system.call, [{}, {}]);
  const mei = house.tenants[0];
  const name = `${mei?.firstName} ${mei?.lastName}`;
  const dialog = new ComposeDialog(page);
  const chip = dialog.root.getByRole("button", { name: `Remove ${name}` });
  await page.goto(`/users?property=${encodeURIComponent(house.name)}`);
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "New Notification" }).click();
  await expect(chip).toBeVisible();
  await expect(dialog.title).toBeFocused();
  await expect(dialog.root.getByRole("radio", { name: "Individuals" })).toBeChecked();
  // The recipient is in the URL, so a reload or another tab opens the same dialog.
  await page.reload();
  await expect(chip).toBeVisible();
  await dialog.root.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog.root).toBeHidden();
  expect(new URL(page.url()).searchParams.get("property")).toBe(house.name);

  await page.getByRole("link", { name }).click();
  const details = page.getByRole("dialog", { name });
  await details.getByRole("link", { name: "New Notification" }).click();
  await expect(chip).toBeVisible();
  await dialog.write({ title: "Your key", message: "It is ready.", recipients: [], channels: ["Email"] });
  await dialog.send.click();
  await expectToast(page, "Notification Sent");
  await expect(dialog.root).toBeHidden();
  await expect(details).toBeVisible();
  await expect.poll(() => system.mail.to(mei?.email ?? "")).toHaveLength(1);
});

test("starts a message to a group from its row and from its members, and says when there is no one", async ({
  page,
  system,
}) => {
  const house = await moveIn(system.call, [{}]);
  const dialog = new ComposeDialog(page);
  const chip = dialog.root.getByRole("button", { name: `Remove ${house.name}` });
  await page.goto(`/users?tab=groups&q=${encodeURIComponent(house.name)}`);
  await page.getByRole("button", { name: `Actions for ${house.name}` }).click();
  await page.getByRole("menuitem", { name: "New Notification" }).click();
  await expect(chip).toBeVisible();
  await page.goBack();
  await expect(dialog.root).toBeHidden();
  await page.getByRole("link", { name: house.name }).click();
  await page
    .getByRole("dialog", { name: house.name })
    .getByRole("link", { name: "New Notification" })
    .click();
  await expect(chip).toBeVisible();

  await page.goto("/users?write=user:999999999");
  await expectToast(page, "No one to message");
  await expect(page).toHaveURL(/\/users$/);
});
