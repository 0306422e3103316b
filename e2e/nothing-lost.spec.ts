import type { Locator, Page } from "@playwright/test";
import { csv } from "#contract/calls/csv.ts";
import { groups } from "#contract/calls/groups.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { ComposeDialog } from "./compose-dialog.ts";
import { png } from "./files.ts";
import { expect, test } from "./fixtures.ts";
import { flooded, hold, intercept } from "./intercept.ts";
import { openEditor, saveDraft } from "./notification-page.ts";
import { moveIn, token } from "./people.ts";
import { reconnecting } from "./porchlight.ts";
import { expectToast } from "./toast.ts";

/** What someone types is never lost, and never sent as something else. */

const kept = (dialog: ComposeDialog): Locator => dialog.root.getByText("Kept in this browser");

async function composeOn(page: Page): Promise<ComposeDialog> {
  await page.goto("/notifications");
  return new ComposeDialog(page).open();
}

test("doesn't claim that a recipient added after sending got the message", async ({ page, system }) => {
  const [alpha, beta] = [await moveIn(system.call, [{}]), await moveIn(system.call, [{}])];
  const title = `Taken ${token()}`;
  const dialog = await composeOn(page);
  await dialog.write({ title, message: "Hello.", recipients: [alpha.name], channels: ["Email"] });
  await expect(kept(dialog)).toBeVisible();
  // The server accepts it, and the page is left before the reply arrives.
  const taken = Promise.withResolvers<void>();
  const pass = await intercept(page, "**/api/send-notification", async (route) => {
    await route.fetch();
    taken.resolve();
  });
  await dialog.send.click();
  await taken.promise;
  pass();
  await page.goto("/notifications");
  await expect(page.getByRole("row").filter({ hasText: title })).toHaveCount(1);

  await dialog.open();
  await dialog.addRecipient(beta.name);
  await dialog.send.click();
  await expectToast(page, "Already sent", `for ${alpha.name} by Email`);
  await expect(dialog.title).toHaveValue(title);
  expect(system.mail.to(beta.tenants[0]?.email ?? "")).toEqual([]);

  await dialog.root.getByRole("button", { name: `Remove ${alpha.name}` }).click();
  await dialog.send.click();
  await expectToast(page, "Notification Sent");
  await expect.poll(() => system.mail.to(beta.tenants[0]?.email ?? "")).toHaveLength(1);
  expect(system.mail.to(alpha.tenants[0]?.email ?? "")).toHaveLength(1);
  await dialog.open();
  await expect(dialog.title).toHaveValue("");
});

test("two tabs keep separate drafts", async ({ context, page, system }) => {
  const property = await moveIn(system.call, [{}]);
  const [mine, theirs] = [`Mine ${token()}`, `Theirs ${token()}`];
  const other = await context.newPage();
  const there = await composeOn(other);
  const here = await composeOn(page);
  await there.title.fill(theirs);
  await expect(kept(there)).toBeVisible();
  await here.write({ title: mine, message: "Hello.", recipients: [property.name], channels: ["Email"] });
  await here.send.click();
  await expectToast(page, "Notification Sent");
  await expect(kept(there)).toBeVisible();
  // A new tab offers the other tab's draft, as if that one had crashed.
  const third = await context.newPage();
  const after = await composeOn(third);
  await expect(after.title).toHaveValue(theirs);
  // Both tabs now have the same text. From here on, each keeps its own draft.
  await after.title.fill(`${theirs}, third tab`);
  await expect(after.root.getByText("Your draft is back")).toBeVisible();
  await there.title.fill(`${theirs}, other tab`);
  await after.root.getByRole("button", { name: "Discard" }).click();
  await third.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
  await expect(after.title).toHaveValue("");
  // The dialog is in the URL, so it opens again.
  await third.reload();
  await expect(after.title).toHaveValue(`${theirs}, other tab`);
});

