import type { BrowserContext } from "@playwright/test";
import { notifications } from "#contract/calls/notifications.ts";
import { ComposeDialog } from "./compose-dialog.ts";
import { expect, test } from "./fixtures.ts";
import { moveIn, token } from "./people.ts";
import { expectToast } from "./toast.ts";

/**
 * Translates pages as a browser does: a `<font>` with other words takes the place of each text, as soon as it appears,
 * except where `translate="no"` says otherwise. Here the words stay, between ‹ and ›.
 */
async function translatePages(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const skipped = "font, script, style, textarea, [translate=no], [aria-label='Notifications (F8)']";
    const isForeign = (text: Text) => text.data.trim() !== "" && !text.parentElement?.closest(skipped);
    const translate = () => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found: Text[] = [];
      while (walker.nextNode())
        if (isForeign(walker.currentNode as Text)) found.push(walker.currentNode as Text);
      for (const text of found) {
        const outer = document.createElement("font");
        outer.append(document.createElement("font"));
        outer.firstElementChild?.append(`‹${text.data}›`);
        text.replaceWith(outer);
      }
    };
    addEventListener("DOMContentLoaded", () => {
      new MutationObserver(translate).observe(document.body, {
        childList: true,
        characterData: true,
        subtree: true,
      });
    });
  });
}

test("a page that the browser translates goes on working, and shows what is so", async ({
  page,
  context,
  system,
}) => {
  await translatePages(context);
  const property = await moveIn(system.call, [{}, {}]);
  const title = `Translated ${token()}`;
  await page.goto("/");
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("‹Dashboard›");
  for (const screen of ["Templates", "Schedules", "Settings", "Notifications"]) {
    await page.getByRole("navigation").getByRole("link", { name: screen }).first().click();
    await expect(heading).toHaveText(`‹${screen}›`);
  }
  const search = page.getByRole("searchbox");
  await search.fill("no such thing");
  await expect(page.getByText("‹No matching notifications found›")).toBeVisible();
  await search.fill("");

  const dialog = new ComposeDialog(page);
  await page.getByRole("button", { name: "New Notification" }).first().click();
  await dialog.title.fill(title);
  await dialog.root.locator("textarea").fill("Water off – “sorry” 🙂 ".repeat(8));
  await dialog.recipients.fill(property.name);
  await dialog.root.getByRole("option").filter({ hasText: property.name }).first().click();
  await dialog.channel("SMS").check();
  await dialog.channel("Email").check();
  await expect(dialog.root).toContainText("2 people");
  // A figure that changes is not left as it was translated.
  await dialog.root.locator("label", { hasText: "Individuals" }).click();
  const [first] = property.tenants;
  await dialog.root.getByRole("button", { name: `‹Remove ›${property.name}` }).click();
  await dialog.recipients.fill(first?.lastName ?? "");
  await dialog.root.getByRole("option").first().click();
  await expect(dialog.root).toContainText("1 person");
  await expect(dialog.root).not.toContainText("2 people");
  for (const when of ["Schedule for later", "Recurring", "Send immediately"]) {
    await dialog.root.locator("label", { hasText: when }).click();
  }
  await dialog.send.click();
  await expectToast(page, "Notification Sent");
  await expect.poll(() => system.call(notifications.list, { query: { q: title } })).toHaveLength(1);

  await page.goto("/users?open=new");
  const person = page.getByRole("dialog");
  await person.getByLabel("Email", { exact: false }).first().fill("x");
  await person.getByRole("button", { name: "Create User" }).click();
  await expect(person.getByText("‹Invalid email address›")).toBeVisible();
  await person.getByLabel("Email", { exact: false }).first().fill("x@example.com");
  await expect(person.getByText("Invalid email address")).toHaveCount(0);
});

test("a dialog that can't be shown leaves the page and what is typed", async ({ page, complaints }) => {
  await page.goto("/users?open=new");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("First name").fill("Half a na");
  // A fault of ours, as soon as this sentence is to be shown.
  await page.evaluate(() => {
    const { prototype } = Node;
    const real = Object.getOwnPropertyDescriptor(prototype, "textContent");
    Object.defineProperty(prototype, "textContent", {
      ...real,
      set(text: string) {
        if (text === "Last name is required") throw new Error("A fault of ours");
        real?.set?.call(this, text);
      },
    });
    Object.assign(globalThis, { mend: () => Object.defineProperty(prototype, "textContent", real ?? {}) });
  });
  await dialog.getByRole("button", { name: "Create User" }).click();
  await expect(page.getByText("We couldn't show this dialog")).toBeVisible();
  await page.evaluate(() => (globalThis as unknown as { mend: () => void }).mend());
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(dialog.getByLabel("First name")).toHaveValue("Half a na");
  complaints.splice(0);
});
