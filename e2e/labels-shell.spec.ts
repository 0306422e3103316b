import { expect, test } from "./fixtures.ts";
import { flooded, hold, intercept, withoutEvents } from "./intercept.ts";
import { expectToast } from "./toast.ts";

/** Sign-in page, header, sidebar and toasts as the specification writes them: labels, sizes and states. */

test.describe("signed out", () => {
  test.use({ as: "nobody" });

  test("the sign-in page", async ({ page, system }) => {
    await page.goto("/notifications");
    const panel = page.getByRole("region", { name: "About Porchlight" });
    // spec 59-61
    for (const feature of [
      "Multi-channel notifications",
      "Tenant and staff management with groups",
      "Scheduled notifications",
    ]) {
      await expect(panel.getByText(feature, { exact: true })).toBeVisible();
    }
    // spec 62
    await expect(page.getByRole("tab")).toHaveText(["Login", "Register"]);
    // spec 63-65
    await page.getByLabel("Username").fill(system.accounts.admin.username);
    await page.getByLabel("Password", { exact: true }).fill(system.accounts.admin.password);
    const button = page.getByRole("button", { name: "Sign In", exact: true });
    const answer = await hold(page, "**/api/auth/login");
    await button.click();
    // spec 66, 72
    await expect(button).toBeDisabled();
    await expect(button.locator(".animate-spin")).toBeVisible();
    await page.setViewportSize({ width: 390, height: 844 });
    // spec 58
    await expect(panel).toBeHidden();
    answer();
    const screen = page.getByRole("heading", { name: "Notifications", level: 1 });
    await expect(screen).toBeVisible();

    const release = await hold(page, "**/api/auth/me");
    await page.reload();
    // spec 23
    const spinner = page.getByRole("status").filter({ hasText: "Loading..." });
    await expect
      .poll(async () => {
        const box = await spinner.boundingBox();
        return box && [box.x + box.width / 2, box.y + box.height / 2];
      })
      .toEqual([390 / 2, 844 / 2]);
    release();
    await expect(screen).toBeVisible();
  });
});

test("header, sidebar and theme", async ({ page }) => {
  const logo = "**/api/settings/value/companyLogo";
  let asked = 0;
  const pass = await intercept(page, logo, (route) => {
    asked += 1;
    return route.fulfill({ json: { key: "companyLogo", value: "", dataType: "base64" } });
  });
  await page.emulateMedia({ colorScheme: "dark" });
  await withoutEvents(page);
  await page.goto("/");
  const header = page.getByRole("banner");
  const brand = header.getByRole("link", { name: /, dashboard$/ });
  // spec 46
  await expect(brand).toHaveText("Porchlight");
  await expect(brand.locator('svg[data-icon="shield"]')).toBeVisible();
  await expect(header.locator("img")).toHaveCount(0);
  // spec 30, 33, 34
  for (const [name, path] of [
    [/^Notifications/, "/notifications"],
    ["Settings", "/settings"],
    ["Help & Documentation", "/help"],
  ] as const) {
    await expect(header.getByRole("link", { name })).toHaveAttribute("href", new RegExp(`^${path}`));
  }

  const sidebar = page.getByRole("complementary");
  const navigation = sidebar.getByRole("navigation", { name: "Main navigation" });
  await expect(navigation.getByRole("heading")).toHaveText(["Main", "Administration"]);
  const links = navigation.getByRole("link");
  // spec 47, 48
  await expect(links).toHaveText([
    "Dashboard",
    "Notifications",
    "Templates",
    "Schedules",
    "Properties",
    "Help",
    "User Management",
    "Settings",
    "Integrations",
  ]);
  const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  expect(paths.join()).toBe(
    "/,/notifications,/templates,/schedules,/properties,/help,/users,/settings,/integrations",
  );
  // spec 50
  await expect(sidebar).toHaveCSS("position", "fixed");
  await expect.poll(() => sidebar.boundingBox()).toMatchObject({ x: 0, width: 256 });
  const askedAtStart = asked;
  // spec 54
  await links.filter({ hasText: "Notifications" }).click();
  await expect(navigation.locator('[aria-current="page"]')).toHaveText("Notifications");
  // spec 56
  await expect(sidebar.getByText("No logo uploaded")).toBeVisible();
  // spec 43
  expect(askedAtStart).toBe(1);
  expect(asked).toBe(askedAtStart);
  // spec 7, 57
  await expect(sidebar.getByRole("button", { name: /^Push provider/ })).toHaveText(/Sandbox$/);
  const menu = header.getByRole("button", { name: "Menu", exact: true });
  await page.setViewportSize({ width: 767, height: 800 });
  // spec 274
  await expect(menu).toBeVisible();
  await page.setViewportSize({ width: 768, height: 800 });
  await expect(menu).toBeHidden();
  await page.setViewportSize({ width: 1280, height: 900 });

  // Every other test starts with the system's theme in its browser.
  await page.addInitScript(() => localStorage.removeItem("ui-theme"));
  await page.reload();
  const html = page.locator("html");
  // spec 191
  await expect(html).not.toHaveClass(/dark/);
  await header.getByRole("button", { name: /your menu$/ }).click();
  // spec 32
  await expect(page.getByRole("menuitem", { name: "My Profile" })).toHaveAttribute("href", "/profile");
  // spec 8
  for (const [theme, dark] of [
    ["Dark", true],
    ["Light", false],
    ["System", true],
  ] as const) {
    await page.getByRole("menuitemradio", { name: theme }).click();
    await expect(html).toHaveClass(dark ? /dark/ : /^((?!dark).)*$/);
    // spec 190
    expect(await page.evaluate(() => localStorage.getItem("ui-theme"))).toBe(theme.toLowerCase());
  }
  pass();
});

