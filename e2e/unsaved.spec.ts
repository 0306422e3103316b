import type { Locator, Page } from "@playwright/test";
import { groups } from "#contract/calls/groups.ts";
import { expect, test } from "./fixtures.ts";
import { flooded, hold, intercept } from "./intercept.ts";
import { openEditor, saveDraft } from "./notification-page.ts";
import { moveIn, token } from "./people.ts";
import { expectToast } from "./toast.ts";

/** Closing a dialog with unsaved changes asks first, however it is closed. */

const question = (page: Page): Locator => page.getByRole("alertdialog", { name: "Discard your changes?" });

/** Types, presses Escape, keeps editing, and then discards the changes with Cancel. */
async function expectAsked(page: Page, dialog: Locator, field: string): Promise<void> {
  await dialog.getByLabel(field).fill("Half a thought");
  await page.keyboard.press("Escape");
  // While the question is still opening, Escape does nothing.
  await expect(async () => {
    await page.keyboard.press("Escape");
    await expect(question(page)).toBeHidden({ timeout: 5000 });
  }).toPass({ timeout: 60_000 });
  await expect(dialog.getByLabel(field)).toHaveValue("Half a thought");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await question(page).getByRole("button", { name: "Discard" }).click();
  await expect(dialog).toBeHidden();
}

test("the edit dialog asks before discarding unsaved changes", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  const dialog = await openEditor(page, await saveDraft(system.call, property));
  await expect(dialog.getByLabel("Title")).toBeFocused();
  await page.goBack();
  await expect(dialog).toBeHidden();
  await page.goForward();
  await page.reload();
  await expectAsked(page, dialog, "Content");
  // Without changes, it closes without asking.
  await page.getByRole("button", { name: "Edit Notification" }).click();
  await expect(dialog.getByLabel("Content")).toHaveValue("The gutter is cleaned.");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
});

test("the person and group dialogs ask before discarding unsaved changes, and so does going back", async ({
  page,
}) => {
  await page.goto("/notifications");
  await page.getByRole("link", { name: "User Management" }).click();
  await page.getByRole("button", { name: "Add User" }).click();
  const person = page.getByRole("dialog", { name: "Add User" });
  await expectAsked(page, person, "First name");
  await page.getByRole("button", { name: "Add User" }).click();
  // spec 398
  await expect(person.getByLabel("First name")).toHaveValue("");
  await person.getByLabel("First name").fill("Nell");
  await page.goBack();
  await page.getByRole("alertdialog", { name: "Leave without saving?" }).getByText("Cancel").click();
  await expect(person.getByLabel("First name")).toHaveValue("Nell");
  await expect(page).toHaveURL(/\/users\?open=new$/);

  await page.goto("/users?open=import");
  await expectAsked(page, page.getByRole("dialog", { name: "Import/Export CSV" }), "CSV Data");

  await page.goto("/integrations?tab=email&open=new");
  await page.getByRole("main").getByRole("link", { name: /^SMTP/ }).click();
  const accountName = page.getByLabel(/^Name/);
  await accountName.fill("Office mail");
  await page.getByRole("tab", { name: "SMS Service" }).click();
  await page.getByRole("alertdialog", { name: "Leave without saving?" }).getByText("Cancel").click();
  await expect(accountName).toHaveValue("Office mail");
  await page.getByRole("main").getByRole("button", { name: "Cancel" }).click();
  await question(page).getByRole("button", { name: "Discard" }).click();
  await expect(page).toHaveURL(/\/integrations\?tab=email$/);

  await page.goto("/users?tab=groups");
  await page.getByRole("button", { name: "New Group" }).click();
  const group = page.getByRole("dialog", { name: "New Group" });
  await expectAsked(page, group, "Group name");
  await page.getByRole("button", { name: "New Group" }).click();
  // spec 398
  await expect(group.getByLabel("Group name")).toHaveValue("");
});

test("neither overwrites another change to a group nor loses your own", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}, {}]);
  const [mei, luis] = property.tenants;
  const name = `Book club ${token()}`;
  const { id } = await system.call(groups.create, { body: { name, userIds: [mei?.id] } });
  await page.goto(`/users?tab=groups&q=${encodeURIComponent(name)}`);
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Edit Group" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Group" });
  await dialog.getByLabel("Description").fill("Mine");
  await system.call(groups.update, {
    params: { id },
    body: { name, description: "Theirs", userIds: [mei?.id, luis?.id] },
  });
  const fail = await intercept(page, `**/api/usergroups/${id}`, (route) =>
    route.request().method() === "PUT" ? flooded(route) : route.continue(),
  );
  await dialog.getByRole("button", { name: "Save Changes" }).click();
  // spec 478
  await expectToast(page, "Error", "Failed to update user group: 500: ");
  fail();
  await dialog.getByRole("button", { name: "Save Changes" }).click();
  await expect(dialog.getByText("Someone else changed this group, or you did in another tab.")).toBeVisible();
  expect(await page.evaluate(() => globalThis.shownToasts)).toEqual([]);
  await dialog.getByRole("button", { name: "Load the other version" }).click();
  await expect(dialog.getByLabel("Description")).toHaveValue("Theirs");
  await expect(dialog.getByText("2 people in the group once it is saved.")).toBeVisible();
  await dialog.getByLabel("Description").fill("Both");
  // A save that has no answer yet can still fail, so leaving asks. Once it is saved, closing does not.
  const release = await hold(page, `**/api/usergroups/${id}`);
  await dialog.getByRole("button", { name: "Save Changes" }).click();
  await page.goBack();
  await page.getByRole("alertdialog", { name: "Leave without saving?" }).getByText("Cancel").click();
  await expect(dialog.getByLabel("Description")).toHaveValue("Both");
  release();
  await expectToast(page, "User group updated", `“${name}” has 2 people.`);
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("alertdialog")).toBeHidden();
});
