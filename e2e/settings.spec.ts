import type { Route } from "@playwright/test";
import { settingKeys, settings, settingTable } from "#contract/calls/settings.ts";
import { expectAccessible } from "./axe.ts";
import { ComposeDialog } from "./compose-dialog.ts";
import { disguised, oversize, png } from "./files.ts";
import { expect, test } from "./fixtures.ts";
import { blocked } from "./intercept.ts";
import { newcomer, newPassword } from "./newcomer.ts";
import { moveIn } from "./people.ts";
import { signIn } from "./sign-in-form.ts";
import { expectToast, expectUncovered } from "./toast.ts";

// What is changed here shows on everyone's screens.
test.use({ alone: true });
// One worker runs them all, so that only one system is started.
test.describe.configure({ mode: "default" });

test.beforeEach(async ({ system }) => {
  const defaults = Object.fromEntries(settingKeys.map((key) => [key, settingTable[key].default]));
  await system.call(settings.saveAll, { body: defaults });
});

const save = "Save Changes";
const imageUrl = `data:image/png;base64,${png("logo.png").buffer.toString("base64")}`;

// spec 5
test("saves name, logo and time zone together, and shows them everywhere", async ({ page, system }) => {
  await page.goto("/settings");
  const name = page.getByLabel("Site name");
  await expect(name).toHaveValue("Porchlight");
  await expectAccessible(page);

  await name.fill("");
  await page.getByLabel("Site email").fill("office");
  await page.getByRole("button", { name: save }).click();
  // spec 423
  await expect(page.getByText("Site name is required")).toBeVisible();
  // spec 424
  await expect(page.getByText("Invalid email address")).toBeVisible();
  await expect(name).toBeFocused();
  await expectAccessible(page);

  const logo = page.locator('input[type="file"]');
  await logo.setInputFiles(disguised("logo.png"));
  // spec 426, 492
  await expectToast(page, "Invalid File Type", "Please upload a JPG or PNG image.");
  await expectUncovered(page, page.getByRole("button", { name: save }));
  await logo.setInputFiles(oversize("logo.png", 2 * 1024 * 1024 + 1));
  // spec 427, 492
  await expectToast(page, "File Too Large", "Please upload an image smaller than 2MB.");
  const whole = png("logo.png");
  await logo.setInputFiles({ ...whole, buffer: whole.buffer.subarray(0, 40) });
  await expectToast(page, "Error Saving Logo", "The image can't be read. Please choose another.");
  await expect(page.getByRole("main").getByText("No logo uploaded")).toBeVisible();
  await logo.setInputFiles(png("logo.png"));
  // spec 487
  await expectToast(page, "Logo Uploaded");
  await expect(page.getByRole("main").getByAltText("Company logo")).toBeVisible();

  // spec 353
  await name.fill("Maple & Harbor");
  await page.getByLabel("Site email").fill("office@example.com");
  const zone = page.getByRole("combobox", { name: "Time zone" });
  await zone.fill("pacific standard");
  await page.getByRole("option", { name: /America\/Los Angeles/ }).click();
  await expect(page.getByText("4 unsaved changes")).toBeVisible();
  await page.getByRole("button", { name: save }).click();
  // spec 488
  await expectToast(page, "Settings Updated");
  await expect(page.getByText("unsaved change")).toBeHidden();

  await expect(page.getByRole("link", { name: "Maple & Harbor, dashboard" })).toBeVisible();
  await expect(page).toHaveTitle("Settings · Maple & Harbor");
  // spec 43, 462
  await expect(page.getByRole("complementary").getByAltText("Company logo")).toBeVisible();
  await page.reload();
  await expect(zone).toHaveValue("America/Los Angeles");
  await expect(page.getByRole("complementary").getByAltText("Company logo")).toBeVisible();
  await page.getByRole("button", { name: "Remove logo" }).click();
  await page.getByRole("button", { name: save }).click();
  // spec 487
  await expectToast(page, "Logo Saved");
  await page.reload();
  // spec 45
  await expect(page.getByRole("complementary").getByText("No logo uploaded")).toBeVisible();

  await system.call(settings.save, { body: { key: "companyLogo", value: imageUrl } });
  await page.context().clearCookies();
  await page.goto("/auth");
  await expect(page.getByRole("main").getByText("Maple & Harbor")).toBeVisible();
  await expect(page).toHaveTitle("Sign in · Maple & Harbor");
  await expect(page.getByRole("main").locator("img")).toHaveJSProperty("naturalWidth", 1);
  await expectAccessible(page);
});