test("the logo's copy in the browser, a failed logout, and toasts", async ({ page }) => {
  const copy = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";
  const pass = await intercept(page, "**/api/settings/value/companyLogo", (route) =>
    route.fulfill({ json: { key: "companyLogo", value: copy, dataType: "base64" } }),
  );
  await page.goto("/");
  const logo = page.getByRole("complementary").getByAltText("Company logo");
  // spec 55
  await expect.poll(() => logo.boundingBox()).toMatchObject({ width: 150, height: 150 });
  // spec 169
  await expect.poll(() => page.evaluate(() => localStorage.getItem("companyLogo"))).toBe(copy);
  pass();
  const away = await intercept(page, "**/api/settings/value/companyLogo", flooded);
  await page.reload();
  // spec 44
  await expect(logo).toHaveAttribute("src", copy);
  const header = page.getByRole("banner");
  // spec 6, 28, 275
  await expect.poll(() => header.locator("img").boundingBox()).toMatchObject({ width: 40, height: 40 });
  away();

  const logOut = async () => {
    await header.getByRole("button", { name: /your menu$/ }).click();
    await page.getByRole("menuitem", { name: "Log out" }).click();
  };
  const back = await intercept(page, "**/api/auth/logout", flooded);
  await logOut();
  // spec 254
  await expectToast(page, "Logout failed", "The cellar is flooded");
  back();
  for (const answer of [{ body: "{" }, { status: 500, body: "" }, { status: 500, body: "{}" }]) {
    const mumbled = await intercept(page, "**/api/auth/logout", (route) => route.fulfill(answer));
    await logOut();
    // spec 254
    await expectToast(page, "Logout failed", "An unknown error occurred");
    mumbled();
  }
  const region = page.getByRole("region", { name: "Notifications (F8)" });
  const toast = region.getByRole("listitem");
  // spec 272
  await page.keyboard.press("F8");
  await expect(region.locator("ol")).toBeFocused();
  // spec 273
  expect((await toast.boundingBox())?.width).toBeLessThanOrEqual(420);
  expect((await region.locator("ol").boundingBox())?.width).toBe(420);
  await page.evaluate(() => localStorage.removeItem("companyLogo"));
});

test("the first screen replaces the spinner as soon as its code has arrived", async ({ page }) => {
  // Where React shows the spinner as a fallback, it keeps it for 300 ms, and here time stands still.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1000);
  await page.goto("/notifications");
  await expect(page.getByRole("heading", { name: "Notifications", level: 1 })).toBeVisible();
});

test("a tooltip opens after 700 ms", async ({ page }) => {
  await page.clock.install();
  await page.goto("/");
  const header = page.getByRole("banner");
  const help = header.getByRole("link", { name: "Help & Documentation" });
  await expect(help).toBeVisible();
  await page.clock.pauseAt(Date.now() + 60_000);
  const tip = page.getByRole("tooltip");
  await help.hover();
  // spec 277
  await page.clock.runFor(650);
  await expect(tip).toHaveCount(0);
  await page.clock.runFor(60);
  await expect(tip).toHaveText("Help & Documentation");
});

test("a menu's type-ahead begins anew after a second", async ({ page }) => {
  await page.clock.install();
  await page.goto("/");
  const opener = page.getByRole("banner").getByRole("button", { name: /your menu$/ });
  await opener.press("Enter");
  await expect(page.getByRole("menuitem", { name: "My Profile" })).toBeFocused();
  await page.clock.pauseAt(Date.now() + 60_000);
  const type = async (letter: string) => {
    await page.keyboard.type(letter);
    await page.clock.runFor(20);
  };
  // spec 279
  await type("s");
  await expect(page.getByRole("menuitem", { name: "Settings" })).toBeFocused();
  await page.clock.runFor(900);
  await type("y");
  await expect(page.getByRole("menuitemradio", { name: "System" })).toBeFocused();
  await page.clock.runFor(1000);
  await type("d");
  await expect(page.getByRole("menuitemradio", { name: "Dark" })).toBeFocused();
});
