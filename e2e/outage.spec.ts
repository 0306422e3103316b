import type { Page } from "@playwright/test";
import { notifications } from "#contract/calls/notifications.ts";
import { readManifest, withImports } from "#server/http/page.ts";
import { ensureWebBuild } from "#server/web-build.ts";
import { ComposeDialog } from "./compose-dialog.ts";
import { expect, test, unexplained } from "./fixtures.ts";
import { blocked, intercept } from "./intercept.ts";
import { moveIn, token } from "./people.ts";
import { reconnecting } from "./porchlight.ts";
import { expectToast } from "./toast.ts";

test("screens and dialogs work during an outage, and what is written meanwhile is sent once", async ({
  page,
  system,
  complaints,
}) => {
  const property = await moveIn(system.call, [{}]);
  const title = `Out of reach ${token()}`;
  await openWithAllCode(page);
  // Running all of it would keep the page busy.
  expect(await hasRun(page, "compose-dialog")).toBe(false);
  const dialog = await new ComposeDialog(page).open();
  expect(await hasRun(page, "compose-dialog")).toBe(true);
  await dialog.write({
    title,
    message: "Written without a server.",
    recipients: [property.name],
    channels: ["Email"],
  });
  await dialog.counted("1 person, 1 message.");
  await system.server.kill();
  await dialog.send.click();
  await expectToast(page, "Not yet sent", "is saved in this browser");
  const row = page.getByRole("row").filter({ hasText: title });
  await expect(row.getByText("Not yet sent")).toBeVisible();
  await page.getByRole("navigation").getByRole("link", { name: "Notifications", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Notifications", level: 1 })).toBeVisible();
  await expect(page.getByText("The server cannot be reached.", { exact: true })).toBeVisible();
  await expect(row.getByText("Not yet sent")).toBeVisible();
  await new ComposeDialog(page).open();
  await page.keyboard.press("Escape");

  await system.server.start();
  await expect(row.getByText("Delivered", { exact: true })).toBeVisible(reconnecting);
  await expect(row).toHaveCount(1);
  expect(await system.call(notifications.list, { query: { q: title } })).toHaveLength(1);
  expect(system.mail.to(property.tenants[0]?.email ?? "")).toHaveLength(1);
  expect(unexplained(complaints)).toEqual([]);
});

// spec 230, 232
test("lets you choose groups during an outage, and people once the server is back", async ({
  page,
  system,
  complaints,
}) => {
  const property = await moveIn(system.call, [{}]);
  const lastName = property.tenants[0]?.lastName ?? "";
  await openWithAllCode(page);
  await system.server.kill();
  const dialog = await new ComposeDialog(page).open();
  await dialog.addRecipient(property.name);
  await dialog.recipients.fill(property.name);
  await expect(dialog.root.getByText("Already chosen")).toBeVisible();
  await dialog.choose("Individuals");
  await dialog.recipients.fill(lastName);
  await expect(dialog.root.getByText("You can choose recipients once the server is back.")).toBeVisible();

  await system.server.start();
  await dialog.root.getByRole("option").filter({ hasText: lastName }).first().click(reconnecting);
  await expect(dialog.root.getByRole("button", { name: `Remove ${property.name}` })).toBeVisible();
  expect(unexplained(complaints)).toEqual([]);
});

test("keeps the page when a screen's code can't be loaded, and loads it once the server is back", async ({
  page,
  system,
  complaints,
}) => {
  const navigation = page.getByRole("navigation");
  const failure = page.getByText("We couldn't show this screen");
  const pass = await intercept(page, screens, (route) => route.abort("connectionrefused"));
  await page.goto("/profile");
  await expect(page.getByRole("heading", { name: "My Profile", level: 1 })).toBeVisible();
  await stays(page);
  // A network's sign-in page comes in its place only for a moment, which no call notices.
  const passTemplates = await intercept(page, /(?:\/assets\/templates-[\w-]+\.js|:\d+\/)$/, (route) =>
    blocked(route, 200),
  );
  await navigation.getByRole("link", { name: "Templates" }).click();
  await expect(failure).toBeVisible();
  passTemplates();
  await expect(page.getByRole("heading", { name: "Templates", level: 1 })).toBeVisible();
  await system.server.kill();
  await navigation.getByRole("link", { name: "User Management" }).click();
  await expect(failure).toBeVisible();
  await navigation.getByRole("link", { name: "Settings", exact: true }).click();
  await expect(failure).toBeVisible();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(failure).toBeVisible();
  await expect(page.getByText("The server cannot be reached.", { exact: true })).toBeVisible();
  pass();
  await system.server.start();
  await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible(reconnecting);
  await navigation.getByRole("link", { name: "User Management" }).click();
  await expect(page.getByRole("heading", { name: "User Management", level: 1 })).toBeVisible();
  expect(await hasStayed(page)).toBe(true);
  expect(unexplained(complaints)).toEqual([]);
});

test("says that the page is outdated when its code is gone, and keeps what is typed until it is reloaded", async ({
  page,
  system,
  complaints,
}) => {
  const index = await (await fetch(system.server.url, { headers: { Accept: "text/html" } })).text();
  const passScreens = await intercept(page, screens, (route) =>
    route.fulfill({ status: 404, json: { message: "Gone" } }),
  );
  const passPage = await intercept(page, `${system.server.url}/`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: index.replaceAll(/\/assets\/index-[\w-]+\.js/g, "/assets/new.js"),
    }),
  );
  await page.goto("/profile");
  await stays(page);
  await page.getByLabel("First name").fill("Half a na");
  await expect(page.getByText("Porchlight was updated.", { exact: true })).toBeVisible();
  await expect(page.getByLabel("First name")).toHaveValue("Half a na");
  await page.getByRole("navigation").getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Leave" }).click();
  await expect(page.getByText("This screen needs a newer version")).toBeVisible();
  expect(await hasStayed(page)).toBe(true);
  passScreens();
  passPage();
  await page.getByRole("main").getByRole("button", { name: "Reload" }).last().click();
  await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
  await expect(page.getByText("Porchlight was updated.", { exact: true })).toHaveCount(0);
  expect(unexplained(complaints)).toEqual([]);
});

