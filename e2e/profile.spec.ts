import type { BrowserContext } from "@playwright/test";
import { auth } from "#contract/calls/auth.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { profileCalls } from "#contract/calls/profile.ts";
import { users } from "#contract/calls/users.ts";
import { expectAccessible } from "./axe.ts";
import { caller, request } from "./caller.ts";
import { png } from "./files.ts";
import { expect, test } from "./fixtures.ts";
import { flooded, hold, intercept } from "./intercept.ts";
import { newcomer, newPassword, sendPasswordLink, type Newcomer } from "./newcomer.ts";
import { moveIn } from "./people.ts";
import { expectToast } from "./toast.ts";

test.use({ as: "nobody" });

async function enter(context: BrowserContext, url: string, { cookie }: Newcomer): Promise<void> {
  const [name = "", value = ""] = cookie.split("=");
  await context.addCookies([{ name, value, url }]);
}

test("an emailed link shows whose it is, sets the password once, and signs in", async ({ page, system }) => {
  const [tenant] = (await moveIn(system.call, [{}])).tenants;
  if (!tenant) throw new Error("No tenant was created");
  const link = await sendPasswordLink(system, tenant);
  await page.goto(link);
  await expect(page.getByRole("heading", { name: `Welcome, ${tenant.firstName}` })).toBeVisible();
  await expect(page.getByText("Choose a password for your account at Porchlight.")).toBeVisible();
  await expect(page.getByText(/At least 8 characters/)).toBeVisible();
  await expectAccessible(page);

  const password = page.getByLabel("New password");
  const submit = page.getByRole("button", { name: "Set password and sign in" });
  await submit.click();
  await expect(page.getByText("Password must be at least 8 characters")).toBeVisible();
  await password.fill(newPassword);
  await page.getByLabel("Confirm password").fill("something-else");
  await submit.click();
  const differ = page.getByText("Passwords do not match");
  await expect(differ).toBeVisible();
  // The form moves the focus to the error a moment after it shows it, and what is typed then goes there.
  await expect(page.getByLabel("Confirm password")).toBeFocused();
  await password.fill("something-else");
  await expect(differ).toBeHidden();
  // A rule that only the server checks is shown at the field and does not use up the link.
  await password.fill("password!");
  await page.getByLabel("Confirm password").fill("password!");
  await submit.click();
  await expect(password).toHaveAttribute("aria-invalid", "true");
  await password.fill(newPassword);
  await page.getByLabel("Confirm password").fill(newPassword);
  await submit.click();
  await expectToast(page, "Password set", "You are signed in.");
  await expect(page.getByRole("heading", { name: "Notices", level: 1 })).toBeVisible();
  await expect(page).toHaveURL("/");

  await page.goto(link);
  await expect(page.getByRole("heading", { name: "This link doesn't work" })).toBeVisible();
  await expect(page.getByText("Ask your property manager for a new one.")).toBeVisible();
  await expectAccessible(page);
});

test("validates and saves details, and asks before leaving with unsaved changes", async ({
  page,
  context,
  system,
}) => {
  await enter(context, system.server.url, await newcomer(system));
  await page.goto("/profile");
  const name = page.getByLabel("First name");
  const phone = page.getByLabel("Phone");
  await name.fill("");
  await phone.fill("12");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByText("First name is required")).toBeVisible();
  await expect(name).toBeFocused();
  await name.fill("Renée");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByText("Enter your current password")).toBeVisible();
  await page.getByLabel("Current password").first().fill(newPassword);
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByText("Phone number is too short. It needs its area code.")).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("link", { name: "Notices", exact: true }).click();
  const asked = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await asked.getByRole("button", { name: "Cancel" }).click();
  await expect(name).toHaveValue("Renée");
  await page.getByRole("button", { name: /your menu$/ }).click();
  await page.getByRole("menuitem", { name: "Log out" }).click();
  await asked.getByRole("button", { name: "Cancel" }).click();
  await expect(name).toHaveValue("Renée");
  await phone.fill("415.555.0188");
  const release = await hold(page, "**/api/profile");
  await phone.press("Enter");
  // What was typed now would be lost once it is saved.
  await expect(name).toBeDisabled();
  release();
  await expectToast(page, "Profile saved");
  await expect(phone).toHaveValue("(415) 555-0188");
  await expect(phone).toBeFocused();
  await expect(page.getByRole("button", { name: /^Renée/ })).toBeVisible();
  await page.getByRole("link", { name: "Notices", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Notices" })).toBeVisible();
  await page.goBack();
  await name.fill("Not saved");
  await page.getByRole("button", { name: /your menu$/ }).click();
  await page.getByRole("menuitem", { name: "Log out" }).click();
  await asked.getByRole("button", { name: "Leave" }).click();
  await expectToast(page, "Logged out");
});

