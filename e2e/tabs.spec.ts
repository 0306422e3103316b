import type { BrowserContext, Page } from "@playwright/test";
import { notifications } from "#contract/calls/notifications.ts";
import { ComposeDialog } from "./compose-dialog.ts";
import { expect, test } from "./fixtures.ts";
import { moveIn, token } from "./people.ts";
import { reconnecting } from "./porchlight.ts";
import type { Account, StaffedSystem } from "./system.ts";
import { expectToast } from "./toast.ts";

/** A browser under test reports every tab as visible. This makes a page visible or hidden. */
async function setVisible(page: Page, visible: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, !visible);
}

const list = (page: Page) => page.getByRole("heading", { name: "Notifications", level: 1 });

// spec 264
test("eight tabs work, and a hidden tab is up to date when it is shown", async ({ context, system }) => {
  const property = await moveIn(system.call, [{}]);
  const tabs: Page[] = [];
  for (let n = 0; n < 8; n += 1) {
    const tab = await context.newPage();
    await tab.goto("/notifications");
    await expect(list(tab)).toBeVisible();
    for (const other of tabs) await setVisible(other, false);
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
  const asked: string[] = [];
  first.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await setVisible(last, false);
  await setVisible(first, true);
  await first.evaluate(() => dispatchEvent(new Event("focus")));
  await delivered(first);
  // spec 226
  expect(asked).not.toContain("/api/auth/me");

  // People who are added elsewhere appear by themselves.
  await first.goto("/users?sort=newest");
  await expect(first.getByRole("row").nth(1)).toBeVisible();
  const later = await moveIn(system.call, [{}]);
  const row = first.getByRole("row").filter({ hasText: later.tenants[0]?.email ?? "" });
  await expect(row).toBeVisible();
});

/** Signs someone in, as another tab would. */
async function signInElsewhere(
  context: BrowserContext,
  system: StaffedSystem,
  who: "admin" | "staff",
): Promise<void> {
  const [name = "", value = ""] = system.cookies[who].split("=");
  await context.addCookies([{ name, value, url: system.server.url }]);
}

test("unsent notifications are never sent in another person's name, and only after their author has looked at them", async ({
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
  await expectToast(page, "Not yet sent", "is saved in this browser");
  await signInElsewhere(context, system, "staff");
  await system.server.start();
  // The page now belongs to the person who has signed in.
  await expect(menuOf(staff)).toBeVisible(reconnecting);
  await expect(page.getByText(title)).toHaveCount(0);
  expect(await system.call(notifications.list, { query: { q: title } })).toEqual([]);

  await signInElsewhere(context, system, "admin");
  await page.reload();
  const row = page.getByRole("row").filter({ hasText: title });
  await expect(row).toContainText(
    "Someone else has signed in on this browser since you wrote this.",
    reconnecting,
  );
  expect(await system.call(notifications.list, { query: { q: title } })).toEqual([]);
  await row.getByRole("button", { name: `Edit ${title}` }).click();
  const edited = new ComposeDialog(page);
  await expect(edited.title).toHaveValue(title);
  await page.goBack();
  await expect(edited.root).toBeHidden();
  await page.goForward();
  await page.reload();
  await edited.send.click();
  await expect(row.getByText("Delivered", { exact: true })).toBeVisible(reconnecting);
  const [sent] = await system.call(notifications.list, { query: { q: title } });
  expect(sent?.createdBy).toContain(admin.firstName);
  complaints.splice(0);
});
