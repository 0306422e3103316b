import type { Locator, Page } from "@playwright/test";
import { notifications } from "#contract/calls/notifications.ts";
import { users, type UserDetail } from "#contract/calls/users.ts";
import { expect, test } from "./fixtures.ts";
import { flooded, intercept, withoutEvents } from "./intercept.ts";
import { moveIn, token } from "./people.ts";
import { expectToast } from "./toast.ts";

const row = (page: Page, text: string) =>
  page.getByRole("table", { name: "Users" }).getByRole("row").filter({ hasText: text });

async function choose(page: Page, person: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${person}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

async function fillPerson(dialog: Locator, mark: string): Promise<void> {
  await dialog.getByLabel("First name").fill("Nora");
  await dialog.getByLabel("Last name").fill(`Vance-${mark}`);
  await dialog.getByLabel("Username").fill(`nora.${mark}`);
  await dialog.getByLabel("Email", { exact: true }).first().fill(`nora.${mark}@example.com`);
}

// spec 4
test("adds, edits and deletes a person, with the specified wording", async ({ page, system }) => {
  const mark = token();
  const name = `Nora Vance-${mark}`;
  await page.goto("/users");
  await page.getByRole("button", { name: "Add User" }).click();
  const adding = page.getByRole("dialog", { name: "Add User" });
  await adding.getByRole("button", { name: "Create User" }).click();
  for (const sentence of [
    "First name is required",
    "Last name is required",
    "Username must be at least 3 characters",
    "Invalid email address",
    "To send a link, enter an email address or phone number above and keep that channel on.",
  ]) {
    await expect(adding.getByText(sentence)).toBeVisible();
  }
  await expect(adding.getByLabel("First name")).toBeFocused();
  await adding.getByLabel("First name").fill("Nora");
  await adding.getByLabel("Last name").fill(`Vance-${mark}`);
  await expect(adding.getByLabel("Username")).toHaveValue(`nora.vance${mark}`);
  await expect(adding.getByText("Username must be at least 3 characters")).toBeHidden();
  await fillPerson(adding, mark);
  await expect(adding.getByText("Sends a link by email.")).toBeVisible();
  await adding.getByText("Set a password").click();
  await expect(adding.getByText("Password must be at least 8 characters")).toBeVisible();
  await adding.getByLabel("Password", { exact: true }).fill("lamp-over-the-door");
  await adding.getByLabel("Phone").fill("12");
  await adding.getByLabel("Property/Unit").fill(`House ${mark}, Unit 4B`);
  await expect(adding.getByText(`House ${mark}`, { exact: true })).toBeVisible();
  await adding.getByRole("button", { name: "Create User" }).click();
  await expect(adding.getByText(/^Phone number is too short/)).toBeVisible();
  await adding.getByLabel("Phone").fill("415.555.0123");
  await adding.getByRole("button", { name: "Create User" }).click();
  // spec 484
  await expectToast(page, "User created");
  await expect(adding).toBeHidden();

  // spec 332
  await page.getByRole("searchbox", { name: "Search users" }).fill(mark);
  const nora = row(page, name);
  await expect(nora).toContainText("(415) 555-0123");
  await expect(nora).toContainText("Tenant");
  await expect(nora.getByRole("img", { name: "Push off" })).toBeVisible();

  await choose(page, name, "Edit");
  const editing = page.getByRole("dialog", { name: "Edit User" });
  await expect(editing.getByLabel("Username")).toHaveValue(`nora.${mark}`);
  await editing.getByRole("button", { name: "Correct" }).click();
  await editing.getByLabel("Unit", { exact: true }).fill("4 Back");
  await editing.getByRole("combobox", { name: "Role" }).selectOption("Staff");
  await editing.getByRole("button", { name: "Save Changes" }).click();
  // spec 484
  await expectToast(page, "User updated");
  await expect(nora).toContainText("Unit 4 Back");
  await expect(nora).toContainText("Staff");

  await choose(page, name, "Delete");
  await expect(
    // spec 339, 399, 490
    page.getByText(`Are you sure you want to delete ${name}? This action cannot be undone.`),
  ).toBeVisible();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  // spec 484
  await expectToast(page, "User deleted");
  // spec 341
  await expect(page.getByText("No matching users found")).toBeVisible();
  expect(await system.call(users.list, { query: { q: mark } })).toEqual([]);
});

test("says when the list can't be loaded, Retry loads it, and search, filters and sort order are kept in the URL", async ({
  page,
  system,
}) => {
  const property = await moveIn(
    system.call,
    Array.from({ length: 27 }, (_, place) => (place === 0 ? { email: "", phone: "" } : {})),
  );
  await withoutEvents(page);
  const pass = await intercept(page, "**/api/users?**", flooded);
  await page.goto("/users");
  // spec 342
  await expect(page.getByText("Error loading users")).toBeVisible();
  pass();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText(/^Showing \d+ of/)).toBeVisible();
  await page.getByRole("button", { name: "Property", exact: true }).click();
  await page.getByRole("combobox", { name: "Search properties" }).fill(property.name);
  await page.getByRole("option", { name: property.name }).click();
  await expect(page.getByText("Showing 25 of 27 users")).toBeVisible();
  await expect(page).toHaveURL(/property=Court/);
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page.getByText("Showing 2 of 27 users")).toBeVisible();
  await page.getByRole("button", { name: "Reachable" }).click();
  await page.getByRole("menuitemradio", { name: "Not at all" }).click();
  await expect(page.getByText("Showing 1 of 1 user")).toBeVisible();
  await expect(row(page, "No email or phone")).toHaveCount(1);
  await page.goBack();
  await expect(page.getByText("Showing 2 of 27 users")).toBeVisible();
  await page.reload();
  await expect(page.getByText("Showing 2 of 27 users")).toBeVisible();
  await page.getByRole("button", { name: "Sort" }).click();
  await page.getByRole("menuitemradio", { name: "Newest first" }).click();
  await expect(page).toHaveURL(/sort=newest/);
  await page.getByRole("button", { name: "Role" }).click();
  await page.getByRole("menuitemradio", { name: "Staff" }).click();
  await expect(page.getByText("No matching users found")).toBeVisible();
  await page.getByRole("button", { name: "Clear search and filters" }).click();
  await expect(page.getByText(/^Showing 25 of/)).toBeVisible();
});