test("keeps a logo that can't be saved in the browser and in the form", async ({ page }) => {
  await page.goto("/settings");
  await page.evaluate(() => {
    // Once: it covers the method that files inherit.
    File.prototype.arrayBuffer = () => {
      Reflect.deleteProperty(File.prototype, "arrayBuffer");
      return Promise.reject(new DOMException("gone", "NotReadableError"));
    };
  });
  await page.locator('input[type="file"]').setInputFiles(png("logo.png"));
  await expectToast(page, "Error Saving Logo", "The image can't be read. Please choose another.");
  await page.locator('input[type="file"]').setInputFiles(png("logo.png"));
  // A proxy first, which is not the server's refusal, and then no answer at all.
  const answers = [(route: Route) => blocked(route, 403), (route: Route) => route.abort()];
  await page.route("**/api/settings", (route) =>
    route.request().method() === "PUT" ? answers.shift()?.(route) : route.fallback(),
  );
  await page.getByRole("button", { name: save }).click();
  await expectToast(
    page,
    "Error Saving Logo",
    // spec 481
    "Failed to save logo to database. Using localStorage as fallback.",
  );
  // spec 463
  expect(await page.evaluate(() => localStorage.getItem("companyLogo"))).toMatch(/^data:image\/png;base64,/);
  await expect(page.getByText("1 unsaved change")).toBeVisible();
  await expect(page.getByText("The server cannot be reached.")).toHaveCount(0);
  // Of anything else the failure is named too.
  await page.getByLabel("Site name").fill("Cedar & Sons");
  await page.getByRole("button", { name: save }).click();
  await expectToast(page, "Error", "The server cannot be reached.");
});

// spec 354, 468
test("shows prefix, signature and footer in the preview and in the email, and doesn't offer a channel that is off", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}]);
  const [tenant] = property.tenants;
  await system.call(settings.saveAll, { body: { companyLogo: imageUrl } });
  await page.goto("/settings?tab=notifications");
  await expect(page.getByLabel("Email footer")).toHaveValue("Sent with Porchlight");
  await expectAccessible(page);
  await page.getByLabel("Default email subject").fill("");
  await page.getByRole("button", { name: save }).click();
  // spec 428
  await expect(page.getByText("Default email subject is required")).toBeVisible();
  await page.getByLabel("Default email subject").fill("News from Maple & Harbor");
  await page.getByLabel("Email signature").fill("Your team");
  await page.getByLabel("Email footer").fill("1 Elm Street");
  await page.getByLabel("SMS prefix").fill("M&H:");
  await page.getByRole("switch", { name: "Web Push" }).uncheck();
  await page.getByRole("switch", { name: /^Track clicks/ }).check();
  await expect(page.getByText("Nothing is tracked at the moment")).toBeVisible();
  // Another tab may be looked at in between.
  await page.getByRole("tab", { name: "Security" }).click();
  await page.getByRole("tab", { name: /^Notifications/ }).click();
  await expect(page.getByText("6 unsaved changes")).toBeVisible();
  await page.getByRole("button", { name: save }).click();
  await expectToast(page, "Settings Updated");

  await page.goto("/notifications");
  const compose = await new ComposeDialog(page).open();
  await expect(compose.channel("SMS")).toBeVisible();
  await expect(compose.channel("Web Push")).toBeHidden();
  await compose.write({
    title: "Water off",
    message: "No water today.",
    recipients: [property.name],
    channels: ["Email", "SMS"],
  });
  await compose.root.getByRole("button", { name: "Preview" }).click();
  const preview = page.getByRole("dialog", { name: "Preview" });
  await preview.getByText("SMS", { exact: true }).click();
  await expect(preview.getByText("M&H: No water today.")).toBeVisible();
  await preview.getByRole("button", { name: "Close" }).click();
  await compose.counted("1 person");
  await compose.send.click();
  await expectToast(page, "Notification Sent");
  await expect.poll(() => system.mail.to(tenant?.email ?? "")).toHaveLength(1);
  const [mail] = system.mail.to(tenant?.email ?? "");
  expect(mail?.subject).toBe("Water off");
  const logo = new RegExp(`${system.server.url}/logo/[0-9a-f]{32}`).exec(mail?.html ?? "")?.[0] ?? "";
  expect((await fetch(logo)).headers.get("content-type")).toBe("image/png");
  expect(mail?.text).toMatch(
    /^No water today\.\s+Your team\s+-- \s+You get this because you live at [\s\S]+\s1 Elm Street\s*$/,
  );
});