test("doesn't call anything deleted because a proxy answers 404", async ({ page }) => {
  await intercept(page, /\/api\/(?:\w+\/999999|auth\/password-link\/.*)$/, (route) => blocked(route, 404));
  for (const [path, sentence] of [
    ["/notifications/999999", "Error loading notification details"],
    ["/users?person=999999", "Error loading this person"],
    ["/schedules?edit=999999", "We couldn't load this schedule"],
    ["/set-password/a-link", "We couldn't check this link"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(sentence)).toBeVisible();
    await expect(page.getByText("A proxy or Wi-Fi sign-in page answered")).toBeVisible();
  }
});

/** The code of Settings and of User Management. */
const screens = /\/assets\/(?:settings|users)-[\w-]+\.js$/;

/** Opens the dashboard and waits until all screens and, last, their dialogs are fetched in the background. */
async function openWithAllCode(page: Page): Promise<void> {
  const manifest = (await readManifest(await ensureWebBuild())) ?? {};
  const parts = ["notifications", "notification", "users", "compose-dialog", "edit-dialog", "calendar"];
  const entries = Object.keys(manifest).filter((name) => parts.some((part) => name.endsWith(`/${part}.tsx`)));
  // With the files that they have in common, which may come last.
  const missing = new Set([...withImports(manifest, entries)].map((name) => `/${manifest[name]?.file}`));
  page.on("requestfinished", (request) => void missing.delete(new URL(request.url()).pathname));
  await page.goto("/");
  await expect.poll(() => [...missing], { timeout: 60_000 }).toEqual([]);
}

/** Whether the page has imported this code, and not only fetched it. */
function hasRun(page: Page, name: string): Promise<boolean> {
  return page.evaluate((part) => {
    const resources = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    return resources.some(({ name, initiatorType }) => name.includes(part) && initiatorType !== "fetch");
  }, `/assets/${name}-`);
}

/** Marks the page. A reload removes the mark. */
async function stays(page: Page): Promise<void> {
  await page.evaluate(() => document.documentElement.setAttribute("data-marked", ""));
}

function hasStayed(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.hasAttribute("data-marked"));
}