test("goes back to where it was once its dialogs are closed", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  const [tenant] = property.tenants;
  await page.goto("/templates");
  await page.getByRole("link", { name: "User Management" }).click();
  const list = `/users?q=${tenant?.lastName}`;
  await page.getByRole("searchbox", { name: "Search users" }).fill(tenant?.lastName ?? "");
  await expect(page).toHaveURL(list);
  await page.getByRole("link", { name: tenant?.lastName ?? "" }).click();
  const panel = page.getByRole("dialog", { name: tenant?.lastName ?? "" });
  await panel.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit User" });
  await dialog.getByLabel("First name").fill("Again");
  await dialog.getByRole("button", { name: "Save Changes" }).click();
  await expect(dialog).toBeHidden();
  await panel.getByRole("button", { name: "Close" }).click();
  await expect(page).toHaveURL(list);
  await page.getByRole("button", { name: "Add User" }).click();
  // Closing it twice at once is closing it once.
  await page
    .getByRole("dialog", { name: "Add User" })
    .getByRole("button", { name: "Cancel" })
    .evaluate((cancel: HTMLButtonElement) => {
      cancel.click();
      cancel.click();
    });
  await expect(page).toHaveURL(list);
  await page.goBack();
  await expect(page).toHaveURL("/templates");
  // Someone who is opened before the pause after typing is over stays open.
  await page.goto(`/users?property=${encodeURIComponent(property.name)}`);
  const row = page.getByRole("link", { name: tenant?.lastName ?? "" });
  await row.waitFor();
  await page.getByRole("searchbox", { name: "Search users" }).fill(tenant?.lastName ?? "");
  await row.click();
  await expect(page).toHaveURL(/[?&]q=.*[?&]person=\d+|[?&]person=\d+.*[?&]q=/);
  await expect(page.getByRole("dialog", { name: tenant?.lastName ?? "" })).toBeVisible();
});

