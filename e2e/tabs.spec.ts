import type { BrowserContext, Page } from "@playwright/test";
import { notifications } from "#contract/notifications.ts";
import { ComposeDialog } from "./compose-dialog.ts";
import { expect, test } from "./fixtures.ts";
import { moveIn, token } from "./people.ts";
import { reconnecting } from "./porchlight.ts";
import type { Account, StaffedSystem } from "./system.ts";
import { expectToast } from "./toast.ts";

/** The driven browser takes every tab for seen: this says of a page whether someone sees it. */
async function see(page: Page, seen: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, !seen);
}

const list = (page: Page) => page.getByRole("heading", { name: "Notifications", level: 1 });

test("eight tabs work, and one that was not seen is up to date when it is", async ({ context, system }) => {
  const property = await moveIn(system.call, [{}]);
  const tabs: Page[] = [];
  for (let n = 0; n < 8; n += 1) {
    const tab = await context.newPage();
    await tab.goto("/notifications");
    await expect(list(tab)).toBeVisible();
    for (const other of tabs) await see(other, false);
    tabs.push(tab);
  }
  const title = `Told to eight ${token()}`;
  const last = tabs.at(-1)!;
  const dialog = await new ComposeDialog(last).open();
  await dialog.write({ title, message: "Hello.", recipients: [property.name], channels: ["Email"] });
  await dialog.send.click();
  const delivered = (tab: Page) =>
    expect(
      tab.getByRole("row").filter({ hasText: title }).getByText("Delivered", { exact: true }),
    ).toBeVisible();
  await delivered(last);
  const first = tabs[0]!;
  await expect(first.getByText(title)).toHaveCount(0);
  await see(last, false);
  await see(first, true);
  await delivered(first);
});

/** Signs someone else in, as another tab would. */
async function becomes(
  context: BrowserContext,
  system: StaffedSystem,
  who: "admin" | "staff",
): Promise<void> {
  const [name = "", value = ""] = system.cookies[who].split("=");
  await context.addCookies([{ name, value, url: system.server.url }]);
}

test("what one person keeps in the browser goes out in no other's name, and then only once they have looked at it", async ({
  context,
  page,
  system,
  complaints,
}) => {
  const property = await moveIn(system.call, [{}]);
  const title = `Not hers ${token()}`;
  const { admin, staff } = system.accounts;
  const menuOf = ({ firstName, lastName }: Account) =>
    page.getByRole("button", { name: `${firstName} ${lastName}, your menu` });
  await page.goto("/notifications");
  await expect(menuOf(admin)).toBeVisible();
  const dialog = await new ComposeDialog(page).open();
  await dialog.write({ title, message: "Hello.", recipients: [property.name], channels: ["Email"] });
  await dialog.counted("1 person, 1 message.");
  await system.server.kill();
  await dialog.send.click();
  await expectToast(page, "Not yet sent", "is saved on this computer");
  await becomes(context, system, "staff");
  await system.server.start();
  // The page is theirs now who has signed in.
  await expect(menuOf(staff)).toBeVisible(reconnecting);
  await expect(page.getByText(title)).toHaveCount(0);
  expect(await system.call(notifications.list, { query: { q: title } })).toEqual([]);

  await becomes(context, system, "admin");
  await page.reload();
  const row = page.getByRole("row").filter({ hasText: title });
  await expect(row).toContainText(
    "Someone else has signed in on this browser since you wrote this.",
    reconnecting,
  );
  expect(await system.call(notifications.list, { query: { q: title } })).toEqual([]);
  await row.getByRole("button", { name: `Edit ${title}` }).click();
  await new ComposeDialog(page).send.click();
  await expect(row.getByText("Delivered", { exact: true })).toBeVisible(reconnecting);
  const [sent] = await system.call(notifications.list, { query: { q: title } });
  expect(sent?.createdBy).toContain(admin.firstName);
  complaints.splice(0);
});
