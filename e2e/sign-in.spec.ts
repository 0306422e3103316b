import { notifications } from "#contract/calls/notifications.ts";
import { settings } from "#contract/calls/settings.ts";
import { expectAccessible } from "./axe.ts";
import { ComposeDialog } from "./compose-dialog.ts";
import { expect, test } from "./fixtures.ts";
import { hold, intercept } from "./intercept.ts";
import { moveIn, token } from "./people.ts";
import { signIn, signInAt } from "./sign-in-form.ts";
import { expectToast } from "./toast.ts";

test.use({ as: "nobody" });

// spec 9
test("the sign-in form says what is missing or wrong, and then leads to the requested page", async ({
  page,
  system,
}) => {
  const { admin } = system.accounts;
  await page.goto("/notifications?q=water");
  // spec 22
  await expect(page).toHaveURL(/\/auth(\?|$)/);
  await page.getByRole("tab", { name: "Register" }).click();
  await expect(page.getByText(/Registration is closed\. Ask your property manager/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Create Account" })).toBeHidden();
  await expectAccessible(page);
  await page.getByRole("tab", { name: "Login" }).click();

  const username = page.getByLabel("Username");
  const password = page.getByLabel("Password", { exact: true });
  const short = page.getByText("Username must be at least 3 characters");
  await username.fill("ad");
  await password.focus();
  // spec 213
  await expect(short).toHaveCount(0);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  // spec 192, 193
  await expect(short).toBeVisible();
  await expect(page.getByText("Password must be at least 6 characters")).toBeVisible();
  await expect(username).toBeFocused();
  await expectAccessible(page);
  // spec 213
  for (const [typed, errors] of [
    ["ada", 0],
    ["ad", 1],
    ["ada", 0],
  ] as const) {
    await username.fill(typed);
    await expect(short).toHaveCount(errors);
  }
  await expect(page.getByText("Password must be at least 6 characters")).toBeVisible();

  // spec 64
  await expect(password).toHaveAttribute("type", "password");
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(password).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Hide password" }).click();
  await expect(password).toHaveAttribute("type", "password");

  await signIn(page, { ...admin, username: "nobody.at.all" });
  await expectToast(page, "Login failed", "Invalid credentials");
  for (const [status, body, sentence] of [
    // spec 250
    [429, '{"message":"Wait a minute"}', "Wait a minute"],
    // spec 251
    [401, "{}", "Invalid credentials"],
    [401, "", "Invalid credentials"],
    // A gateway knows nothing of credentials.
    [502, "Bad Gateway", "The server cannot be reached."],
  ] as const) {
    const pass = await intercept(page, "**/api/auth/login", (route) => route.fulfill({ status, body }));
    await signIn(page, admin);
    await expectToast(page, "Login failed", sentence, "destructive");
    pass();
  }
  await page.reload();
  await signIn(page, { ...admin, password: "not-the-password" });
  // The same as for an unknown username.
  await expectToast(page, "Login failed", "Invalid credentials");
  await expect(username).toHaveValue(admin.username);
  await expect(page.getByText("Forgot your username or password? Ask your property manager")).toBeVisible();
  await expectAccessible(page);

  await password.fill(admin.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  // spec 176, 252
  await expectToast(page, "Login successful", "Welcome back, Ada!");
  await expect(page).toHaveURL("/notifications?q=water");
  await expect(page.getByRole("heading", { name: "Notifications", level: 1 })).toBeVisible();
});

test("keeps nothing that was typed on a shared computer", async ({ page, system }) => {
  await page.goto("/auth");
  await page.getByLabel("This is a shared computer").check();
  await signIn(page, system.accounts.admin);
  await expect(page.getByRole("heading", { name: "Dashboard", level: 1 })).toBeVisible();
  const dialog = await new ComposeDialog(page).open();
  await dialog.title.fill("Only here");
  // On any other computer, leaving the page saves the draft.
  await page.reload();
  const kept = await page.evaluate(() => Object.keys(localStorage));
  expect(kept.filter((key) => key.startsWith("porchlight-draft"))).toEqual([]);

  // A send that has no answer yet can still fail, so leaving asks. Once it is sent, the dialog closes without asking.
  const { name } = await moveIn(system.call, [{}]);
  await dialog.write({ title: "Only here", message: "Hello.", recipients: [name], channels: ["Email"] });
  const release = await hold(page, "**/api/send-notification");
  await dialog.send.click();
  await expect(dialog.root.getByRole("button", { name: "Sending..." })).toBeVisible();
  await page.goBack();
  await page.getByRole("alertdialog", { name: "Leave without saving?" }).getByText("Cancel").click();
  await expect(dialog.title).toHaveValue("Only here");
  release();
  await expectToast(page, "Notification Sent");
  await expect(dialog.root).toBeHidden();
  await expect(page.getByRole("alertdialog")).toBeHidden();
});

test("open registration validates every field and creates a tenant, who then signs in", async ({
  page,
  system,
}) => {
  await system.call(settings.save, { body: { key: "registration", value: "open" } });
  await page.goto("/auth");
  await page.getByRole("tab", { name: "Register" }).click();
  await page.getByRole("button", { name: "Create Account" }).click();
  for (const sentence of [
    // spec 196
    "First name must be at least 2 characters",
    // spec 197
    "Last name must be at least 2 characters",
    // spec 194
    "Username must be at least 3 characters",
    // spec 195
    "Please enter a valid email address",
    // spec 198
    "Password must be at least 8 characters",
  ]) {
    await expect(page.getByText(sentence)).toBeVisible();
  }
  await expectAccessible(page);
  const account = {
    firstName: "Nia",
    lastName: "Falk",
    username: `nia.${token()}`,
    password: "kettle-on-the-stove",
  };
  // spec 67
  await page.getByLabel("First name").fill(account.firstName);
  await page.getByLabel("Last name").fill(account.lastName);
  await page.getByLabel("Username").fill(account.username);
  await page.getByLabel("Email").fill(`${account.username}@example.com`);
  await page.getByLabel("Password", { exact: true }).fill(account.password);
  await page.getByLabel("Confirm password").fill("another-one");
  // spec 199
  await expect(page.getByText("Passwords do not match")).toBeVisible();
  await page.getByLabel("Confirm password").fill(account.password);
  // spec 68
  await expect(page.getByRole("button", { name: "Show password" })).toHaveCount(2);
  const answer = Promise.withResolvers<void>();
  await page.route("**/api/auth/register", async (route) => {
    await answer.promise;
    await route.continue();
  });
  const create = page.getByRole("button", { name: "Create Account" });
  await create.click();
  // spec 70, 72
  await expect(create).toBeDisabled();
  await expect(create.locator(".animate-spin")).toBeVisible();
  answer.resolve();
  // spec 69, 71
  await expect(page.getByText(/you can sign in now\. We've emailed you a link/)).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in");
  expect(await page.evaluate(() => globalThis.shownToasts)).toEqual([]);

  await signIn(page, account);
  await expectToast(page, "Login successful", "Welcome back, Nia!");

  const email = `${account.username}@example.com`;
  const unconfirmed = page.getByRole("status").filter({ hasText: "Confirm your email address." });
  await expect(unconfirmed).toContainText(email);
  await expect.poll(() => system.mail.to(email)).toHaveLength(1);
  const link = /http\S+\/confirm-email\/[\w-]+/.exec(system.mail.to(email)[0]?.text ?? "")?.[0] ?? "";
  await page.goto(new URL(link).pathname);
  await page.getByRole("button", { name: "Yes, that was me" }).click();
  await expect(page.getByRole("heading", { name: "Thank you" })).toBeVisible();
  await page.goto(new URL(link).pathname);
  await expect(page.getByRole("heading", { name: "This link doesn't work" })).toBeVisible();
  await page.getByRole("link", { name: "Go to sign in" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("heading", { name: "Notices" })).toBeVisible();
  await expect(unconfirmed).toBeHidden();
  await page.goto("/users");
  await expect(page.getByRole("heading", { name: "Access Denied" })).toBeVisible();
  await system.call(settings.save, { body: { key: "registration", value: "closed" } });
});

test("logging out shows a toast, signs out other tabs, and Back leads to the sign-in page", async ({
  page,
  context,
  system,
}) => {
  await page.goto("/auth");
  await signIn(page, system.accounts.tenant);
  await expect(page).toHaveURL("/");
  const other = await context.newPage();
  await other.goto("/profile");
  await expect(other.getByRole("heading", { name: "My Profile" })).toBeVisible();
  await page.getByRole("button", { name: "Tess Lindqvist, your menu" }).click();
  await page.getByRole("menuitem", { name: "Log out" }).click();
  // spec 253
  await expectToast(page, "Logged out", "You have been successfully logged out.");
  // Nor does the address tell the next person where they were.
  await expect(other).toHaveURL("/auth");
  // spec 24, 177
  await expect(page).toHaveURL("/auth");
  await page.goto("/notifications");
  await expect(page).toHaveURL(/\/auth(\?|$)/);
});

test("an error that depends on two fields goes when either is put right, and a refusal of another field stays", async ({
  page,
  system,
}) => {
  await system.call(settings.save, { body: { key: "registration", value: "open" } });
  await page.goto("/auth");
  await page.getByRole("tab", { name: "Register" }).click();
  const field = (label: string) => page.getByLabel(label, { exact: true });
  for (const [label, text] of [
    ["First name", "Nia"],
    ["Last name", "Lowe"],
    ["Username", system.accounts.staff.username],
    ["Email", `${token()}@example.com`],
    ["Password", "windows-over-the-yard"],
    ["Confirm password", "windows-over-the-roof"],
  ] as const) {
    await field(label).fill(text);
  }
  const differ = page.getByText("Passwords do not match");
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(differ).toBeVisible();
  await field("Password").fill("windows-over-the-roof");
  await expect(differ).toBeHidden();
  await page.getByRole("button", { name: "Create Account" }).click();
  const taken = page.getByText(/username is (already )?taken|already taken/i);
  await expect(taken).toBeVisible();
  await field("Password").fill("windows-over-the-wall");
  await expect(differ).toBeVisible();
  await expect(taken).toBeVisible();
  await field("Confirm password").fill("windows-over-the-wall");
  await expect(differ).toBeHidden();
  await system.call(settings.save, { body: { key: "registration", value: "closed" } });
});

test("signs in over the page when the session is over, and finishes what was under way exactly once", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}]);
  const title = `Interrupted ${token()}`;
  await page.goto("/auth");
  await signIn(page, system.accounts.staff);
  await expect(page).toHaveURL("/");
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  await dialog.write({ title, message: "Still here?", recipients: [property.name], channels: ["SMS"] });
  await dialog.counted("1 person, 1 message.");
  // If the session ended earlier, the page might notice before the click.
  await page.route(
    "**/api/send-notification",
    async (route) => {
      await system.endLastSession();
      await route.continue();
    },
    { times: 1 },
  );
  await dialog.send.click();
  const again = page.getByRole("dialog", { name: "Sign in again" });
  await expect(again).toContainText("Your session has ended. Please sign in. What you typed is still here.");
  await expect(again.getByLabel("Username")).toHaveValue(system.accounts.staff.username);
  await expect(again.getByLabel("Password", { exact: true })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/notifications/);
  await signInAt(again, { ...system.accounts.staff, password: "not-the-password" });
  await expectToast(page, "Login failed");
  await signInAt(again, system.accounts.staff);
  await expectToast(page, "Notification Sent");
  await expect(again).toBeHidden();
  expect(await system.call(notifications.list, { query: { q: title } })).toHaveLength(1);
});

test("gives a page back to its person, also from another tab, and starts afresh for anyone else", async ({
  page,
  context,
  system,
}) => {
  await page.goto("/auth");
  await signIn(page, system.accounts.staff);
  await page.getByRole("navigation").getByRole("link", { name: "User Management" }).click();
  await page.getByRole("button", { name: "Add User" }).click();
  const person = page.getByRole("dialog", { name: "Add User", includeHidden: true });
  await person.getByLabel("First name").fill("Half a na");
  const again = page.getByRole("dialog", { name: "Sign in again" });
  const end = async () => {
    await system.endLastSession();
    // The page notices with the next call.
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await expect(again.getByLabel("Password", { exact: true })).toBeFocused();
  };

  await end();
  const other = await context.newPage();
  await other.goto("/auth");
  await signIn(other, system.accounts.staff);
  await expect(again).toBeHidden();
  await expect(person.getByLabel("First name")).toHaveValue("Half a na");

  await end();
  await expectAccessible(page);
  await signInAt(again, system.accounts.staff);
  await expect(again).toBeHidden();
  await expect(person.getByLabel("First name")).toHaveValue("Half a na");

  await end();
  await signInAt(again, system.accounts.admin);
  await expectToast(page, "Login successful", "Welcome back, Ada!");
  await expect(again).toBeHidden();
  await expect(person.getByLabel("First name")).not.toHaveValue("Half a na");
  await page.keyboard.press("Escape");

  await end();
  await again.getByRole("button", { name: "Leave this page" }).click();
  await expect(page).toHaveURL("/auth");
});

test.describe("signed in", () => {
  test.use({ as: "admin" });

  // spec 10
  test("the sign-in page redirects to the dashboard, and an unknown path shows the 404 page", async ({
    page,
  }) => {
    await page.goto("/auth");
    await expect(page).toHaveURL("/");
    await expect(page.getByRole("heading", { name: "Dashboard", level: 1 })).toBeVisible();
    await page.goto("/attic");
    // spec 20
    await expect(page.getByRole("heading", { name: "404 Page Not Found" })).toBeVisible();
    // spec 21
    await expect(page.getByText("Did you forget to add the page to the router?")).toBeVisible();
  });
});

test.describe("a tenant", () => {
  test.use({ as: "tenant" });

  // spec 12-18, 215, 216, 330
  test("can't open screens for staff, and sees only what a tenant can open, and no way to send", async ({
    page,
  }) => {
    for (const path of [
      "/users",
      "/settings",
      "/integrations",
      "/notifications",
      "/notifications/1",
      "/templates",
      "/schedules",
    ]) {
      await page.goto(path);
      // spec 25
      await expect(page.getByRole("heading", { name: "Access Denied" })).toBeVisible();
      await expect(
        page.getByText(
          // spec 26
          "You don't have permission to access this page. This area requires admin or staff privileges.",
        ),
      ).toBeVisible();
    }
    await expectAccessible(page);
    // spec 27
    await page.getByRole("link", { name: "Back home" }).click();
    await expect(page).toHaveURL("/");
    const navigation = page.getByRole("navigation", { name: "Main navigation" });
    // spec 49
    await expect(navigation.getByRole("link")).toHaveText(["Notices", "Profile", "Help"]);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectAccessible(page);
    // spec 11
    await expect(page.getByRole("button", { name: "New Notification" })).toBeHidden();
    await expect(page.getByRole("button", { name: "Import CSV" })).toBeHidden();
    // spec 19
    await page.goto("/help");
    await expect(page.getByRole("heading", { name: "Help & Documentation", level: 1 })).toBeVisible();
    await page.goto("/profile");
    await page.getByRole("banner").getByRole("link", { name: "Notifications" }).click();
    await expect(page.getByRole("heading", { name: "Notices", level: 1 })).toBeVisible();
  });
});