test("copies unsaved changes into a new notification, even over an older unfinished copy", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}]);
  const id = await saveDraft(system.call, property);
  const copy = new ComposeDialog(page);
  await page.goto(`/notifications/${id}`);
  await page.getByRole("button", { name: "Copy to new notification" }).click();
  await copy.title.fill("Begun and left");
  await expect(kept(copy)).toBeVisible();
  await copy.root.getByRole("button", { name: "Cancel" }).click();

  await page.getByRole("button", { name: "Edit Notification" }).click();
  const edit = page.getByRole("dialog", { name: "Edit Notification" });
  const typed = `Typed ${token()}`;
  await edit.getByLabel("Title").fill(typed);
  await system.call(notifications.sendNow, { params: { id } });
  await expect(edit.getByText("What you just typed is copied too.")).toBeVisible();
  await edit.getByRole("button", { name: "Copy to new notification" }).click();
  await expect(copy.title).toHaveValue(typed);
  await page.reload();
  await page.getByRole("button", { name: "Copy to new notification" }).click();
  await expect(copy.title).toHaveValue(typed);
});

test("asks before sending if the recipients can't be counted", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  const title = `Uncounted ${token()}`;
  await page.route("**/api/audience/reach", flooded);
  const dialog = await composeOn(page);
  await dialog.write({ title, message: "Hello.", recipients: [property.name], channels: ["Email"] });
  await dialog.send.click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("We couldn't count the recipients. Send anyway?");
  expect(await system.call(notifications.list, { query: { q: title } })).toEqual([]);
  await question.getByRole("button", { name: "Send anyway" }).click();
  await expectToast(page, "Notification Sent");
});

test("doesn't let you discard an unsent notification while it is being sent", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  const title = `Under way ${token()}`;
  const dialog = await composeOn(page);
  await dialog.write({ title, message: "Hello.", recipients: [property.name], channels: ["SMS"] });
  let meanwhile = () => {};
  const held = new Promise<void>((resolve) => (meanwhile = resolve));
  let calls = 0;
  await page.route("**/api/send-notification", async (route) => {
    calls += 1;
    if (calls === 1) return route.abort("connectionrefused");
    await held;
    return route.continue();
  });
  await dialog.send.click();
  const row = page.getByRole("row").filter({ hasText: title });
  await row.getByRole("button", { name: `Try ${title} now` }).click();
  await expect(row.getByText("Being sent…")).toBeVisible();
  await expect(row.getByRole("button", { name: `Discard ${title}` })).toBeDisabled();
  meanwhile();
  await expectToast(page, "Notification Sent", "Sent to the Sandbox. No one received it.");
  await expect(row.getByText("Delivered", { exact: true })).toBeVisible();
});

test("keeps an open dialog with typed text when its data can't be refreshed", async ({ page, system }) => {
  const name = `Book club ${token()}`;
  const { id } = await system.call(groups.create, { body: { name } });
  const dialog = new ComposeDialog(page);
  await page.goto(`/users?tab=groups&q=${encodeURIComponent(name)}&write=group:${id}`);
  await dialog.title.fill("Half a sent");
  await system.call(groups.remove, { params: { id } });
  // Reopens the event stream, after which everything on screen is fetched again.
  const read = page.waitForResponse((response) => response.url().includes("/api/usergroups?"));
  await page.evaluate(() => {
    for (const hidden of [true, false]) {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
      document.dispatchEvent(new Event("visibilitychange"));
    }
  });
  await (await read).finished();
  await expect(page.getByRole("link", { name, includeHidden: true })).toHaveCount(0);
  await expect(page.getByText("No one to message")).toHaveCount(0);
  await expect(dialog.title).toHaveValue("Half a sent");
});