test("doesn't overwrite what staff changed meanwhile without asking, and your own channel changes don't count", async ({
  page,
  context,
  system,
}) => {
  const person = await newcomer(system);
  await enter(context, system.server.url, person);
  await page.goto("/profile");
  const name = page.getByLabel("First name");
  const save = page.getByRole("button", { name: "Save Changes" });
  await name.fill("Mine");
  await page.getByRole("region", { name: "Preferences" }).getByRole("switch", { name: /^SMS/ }).click();
  await expectToast(page, "Preferences saved");
  await save.click();
  await expectToast(page, "Profile saved");

  await name.fill("Typed");
  const { username, lastName, email, role } = await system.call(users.detail, { params: { id: person.id } });
  await system.call(users.update, {
    params: { id: person.id },
    body: { username, lastName, email, role, firstName: "Faster" },
  });
  await save.click();
  await expect(page.getByText("Someone else changed your details, or you did in another tab.")).toBeVisible();
  await expect(name).toHaveValue("Typed");
  await page.getByRole("button", { name: "Keep mine" }).click();
  await save.click();
  await expectToast(page, "Profile saved");
  expect((await system.call(users.detail, { params: { id: person.id } })).firstName).toBe("Typed");
});

test("turns a channel off immediately and records where each change came from", async ({
  page,
  context,
  system,
}) => {
  const person = await newcomer(system);
  await system.call(notifications.send, {
    body: {
      title: "First",
      message: "Hello.",
      recipients: [{ type: "user", id: person.id }],
      channels: ["email"],
    },
  });
  await expect.poll(() => system.mail.to(person.email)).toHaveLength(2);
  await enter(context, system.server.url, person);
  await page.goto("/profile");
  const preferences = page.getByRole("region", { name: "Preferences" });
  await expect(preferences.getByRole("switch", { name: /^Email/ })).toBeChecked();
  // The open page doesn't hear of it, and must not turn email on again.
  const header = system.mail.to(person.email)[1]?.headers.find(({ key }) => key === "list-unsubscribe");
  await fetch(/<(http[^>]+)>/.exec(header?.value ?? "")?.[1] ?? "", {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: "List-Unsubscribe=One-Click",
  });
  await preferences.getByRole("switch", { name: /^SMS/ }).click();
  await expectToast(page, "Preferences saved", "You don't get notices by text message.");
  await expect(preferences.getByText(/Turned off · In your profile/)).toBeVisible();
  await expect(preferences.getByRole("switch", { name: /^Email/ })).not.toBeChecked();
  await expect(preferences.getByText(/Turned off · One-click unsubscribe in an email/)).toBeVisible();
  await expect(preferences.getByText(/Every channel is off/)).toBeVisible();
  await preferences.getByText("2 changes on record").click();
  await expect(preferences.getByText("You don't get notices by email.")).toBeVisible();
  await expectAccessible(page);
  expect(await person.call(profileCalls.read)).toMatchObject({ receiveEmail: false, receiveSms: false });
});

