import type { Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { settings } from "#contract/calls/settings.ts";
import { twoFactor } from "#contract/calls/two-factor.ts";
import { expectAccessible } from "./axe.ts";
import { ComposeDialog } from "./compose-dialog.ts";
import { expect, test } from "./fixtures.ts";
import { newcomer, newPassword } from "./newcomer.ts";
import { signIn } from "./sign-in-form.ts";
import { expectToast } from "./toast.ts";

test.use({ as: "nobody", alone: true });
// One worker runs them all, so that only one system is started.
test.describe.configure({ mode: "default" });

/** The code of the next 30 seconds: it counts now, and is not the one that was used a moment ago. */
const nextCode = (secret: string, steps = 1) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

/** Scans nothing: types the key that stands beside the QR code. */
async function setUpApp(page: Page): Promise<{ secret: string; codes: string[] }> {
  const dialog = page.getByRole("dialog", { name: "Set up an authenticator app" });
  await expect(dialog.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
  const key = (await dialog.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent()) ?? "";
  const secret = key.replaceAll(" ", "");
  await expectAccessible(page);
  await dialog.getByLabel("Code").fill("000000");
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await expect(dialog.getByText("This code doesn't match.")).toBeVisible();
  await dialog.getByLabel("Code").fill(nextCode(secret, 0));
  await dialog.getByRole("button", { name: "Turn on" }).click();
  const saved = page.getByRole("dialog", { name: "Save your recovery codes" });
  await expect(saved.getByRole("listitem")).toHaveCount(10);
  await expectAccessible(page);
  const codes = await saved.getByRole("listitem").allTextContents();
  // They are shown only once, so a stray key or click leaves them.
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await expect(saved.getByRole("button", { name: "Close" })).toHaveCount(0);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    saved.getByRole("button", { name: "Download" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("recovery-codes.txt");
  await saved.getByRole("button", { name: "I've saved them" }).click();
  return { secret, codes };
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /, your menu$/ }).click();
  await page.getByRole("menuitem", { name: "Log out" }).click();
  await expectToast(page, "Logged out");
}

test("an app, a recovery code and a passkey each sign in", async ({ page, context, system, complaints }) => {
  const { username } = await newcomer(system);
  const person = { firstName: "", lastName: "", username, password: newPassword };
  // Browsers allow passkeys for names alone, not for addresses.
  const home = system.server.url.replace("127.0.0.1", "localhost");
  await page.goto(`${home}/auth`);
  await signIn(page, person);
  await expectToast(page, "Login successful");
  await page.goto(`${home}/profile`);
  const section = page.getByRole("region", { name: "Two-factor authentication" });
  await expect(section.getByText("Off", { exact: true })).toBeVisible();
  await section.getByRole("button", { name: "Set up" }).click();
  const { secret, codes } = await setUpApp(page);
  await expect(section.getByText("On", { exact: true })).toBeVisible();
  await expect(section.getByText("10 of 10 left")).toBeVisible();
  await logOut(page);

  await signIn(page, person);
  await expect(page.getByRole("heading", { name: "Two-factor authentication" })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Code").fill("000000");
  await page.getByRole("button", { name: "Verify" }).click();
  await expect(page.getByText("This code doesn't match.")).toBeVisible();
  await page.getByLabel("Code").fill(nextCode(secret));
  await page.getByRole("button", { name: "Verify" }).click();
  await expectToast(page, "Login successful");
  await logOut(page);

  await signIn(page, person);
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await page.getByLabel("Recovery code").fill(codes[0] ?? "");
  await page.getByRole("button", { name: "Verify" }).click();
  await expectToast(page, "Login successful");

  const devices = await context.newCDPSession(page);
  await devices.send("WebAuthn.enable");
  await devices.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto(`${home}/profile`);
  await expect(section.getByText("9 of 10 left")).toBeVisible();
  await section.getByRole("button", { name: "Add passkey" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a passkey" });
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByText("Give the passkey a name")).toBeVisible();
  await dialog.getByLabel("Name").fill("Work laptop");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expectToast(page, "Passkey added");
  const passkey = section.getByRole("list", { name: "Passkeys" }).getByRole("listitem");
  await expect(passkey).toContainText("Work laptop");
  await expect(passkey).toContainText("Not used yet");
  await expectAccessible(page);
  await logOut(page);

  await signIn(page, person);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByRole("button", { name: "Continue with passkey" })).toBeFocused();
  await page.getByRole("button", { name: "Back to sign in" }).click();
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expectToast(page, "Login successful");
  await page.goto(`${home}/profile`);
  await expect(passkey).toContainText("Last used");
  await section.getByRole("button", { name: "Remove Work laptop" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expectToast(page, "Passkey removed");
  await expect(passkey).toHaveCount(0);

  // The pages asked nothing but the same server under its other name, whose refusals are a part of this.
  const expected = (complaint: string) =>
    complaint.startsWith(`asked ${home}/`) ||
    (complaint.startsWith("Failed to load resource:") && complaint.includes(`${home}/api/`));
  expect(complaints.splice(0).filter((complaint) => !expected(complaint))).toEqual([]);
});

test.describe("an administrator", () => {
  test.use({ as: "admin" });

  test("is led to set one up when the setting is turned on, and goes on where they were", async ({
    page,
    context,
    system,
  }) => {
    await page.goto("/settings");
    await page.getByLabel("Site email").fill("front.desk@example.com");
    const other = await context.newPage();
    await other.goto("/notifications");
    const compose = await new ComposeDialog(other).open();
    await system.call(settings.save, { body: { key: "enableTwoFactor", value: true } });
    await expect(page.getByRole("heading", { name: "Set up two-factor authentication" })).toBeFocused();
    await expect(page.getByText(/Passkeys only work at http:\/\/localhost/)).toBeVisible();
    await expectAccessible(page);
    const covered = other.getByRole("button", { name: "Use an authenticator app" });
    await covered.click({ trial: true });
    await expect(compose.root).toBeHidden();
    await other.reload();
    await expect(covered).toBeVisible();
    await other.close();

    await page.getByRole("button", { name: "Use an authenticator app" }).click();
    await setUpApp(page);
    const renewed = (await context.cookies()).find(({ name }) => name === "porchlight");
    system.cookies.admin = `porchlight=${renewed?.value}`;
    await page.getByLabel("Site name").fill("Harbor Homes");
    await expect(page.getByText("2 unsaved changes")).toBeVisible();
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expectToast(page, "Settings Updated");
    expect(await system.call(settings.list)).toMatchObject({
      siteName: "Harbor Homes",
      siteEmail: "front.desk@example.com",
    });
    await system.call(settings.save, { body: { key: "enableTwoFactor", value: false } });
  });

  test("enters the password again for a security setting, once in ten minutes, and resets a lost phone", async ({
    page,
    system,
  }) => {
    const person = await newcomer(system);
    const { secret } = await person.call(twoFactor.beginApp);
    await person.call(twoFactor.confirmApp, { body: { code: nextCode(secret, 0) } });
    await system.confirmSessions(11);
    await page.goto("/settings?tab=security");
    await expect(
      page.getByText("Administrators without it are then asked to set it up right away."),
    ).toBeVisible();
    await page.getByLabel("Session timeout").fill("52");
    await page.getByRole("button", { name: "Save Changes" }).click();
    const question = page.getByRole("dialog", { name: "Confirm it's you" });
    await expect(question.getByLabel("Current password")).toBeFocused();
    await expectAccessible(page);
    await question.getByLabel("Current password").fill("not-the-password");
    await question.getByRole("button", { name: "Confirm" }).click();
    await expect(question.getByText("This is not your current password")).toBeVisible();
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect(question).toBeHidden();
    await expect(page.getByLabel("Session timeout")).toHaveValue("52");
    await expect(page.getByText("Enter your password to continue")).toHaveCount(0);
    await page.getByRole("button", { name: "Save Changes" }).click();
    await question.getByLabel("Current password").fill(system.accounts.admin.password);
    await question.getByRole("button", { name: "Confirm" }).click();
    await expectToast(page, "Settings Updated");
    // Other files' tests may get the same system next.
    await system.call(settings.save, { body: { key: "sessionTimeout", value: 30 } });

    await page.goto(`/users?person=${person.id}`);
    const panel = page.getByRole("dialog", { name: person.firstName });
    await expect(panel.getByText("Two-factor authentication is on.")).toBeVisible();
    await panel.getByRole("button", { name: "Reset two-factor" }).click();
    const asked = page.getByRole("alertdialog");
    await expectAccessible(page);
    await asked.getByRole("button", { name: "Reset" }).click();
    await expectToast(page, "Two-factor authentication reset");
    await expect(panel.getByText("Two-factor authentication is on.")).toBeHidden();
    await expect.poll(() => system.mail.to(person.email).at(-1)?.text).toContain("was turned off");
  });
});
