import { notifications } from "#contract/calls/notifications.ts";
import { users } from "#contract/calls/users.ts";
import { ComposeDialog } from "./compose-dialog.ts";
import { expect, test } from "./fixtures.ts";
import { expectStatus } from "./notification-page.ts";
import { moveIn, token } from "./people.ts";
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

test("sends a message again, another way, to those it didn't reach, or to one of them", async ({
  page,
  system,
}) => {
  const house = await moveIn(system.call, [{}, { phone: "" }, { phone: "" }, { phone: "" }]);
  const [, luis, dana, omar] = house.tenants;
  const title = `By text ${token()}`;
  const { id } = await system.call(notifications.send, {
    body: { title, message: "The water is off.", recipients: [house.group], channels: ["sms"] },
  });
  await page.goto(`/notifications/${id}?show=unreached`);
  await expectStatus(page, "Partially Delivered");
  // Someone who has moved out since is not written to.
  await system.call(users.remove, { params: { id: omar?.id ?? 0 } });
  await page.getByRole("link", { name: "Write to the 3 not reached" }).click();
  const dialog = new ComposeDialog(page);
  await expect(dialog.title).toHaveValue(title);
  await expect(dialog.message).toHaveText("The water is off.");
  const chips = dialog.root.getByRole("button", { name: /^Remove / });
  await expect(chips).toHaveCount(2);
  await expect(dialog.channel("Email")).toBeChecked();
  await expect(dialog.channel("SMS")).not.toBeChecked();
  await dialog.counted("To 2 people");
  await dialog.send.click();
  await expectToast(page, "Notification Sent");
  await expect(dialog.root).toBeHidden();
  for (const tenant of [luis, dana]) {
    await expect.poll(() => system.mail.to(tenant?.email ?? "")).toHaveLength(1);
  }
  await expect(page).toHaveURL(new RegExp(`/notifications/${id}\\?show=unreached$`));

  const name = `${luis?.firstName} ${luis?.lastName}`;
  await page.getByRole("link", { name, exact: true }).click();
  await page.getByRole("region", { name }).getByRole("link", { name: "Write to this person" }).click();
  await expect(dialog.title).toHaveValue(title);
  await expect(chips).toHaveAccessibleName(`Remove ${name}`);
  await expect(dialog.channel("Email")).toBeChecked();
});