test("keeps what was typed when it was saved elsewhere first, and lets staff vouch for the address", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}]);
  const [tenant] = property.tenants;
  if (!tenant) throw new Error("moveIn made no tenant");
  const person = await system.call(users.detail, { params: { id: tenant.id } });
  const dialog = page.getByRole("dialog", { name: "Edit User" });
  const address = dialog.getByLabel("Email", { exact: true }).first();
  const open = async () => {
    await page.goto(`/users?person=${tenant.id}`);
    await page.getByRole("button", { name: "Edit", exact: true }).click();
  };
  await open();
  await expect(address).toHaveValue(person.email ?? "");
  await expect(address).not.toHaveAccessibleDescription(/confirm/);
  await dialog.getByLabel("First name").fill("Typed");
  const { username, role } = person;
  await system.call(users.update, {
    params: { id: tenant.id },
    body: {
      username,
      lastName: "Elsewhere",
      role,
      email: person.email,
      firstName: "Faster",
      receiveSms: false,
    },
  });
  const fail = await intercept(page, `**/api/users/${tenant.id}`, (route) =>
    route.request().method() === "PUT" ? flooded(route) : route.continue(),
  );
  await dialog.getByRole("button", { name: "Save Changes" }).click();
  // spec 475
  await expectToast(page, "Error", "Failed to update user: 500: ");
  fail();
  await dialog.getByRole("button", { name: "Save Changes" }).click();
  await expect(
    dialog.getByText("Someone else changed this person, or you did in another tab."),
  ).toBeVisible();
  await expect(dialog.getByLabel("First name")).toHaveValue("Typed");
  await expect(dialog.getByRole("checkbox", { name: "SMS" })).toBeChecked();
  await dialog.getByRole("button", { name: "Keep mine" }).click();
  // What wasn't changed here is as it was saved elsewhere, and stays so.
  await expect(dialog.getByLabel("First name")).toHaveValue("Typed");
  await expect(dialog.getByLabel("Last name")).toHaveValue("Elsewhere");
  await expect(dialog.getByRole("checkbox", { name: "SMS" })).not.toBeChecked();
  // The notice says all there is to say.
  expect(await page.evaluate(() => globalThis.shownToasts)).toEqual([]);
  await dialog.getByRole("button", { name: "Save Changes" }).click();
  await expectToast(page, "User updated");
  expect(await system.call(users.detail, { params: { id: tenant.id } })).toMatchObject({
    firstName: "Typed",
    lastName: "Elsewhere",
    receiveSms: false,
  });

  await intercept(page, `**/api/users/${tenant.id}`, (route) =>
    route.fulfill({ json: { ...person, addressConfirmed: false } }),
  );
  await open();
  // Saving something else doesn't confirm it.
  await dialog.getByRole("checkbox", { name: "I know that this email address is theirs" }).check();
  const saving = page.waitForRequest((request) => request.method() === "PUT");
  await dialog.getByRole("button", { name: "Save Changes" }).click();
  expect((await saving).postDataJSON()).toMatchObject({ vouchFor: ["email"] });
});

// spec 416, 454
test("sends credentials by email, and the link lets the person set a password", async ({
  page,
  system,
  browser,
}) => {
  const mark = token();
  await page.goto("/users");
  await page.getByRole("button", { name: "Add User" }).click();
  const dialog = page.getByRole("dialog", { name: "Add User" });
  await fillPerson(dialog, mark);
  await dialog.getByRole("button", { name: "Create User" }).click();
  await expectToast(page, "User created", `A link is on its way to Nora Vance-${mark} by email.`);
  const address = `nora.${mark}@example.com`;
  await expect.poll(() => system.mail.to(address)).toHaveLength(1);
  const link = /https?:\/\/\S+\/set-password\/[\w-]+/.exec(system.mail.to(address)[0]?.text ?? "")?.[0];
  const own = await browser.newContext({
    baseURL: system.server.url,
    // Signed out. By default, the context would be the administrator's.
    storageState: { cookies: [], origins: [] },
  });
  const door = await own.newPage();
  await door.goto(new URL(link ?? "").pathname);
  await door.getByLabel("New password").fill("lamp-over-the-door!");
  await door.getByLabel("Confirm password").fill("lamp-over-the-door!");
  await door
    .getByRole("button", { name: /password/i })
    .last()
    .click();
  await expect(door.getByRole("banner")).toBeVisible();
  await own.close();
});

// spec 455
test("saves the person when credentials can't be sent, and says so", async ({ page, system }) => {
  const mark = token();
  // The Sandbox reports that this number does not exist, so it is blocked.
  const dead = { phone: "(312) 555-0001", receiveEmail: false, sendCredentials: true };
  const { id } = await system.call(users.create, {
    body: { username: `dead.${mark}`, email: "dead@example.com", firstName: "D", lastName: "Ead", ...dead },
  });
  await expect
    .poll(async () => (await system.call(users.detail, { params: { id } })).suppressions)
    .toHaveLength(1);
  await page.goto("/users");
  await page.getByRole("button", { name: "Add User" }).click();
  const dialog = page.getByRole("dialog", { name: "Add User" });
  await fillPerson(dialog, mark);
  await dialog.getByRole("checkbox", { name: "Email", exact: true }).uncheck();
  await dialog.getByRole("button", { name: "Create User" }).click();
  const nowhere = dialog.getByText("To send a link, enter an email address or phone number above");
  await expect(nowhere.locator("..").locator("..")).toBeFocused();
  await dialog.getByRole("textbox", { name: "Phone" }).fill(dead.phone);
  await expect(nowhere).toBeHidden();
  await dialog.getByRole("button", { name: "Create User" }).click();
  await expectToast(page, "User created, but no link was sent", "We can't send", "destructive");
  expect(await system.call(users.list, { query: { q: `nora.${mark}` } })).toHaveLength(1);
});