test("lists other sessions and ends one, and a new password ends the rest", async ({
  page,
  context,
  system,
}) => {
  const person = await newcomer(system);
  const signInAgain = async () => {
    const body = { username: person.username, password: newPassword };
    const response = await request(system.server.url, auth.login, { body });
    return caller(system.server.url, response.headers.getSetCookie()[0]?.split(";")[0] ?? "");
  };
  const first = await signInAgain();
  await enter(context, system.server.url, person);
  // Where password managers lead.
  await page.goto("/.well-known/change-password");
  await expect(page).toHaveURL("/profile#password");
  await expect(page.getByLabel("Current password")).toBeFocused();
  const rows = page.getByRole("region", { name: "Sessions" }).getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await page.getByRole("link", { name: "Notices", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Notices", level: 1 })).toBeVisible();
  const second = await signInAgain();
  await page.goBack();
  await expect(rows).toHaveCount(3);
  await expect(rows.filter({ hasText: "This browser" })).toHaveCount(1);
  await rows
    .getByRole("button", { name: /^Sign out/ })
    .first()
    .click();
  await expectToast(page, "Signed out");
  await expect(rows).toHaveCount(2);
  // The button is gone, and the focus stays beside where it was.
  await expect(page.getByRole("region", { name: "Sessions" }).getByRole("list")).toBeFocused();

  await page.getByLabel("Current password").fill("not-the-password");
  await page.getByLabel("New password").fill("lantern-by-the-wall");
  await page.getByLabel("Confirm password").fill("lantern-by-the-door");
  await page.getByRole("button", { name: "Change Password" }).click();
  await expect(page.getByText("Passwords do not match")).toBeVisible();
  await expect(page.getByLabel("Confirm password")).toBeFocused();
  await page.getByLabel("New password").fill("lantern-by-the-door");
  await expect(page.getByText("Passwords do not match")).toBeHidden();
  await page.getByRole("button", { name: "Change Password" }).click();
  await expect(page.getByText("This is not your current password")).toBeVisible();
  await page.getByLabel("Current password").fill(newPassword);
  await page.getByRole("button", { name: "Change Password" }).click();
  await expectToast(page, "Password changed", "Every other session has ended.");
  await expect(page.getByLabel("Current password")).toHaveValue("");
  await expect(page.getByText("You're not signed in anywhere else.")).toBeVisible();
  for (const other of [first, second]) await expect(other(auth.me)).rejects.toThrow("401");
  // This browser continues with a new token, and the old token no longer works.
  await expect(person.call(auth.me)).rejects.toThrow("401");
  expect(await (await page.request.get("/api/auth/me")).json()).toMatchObject({ username: person.username });
});

test("a tenant sees only their own messages, with attachments", async ({ page, context, system }) => {
  const person = await newcomer(system);
  const neighbour = await newcomer(system);
  await enter(context, system.server.url, person);
  const file = png("yard.png");
  const upload = await fetch(`${system.server.url}/api/attachments?name=${file.name}`, {
    method: "POST",
    headers: { Cookie: system.cookies.admin, "Content-Type": file.mimeType },
    body: new Uint8Array(file.buffer),
  });
  const { id } = (await upload.json()) as { id: number };
  const send = (to: Newcomer, title: string, channels: string[], attachments: { id: number }[] = []) =>
    system.call(notifications.send, {
      body: {
        title,
        message: "Hello {{first_name}}.",
        recipients: [{ type: "user", id: to.id }],
        channels,
        attachments,
      },
    });
  await page.goto("/");
  await send(person, "Yard works", ["email", "sms"], [{ id }]);
  await send(person, "Parcel", ["sms"]);
  await send(neighbour, "For the neighbour", ["email"]);
  await expect.poll(() => person.call(profileCalls.notices)).toHaveLength(3);
  await expect.poll(() => system.mail.to(neighbour.email)).toHaveLength(2);

  await page.reload();
  const unread = page.getByRole("region", { name: "2 unread" }).getByRole("listitem");
  await expect(unread.nth(0)).toContainText("Parcel");
  await expect(unread.nth(1)).toContainText("Yard works");
  await expect(unread.nth(1)).toContainText("1 file");
  await expectAccessible(page);
  await page.getByRole("searchbox", { name: "Search notices" }).fill("yard");
  await expect(page.getByText("Showing 1 of 1 notice")).toBeVisible();
  await page.getByRole("link", { name: "Yard works" }).press("Enter");
  await expect(page.getByRole("heading", { name: "Yard works", level: 1 })).toBeFocused();
  await expect(page.getByText("Yard works")).toHaveCount(1);
  await expect(page.getByText(`Hello ${person.firstName}.`)).toBeVisible();
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "yard.png" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("yard.png");
  const opened = page.url();
  await page.getByRole("link", { name: "Notices", exact: true }).last().click();
  await expect(page).toHaveURL("/?q=yard");
  await expect(page.getByRole("region", { name: /unread/ })).toBeHidden();
  await page.goForward();
  await expect(page).toHaveURL(opened);
  await page.goBack();
  await expect(page).toHaveURL("/?q=yard");
  await page.goto("/");
  await expect(page.getByRole("region", { name: "1 unread" }).getByRole("listitem")).toHaveCount(1);
  await expect(page.getByRole("region", { name: "Earlier" })).toContainText("Yard works");
  await page.goto(opened);
  await expect(page.getByRole("heading", { name: "Yard works", level: 1 })).toBeVisible();
  await page.goto("/");
  await page.getByRole("link", { name: "Change what you get" }).click();
  await expect(page.getByRole("heading", { name: "Preferences" })).toBeInViewport();

  const [others] = await neighbour.call(profileCalls.notices);
  const pass = await intercept(page, "**/api/profile/notices/*", flooded);
  await page.goto(`/?notice=${others?.id}`);
  await expect(page.getByText("Error loading this notice")).toBeVisible();
  pass();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("This notice doesn't exist")).toBeVisible();
  await page.getByRole("link", { name: "Notices", exact: true }).last().click();
  await page.getByRole("searchbox", { name: "Search notices" }).fill("zebra");
  await expect(page.getByText("No matching notices found")).toBeVisible();
  await page.goto("/users");
  await expect(page.getByRole("heading", { name: "Access Denied" })).toBeVisible();
});