test("counts a draft's recipients again when the list is shown again", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  const title = `Planned ${token()}`;
  await saveDraft(system.call, property, title);
  await page.goto(`/notifications?q=${encodeURIComponent(title)}`);
  const row = page.getByRole("row").filter({ hasText: title });
  await expect(row).toContainText("1 person");
  await page.getByRole("navigation").getByRole("link", { name: "Templates", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Templates", level: 1 })).toBeVisible();
  const newcomer = {
    username: token(),
    firstName: "Nell",
    lastName: "Newman",
    email: `${token()}@example.com`,
  };
  await system.call(csv.import, { body: [{ ...newcomer, propertyUnit: `${property.name}, Unit 9A` }] });
  await page.goBack();
  await expect(row).toContainText("2 people");
});

test("doesn't save while a file hasn't been uploaded, and says so", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  const id = await saveDraft(system.call, property);
  const edit = await openEditor(page, id);
  const pass = await intercept(page, "**/api/attachments**", (route) => route.abort("connectionreset"));
  await edit.locator('input[type="file"]').setInputFiles([png("plan.png")]);
  await edit.getByRole("button", { name: "Save Changes" }).click();
  await expect(edit.getByText(/^One of the files isn't attached\./)).toBeVisible();
  await expect(edit.getByRole("group", { name: "Attachments" })).toBeFocused();
  // A file that failed is unsaved work too.
  await page.keyboard.press("Escape");
  await page.getByRole("alertdialog", { name: "Discard your changes?" }).getByText("Keep editing").click();
  pass();
  await edit.getByRole("button", { name: "Retry plan.png" }).click();
  await expect(edit.getByRole("button", { name: "Choose files or drop them here" })).toBeFocused();
  await edit.getByRole("button", { name: "Save Changes" }).click();
  await expectToast(page, "Notification updated");
  const saved = await system.call(notifications.detail, { params: { id } });
  expect(saved.attachments.map(({ name }) => name)).toEqual(["plan.png"]);

  // A draft keeps what was typed, but not a file that is still on its way.
  const dialog = await composeOn(page);
  await dialog.title.fill("With a photo");
  await expect(kept(dialog)).toBeVisible();
  const release = await hold(page, "**/api/attachments**");
  await dialog.attach(png("photo.png"));
  await expect(dialog.root.getByText("photo.png")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("alertdialog", { name: "Close without the file?" }).getByText("Keep editing").click();
  release();
  await expect(dialog.root.getByRole("button", { name: "Remove photo.png" })).toBeVisible();

  // A text that the browser has no room for is discarded with the earlier one that it kept.
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    };
  });
  await dialog.title.fill("With a photo of the roof");
  await expect(kept(dialog)).toBeHidden();
  await page.keyboard.press("Escape");
  await page
    .getByRole("alertdialog", { name: "Discard your changes?" })
    .getByText("Discard", { exact: true })
    .click();
  await expect(dialog.root).toBeHidden();
  await dialog.open();
  await expect(dialog.title).toHaveValue("");
});

test.describe("for a tenant", () => {
  test.use({ as: "tenant" });

  test("the header only links to what they can open, and the outage banner disappears when the server is back", async ({
    page,
    complaints,
  }) => {
    await page.goto("/profile");
    await expect(page.getByRole("heading", { name: "My Profile", level: 1 })).toBeVisible();
    const header = page.getByRole("banner");
    await expect(header.getByRole("link", { name: "Help & Documentation" })).toBeVisible();
    await expect(header.locator("[aria-hidden]").getByText("Tess Lindqvist", { exact: true })).toBeVisible();
    await header.getByRole("button", { name: /your menu$/ }).click();
    await expect(page.getByRole("menuitem", { name: "My Profile" })).toBeVisible();
    await expect(
      page.getByRole("link", { name: /Settings|Templates|User Management/, includeHidden: true }),
    ).toHaveCount(0);
    await expect(page.getByRole("menuitem", { name: "Settings" })).toHaveCount(0);
    await page.keyboard.press("Escape");

    const banner = page.getByText("The server cannot be reached.", { exact: true });
    const pass = await intercept(page, "**/api/**", (route) => route.abort("connectionrefused"));
    await page.evaluate(() => dispatchEvent(new Event("offline")));
    await expect(banner).toBeVisible();
    pass();
    await expect(banner).toBeHidden(reconnecting);
    complaints.splice(0);
  });
});
