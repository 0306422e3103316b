import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { ComposeDialog } from "./compose-dialog.ts";
import { expect, test } from "./fixtures.ts";
import { hold } from "./intercept.ts";
import { moveIn, token } from "./people.ts";

/** Presses Tab, up to 60 times, until the element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let step = 0; step < 60; step += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${String(target)}`);
}

test.describe("without a mouse", () => {
  test.use({ as: "nobody" });

  test("signs in, writes and sends, and the focus returns to where it was", async ({ page, system }) => {
    const property = await moveIn(system.call, [{}]);
    const title = `Typed ${token()}`;
    await page.goto("/auth");
    await tabTo(page, page.getByLabel("Username"));
    await page.keyboard.type(system.accounts.admin.username);
    await tabTo(page, page.getByLabel("Password", { exact: true }));
    await page.keyboard.type(system.accounts.admin.password);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Dashboard" })).toBeVisible();

    const opener = page.getByRole("button", { name: "New Notification" });
    await tabTo(page, opener);
    await page.keyboard.press("Enter");
    const dialog = new ComposeDialog(page);
    await expect(dialog.title).toBeFocused();
    await page.keyboard.type(title);
    await tabTo(page, dialog.message);
    await page.keyboard.type("Hello {{first_name}}.");
    await tabTo(page, dialog.recipients);
    await page.keyboard.type(property.name);
    await expect(dialog.root.getByRole("option")).toHaveCount(2);
    // The Enter that ends the composition of a character picks nothing.
    await dialog.recipients.dispatchEvent("keydown", { key: "Enter", isComposing: true });
    await expect(dialog.root.getByRole("option")).toHaveCount(2);
    await page.keyboard.press("Enter");
    await expect(dialog.root.getByRole("button", { name: `Remove ${property.name}` })).toBeVisible();
    await tabTo(page, dialog.channel("Email"));
    await page.keyboard.press("Space");
    await expect(dialog.channel("Email")).toBeChecked();
    // spec 140
    await tabTo(page, dialog.send);
    await page.keyboard.press("Enter");
    await expect(dialog.root).toBeHidden();
    await expect(opener).toBeFocused();
    await expect.poll(() => system.mail.to(property.tenants[0]?.email ?? "")).toHaveLength(1);
  });
});

/** A dialog only responds to the keyboard once it has the focus, slightly after it becomes visible. */
async function expectFocusWithin(dialog: Locator): Promise<void> {
  await expect.poll(() => dialog.evaluate((root) => root.contains(document.activeElement))).toBe(true);
}

// spec 189
test("offers to skip the navigation, Escape closes each dialog and returns the focus, and an open one keeps it", async ({
  page,
}) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  for (const [opener, name] of [
    // spec 76
    ["New Notification", "Create New Notification"],
    ["Import CSV", "Import/Export CSV"],
  ] as const) {
    const button = page.getByRole("button", { name: opener });
    const dialog = page.getByRole("dialog", { name });
    await button.focus();
    await page.keyboard.press("Enter");
    await expectFocusWithin(dialog);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(button).toBeFocused();
  }
  const { root, message } = await new ComposeDialog(page).open();
  // High contrast shows neither shadows nor our colors.
  await page.emulateMedia({ forcedColors: "active" });
  await tabTo(page, message);
  const field = root.locator(".control:has(textarea)");
  await expect(field).toHaveCSS("outline-style", "solid");
  await expect(field).not.toHaveCSS("outline-color", "rgba(0, 0, 0, 0)");
  await page.emulateMedia({ forcedColors: null });
  for (let step = 0; step < 30; step += 1) {
    await page.keyboard.press("Tab");
    expect(await root.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
  }
});

test("closing a dialog returns the focus to the dialog below it", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  await dialog.write({ title: "Lower", message: "Hello.", recipients: [property.name], channels: ["SMS"] });
  const button = dialog.root.getByRole("button", { name: "Who gets what" });
  await button.focus();
  await page.keyboard.press("Enter");
  await expectFocusWithin(page.getByRole("dialog", { name: "Who gets what" }));
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "Who gets what" })).toBeHidden();
  await expect(button).toBeFocused();
  await expect(dialog.root).toBeVisible();
});

test("the command palette opens dialogs, screens and people, and what is typed stays", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}]);
  const [tenant] = property.tenants;
  const palette = page.getByRole("dialog", { name: "Search or jump to" });
  const search = async (text: string, line: string) => {
    await page.keyboard.press("Control+k");
    await expect(palette.getByRole("combobox")).toBeFocused();
    await page.keyboard.type(text);
    await expect(palette.getByRole("option", { name: line, selected: true })).toBeVisible();
  };
  await page.goto("/notifications");
  await expect(page.getByRole("heading", { name: "Notifications", level: 1 })).toBeVisible();

  // The first time, its code is still loading while someone types.
  const load = await hold(page, "**/assets/palette-dialog-*.js");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("add");
  load();
  await expect(palette.getByRole("combobox")).toHaveValue("add");
  await expect(palette.getByRole("combobox")).toBeFocused();
  await page.keyboard.type(" user");
  await expect(palette.getByRole("combobox")).toHaveValue("add user");
  await page.keyboard.press("Escape");
  await expect(palette).toBeHidden();

  await search("add us", "Add User");
  await page.keyboard.press("Enter");
  const person = page.getByRole("dialog", { name: "Add User" });
  await expect(person.getByLabel("First name")).toBeVisible();
  await person.getByLabel("First name").fill("Nell");

  // Over a form, it asks before anything is lost.
  await search("dashb", "Dashboard");
  await page.keyboard.press("Enter");
  const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(person.getByLabel("First name")).toHaveValue("Nell");
  await person.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
  await expect(page).toHaveURL(/\/users$/);

  await search(tenant?.email ?? "", `${tenant?.firstName} ${tenant?.lastName}`);
  await expectAccessible(page);
  await page.emulateMedia({ forcedColors: "active" });
  await expect(palette.getByRole("option", { selected: true })).toHaveCSS("outline-style", "solid");
  await page.emulateMedia({ forcedColors: null });
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`person=${tenant?.id}`));
  await expect(page.getByRole("dialog", { name: tenant?.lastName })).toBeVisible();
  await page.keyboard.press("Escape");

  // Before anything is typed, what was opened last comes first. Escape returns the focus.
  await page.getByRole("main").focus();
  await page.keyboard.press("Control+k");
  await expect(palette.getByRole("option").first()).toContainText(tenant?.lastName ?? "");
  await expect(palette.getByRole("group", { name: "Go to" })).toBeVisible();
  await page.keyboard.type("林");
  await expect(palette.getByText("Type at least 2 characters")).toBeVisible();
  await page.keyboard.type("林");
  await expect(palette.getByText("Nothing found for “林林”. Try another word.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(palette).toBeHidden();
  await expect(page.getByRole("main")).toBeFocused();

  // On a Mac, Ctrl+K belongs to the text field.
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "userAgent", { get: () => "Mozilla/5.0 (Macintosh)" });
  });
  await page.reload();
  await expect(page.getByRole("button", { name: "Search or jump to" })).toHaveAttribute(
    "aria-keyshortcuts",
    "Meta+K",
  );
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Meta+k");
  await expect(palette.getByRole("combobox")).toBeFocused();
});