// spec 355, 468
test("saves the rules for passwords and sessions, and shows their error messages", async ({
  page,
  system,
}) => {
  await page.goto("/settings?tab=security");
  await expect(page.getByLabel("Minimum password length")).toHaveValue("8");
  await expect(page.getByLabel("Password expiry")).toHaveValue("90");
  await expect(page.getByLabel("Session timeout")).toHaveValue("30");
  const required = page.getByRole("switch", { name: "Require it for administrators" });
  await expect(required).not.toBeChecked();
  // spec 356
  const sentence = page.getByText(/Required for administrator accounts/);
  await expect(sentence).toBeHidden();
  await required.check();
  await expect(sentence).toBeVisible();
  await required.uncheck();
  await expectAccessible(page);
  await page.getByLabel("Minimum password length").fill("7");
  await page.getByLabel("Password expiry").fill("-1");
  await page.getByLabel("Session timeout").fill("");
  await page.getByRole("button", { name: save }).click();
  // spec 429
  await expect(page.getByText("Minimum password length must be at least 8 characters")).toBeVisible();
  // spec 430
  await expect(page.getByText("Password expiry must be a positive number")).toBeVisible();
  // spec 431
  await expect(page.getByText("Session timeout must be at least 5 minutes")).toBeVisible();
  await expect(page.getByLabel("Session timeout")).toHaveAccessibleDescription(/^minutes People are/);
  await page.getByLabel("Minimum password length").fill("200");
  await page.getByLabel("Password expiry").fill("1.5");
  await expect(page.getByText("Minimum password length can't be more than 128")).toBeVisible();
  await expect(page.getByText("Password expiry must be a whole number")).toBeVisible();
  await page.getByLabel("Minimum password length").fill("12");
  await page.getByLabel("Password expiry").fill("0");
  await page.getByLabel("Session timeout").fill("45");
  await page.getByRole("switch", { name: "Require special characters" }).uncheck();
  // Another administrator saves first.
  await system.call(settings.save, { body: { key: "sessionTimeout", value: 60 } });
  const timeout = page.getByLabel("Session timeout");
  await page.setViewportSize({ width: 1280, height: 680 });
  await timeout.evaluate((field) => field.scrollIntoView({ block: "end" }));
  await page.getByRole("button", { name: save }).click();
  await expect(page.getByText("This was changed to “60” in the meantime.")).toBeVisible();
  await expect(timeout).toBeFocused();
  await expect(timeout).toHaveValue("45");
  const [field, bar] = await Promise.all([
    timeout.boundingBox(),
    page.getByRole("button", { name: save }).boundingBox(),
  ]);
  expect(field && bar && field.y + field.height < bar.y).toBe(true);
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(await system.call(settings.list)).toMatchObject({ passwordMinLength: 8, sessionTimeout: 60 });
  // Further changes by others leave that sentence where it is.
  const registration = page.getByRole("switch", { name: "Open registration" });
  await system.call(settings.save, { body: { key: "registration", value: "open" } });
  await expect(registration).toBeChecked();
  await expect(page.getByText("This was changed to “60” in the meantime.")).toBeVisible();
  await system.call(settings.save, { body: { key: "registration", value: "closed" } });
  await expect(registration).not.toBeChecked();
  await page.getByRole("button", { name: save }).click();
  await expectToast(page, "Settings Updated");
  expect(await system.call(settings.list)).toMatchObject({
    passwordMinLength: 12,
    passwordExpiry: 0,
    sessionTimeout: 45,
    requireSpecialChars: false,
  });
  await page.goto("/profile");
  await expect(page.getByText(/At least 12 characters/)).toBeVisible();
});

test("asks before leaving with unsaved changes, and can discard them", async ({ page }) => {
  await page.goto("/settings?tab=security");
  await page.getByRole("switch", { name: "Open registration" }).check();
  await page.getByRole("link", { name: "Templates" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByRole("switch", { name: "Open registration" })).not.toBeChecked();
  await page.getByRole("link", { name: "Templates" }).click();
  await expect(page).toHaveURL(/\/templates/);
});

test.describe("someone whose password has expired", () => {
  test.use({ as: "nobody" });

  test("changes it at sign-in, before anything else opens", async ({ page, system }) => {
    const { username } = await newcomer(system);
    await system.call(settings.save, { body: { key: "passwordExpiry", value: 90 } });
    await system.agePassword(username, 91);
    await page.goto("/auth");
    await signIn(page, { firstName: "", lastName: "", username, password: newPassword });
    const heading = page.getByRole("heading", { name: "Your password has expired" });
    await expect(heading).toBeVisible();
    await expect(page.getByLabel("Current password")).toBeFocused();
    await expectAccessible(page);
    await page.goto("/profile");
    await expect(heading).toBeVisible();
    await page.getByRole("button", { name: "Log out" }).click();
    // spec 253
    await expectToast(page, "Logged out");
    await expect(page).toHaveURL("/auth");
    await signIn(page, { firstName: "", lastName: "", username, password: newPassword });
    await expect(heading).toBeVisible();
    await page.goto("/profile");
    await page.getByLabel("Current password").fill(newPassword);
    for (const label of ["New password", "Confirm password"]) await page.getByLabel(label).fill(newPassword);
    await page.getByRole("button", { name: "Change Password" }).click();
    await expect(page.getByText("Choose a password other than your current one")).toBeVisible();
    for (const label of ["New password", "Confirm password"]) {
      await page.getByLabel(label).fill("a-lamp-for-the-stairs");
    }
    await page.getByRole("button", { name: "Change Password" }).click();
    await expectToast(page, "Password changed");
    await expect(page.getByRole("heading", { name: "My Profile" })).toBeVisible();
  });
});

test.describe("staff", () => {
  test.use({ as: "staff" });

  test("can read the settings but not change them", async ({ page }) => {
    await page.goto("/settings");
    await expect(page.getByText("Ask an administrator to change a setting.")).toBeVisible();
    await expect(page.getByLabel("Site name")).toBeDisabled();
    await expectAccessible(page);
  });
});