test("unblocks a bounced address on the person's page", async ({ page, system }) => {
  const mark = token();
  // The Sandbox reports that this number does not exist.
  const { id } = await system.call(users.create, {
    body: {
      username: `bounce.${mark}`,
      email: "bo@example.com",
      phone: "(617) 555-0001",
      firstName: "Bo",
      lastName: "Unce",
      receiveEmail: false,
      sendCredentials: true,
    },
  });
  const blocked = async () => (await system.call(users.detail, { params: { id } })).suppressions;
  await expect.poll(blocked).toHaveLength(1);
  // As if they had marked it as spam.
  await page.route(`**/api/users/${id}`, async (route) => {
    const response = await route.fetch();
    const detail = (await response.json()) as UserDetail;
    const suppressions = detail.suppressions.map((one) => ({ ...one, kind: "complaint" }));
    await route.fulfill({ response, json: { ...detail, suppressions } });
  });
  await page.goto(`/users?q=bounce.${mark}&person=${id}`);
  const list = page.getByRole("list", { name: "Blocked addresses" });
  await expect(list.getByText("SMS: (617) 555-0001 is blocked.")).toBeVisible();
  await list.getByRole("button", { name: "Unblock" }).click();
  const question = page.getByRole("alertdialog", { name: "Unblock (617) 555-0001?" });
  await expect(question).toContainText("Someone asked us to stop sending messages to this number.");
  await question.getByRole("button", { name: "Unblock" }).click();
  await expectToast(page, "Address unblocked", "We'll use (617) 555-0001 again.");
  await expect(list).toBeHidden();
  expect(await blocked()).toEqual([]);
});

test("asks again before deleting a person who is a scheduled notification's recipient, which becomes a draft", async ({
  page,
  system,
}) => {
  const [tenant] = (await moveIn(system.call, [{}])).tenants;
  const planned = await system.call(notifications.create, {
    body: {
      title: "Chimney sweep",
      content: "Hello.",
      recipients: [{ type: "user", id: tenant?.id ?? 0 }],
      channels: ["email"],
      status: "Scheduled",
      scheduled_time: "2099-11-25T09:00:00-05:00",
    },
  });
  const name = `${tenant?.firstName} ${tenant?.lastName}`;
  await page.goto(`/users?q=${encodeURIComponent(tenant?.lastName ?? "")}`);
  await choose(page, name, "Delete");
  const question = page.getByRole("alertdialog", { name: "Delete User" });
  const words = question.getByText(`Are you sure you want to delete ${name}? This action cannot be undone.`);
  await expect(words).toBeVisible();
  await question.getByRole("button", { name: "Delete" }).click();
  await expect(question.getByRole("link", { name: "Chimney sweep" })).toBeVisible();
  await expect(words).toBeVisible();
  await expect(question.getByRole("button", { name: "Cancel" })).toBeFocused();
  await question.getByRole("button", { name: "Delete anyway" }).click();
  await expectToast(page, "User deleted");
  expect(await system.call(notifications.detail, { params: { id: planned.id } })).toMatchObject({
    status: "Draft",
    statusReason: expect.stringContaining(`${name}, its only recipient, was deleted.`),
  });
});

test("a person's details list their messages and link to each delivery", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  const { id } = await system.call(notifications.send, {
    body: { title: "Gutters", message: "Hello.", recipients: [property.group], channels: ["email"] },
  });
  const [tenant] = property.tenants;
  await page.goto(`/users?q=${encodeURIComponent(tenant?.lastName ?? "")}`);
  await row(page, tenant?.lastName ?? "")
    .getByRole("link")
    .click();
  const panel = page.getByRole("dialog", { name: new RegExp(tenant?.lastName ?? "") });
  await expect(page).toHaveURL(new RegExp(`person=${tenant?.id}`));
  await expect(panel.getByRole("link", { name: `${property.name} by rule` })).toBeVisible();
  await panel.getByRole("link", { name: "Gutters" }).click();
  await expect(page).toHaveURL(new RegExp(`/notifications/${id}\\?delivery=\\d+$`));
});

test.describe("staff", () => {
  test.use({ as: "staff" });

  test("see why they can't change an administrator", async ({ page, system }) => {
    const { firstName, lastName } = system.accounts.admin;
    await page.goto("/users?role=admin");
    await page.getByRole("button", { name: `Actions for ${firstName} ${lastName}` }).click();
    await expect(page.getByRole("menuitem", { name: "Edit" })).toHaveAttribute("aria-disabled", "true");
    await expect(page.getByText("Only an administrator can change an administrator.")).toBeVisible();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Add User" }).click();
    const role = page.getByRole("combobox", { name: "Role" });
    await expect(role.getByRole("option", { name: "Administrator" })).toBeDisabled();
    await expect(page.getByText("Only an administrator can make someone an administrator.")).toBeVisible();
  });
});
