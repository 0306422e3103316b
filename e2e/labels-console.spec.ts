import type { Page } from "@playwright/test";
import { groups } from "#contract/calls/groups.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { schedules } from "#contract/calls/schedules.ts";
import { expect, test } from "./fixtures.ts";
import { flooded, hold, intercept, withoutEvents } from "./intercept.ts";
import { expectStatus } from "./notification-page.ts";
import { moveIn, token } from "./people.ts";
import { expectToast } from "./toast.ts";

/** The other screens as the specification writes them: labels and states. */

const headersOf = (page: Page, table: string) =>
  page.getByRole("table", { name: table }).getByRole("columnheader");

const failure = "500: The cellar is flooded";

test("a notification's page and its edit dialog", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  const common = { content: "The gutter is cleaned.", recipients: [property.group], channels: ["email"] };
  const weekly = await system.call(notifications.create, {
    body: { ...common, title: `Weekly ${token()}`, status: "Recurring", recurrence: "weekly" },
  });
  await page.goto(`/notifications/${weekly.id}`);
  const panel = page.getByRole("region", { name: "Schedule" });
  // spec 287, 288
  await expect(panel).toContainText("Every Monday");
  await expect(page.getByRole("button", { name: "Edit Schedule" })).toHaveCount(0);

  const title = `Gutter ${token()}`;
  const body = { ...common, title, status: "Scheduled", scheduled_time: "2099-01-15T14:00:00Z" } as const;
  const { id } = await system.call(notifications.create, { body });
  const release = await hold(page, `**/api/notifications/${id}`);
  await page.goto(`/notifications/${id}`);
  const main = page.getByRole("main");
  // spec 292
  await expect(main.getByText("Loading...").first()).toBeAttached();
  release();
  // spec 286
  await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  await expect(main.getByText("Email", { exact: true }).first()).toBeVisible();
  await expectStatus(page, "Scheduled");
  await expect(main.getByText(property.name).first()).toBeVisible();
  await expect(main.getByText(common.content)).toBeVisible();
  // spec 287, 288
  await expect(panel).toContainText("Jan 15, 2099");
  await expect(panel.getByRole("button", { name: "Edit Schedule" })).toBeVisible();
  // spec 285
  await expect(main.getByRole("link", { name: "Notifications", exact: true })).toHaveAttribute(
    "href",
    "/notifications",
  );

  await page.getByRole("button", { name: "Edit Notification" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Notification" });
  // spec 296
  for (const field of ["Title", "Content", "Recipients", "Status"]) {
    await expect(dialog.getByLabel(field).first()).toBeVisible();
  }
  await expect(dialog.getByRole("radio", { name: "Template" })).toBeAttached();
  // spec 299
  expect((await dialog.locator('input[type="file"]').getAttribute("accept"))?.split(",")).toEqual(
    expect.arrayContaining([".pdf", ".jpg", ".jpeg", ".png", ".gif"]),
  );
  // spec 300
  await expect(dialog.getByText("max 5MB per file")).toBeVisible();
  const save = dialog.getByRole("button", { name: "Save Changes" });
  await dialog.getByLabel("Title").fill(`${title}, too`);
  const pass = await intercept(page, `**/api/notifications/${id}`, flooded);
  await save.click();
  // spec 471
  await expectToast(page, "Error", `Failed to update notification: ${failure}`);
  pass();
  await system.call(notifications.update, { params: { id }, body: { ...body, content: "Tomorrow." } });
  await intercept(page, `**/api/notifications/${id}`, (route) =>
    route.request().method() === "GET" ? flooded(route) : route.fallback(),
  );
  await save.click();
  // spec 470
  await expectToast(page, "Error", "Failed to load notification details");
  await page.reload();
  // spec 293
  await expect(page.getByText("Error loading notification details")).toBeVisible();
});

test("templates and schedules", async ({ page, system }) => {
  await page.goto("/templates");
  // spec 303
  await expect(page.getByRole("heading", { name: "Templates", level: 1 })).toBeVisible();
  // spec 304
  await expect(page.getByRole("button", { name: "New Template" })).toBeVisible();
  // spec 368
  await expect(page.getByRole("row", { name: /Emergency Notification/ })).toContainText("High Priority");
  // spec 306
  await expect(headersOf(page, "Templates")).toHaveText([
    "Type",
    "Template Name",
    "Dynamic Fields",
    "Last Used",
    "Created By",
    "Actions",
  ]);
  for (const name of ["Previous", "Next"]) await expect(page.getByRole("button", { name })).toBeVisible();

  const property = await moveIn(system.call, [{}]);
  const { id, name } = await system.call(schedules.create, {
    body: {
      name: `Rent ${token()}`,
      templateId: "rent-reminder",
      fieldValues: { amount: "$1", due_date: { daysAfter: 6 } },
      time: "09:00",
      recipients: [property.group],
    },
  });
  await page.goto("/schedules");
  // spec 317
  await expect(page.getByRole("tab")).toHaveText([/^Active/, /^All Schedules/]);
  // spec 315
  await page.locator("label", { hasText: /^Calendar$/ }).click();
  await expect(page.getByRole("table").getByRole("cell", { name: "Today" })).toBeVisible();
  // spec 314
  await page.getByRole("button", { name: "Send Notification" }).click();
  const compose = page.getByRole("dialog", { name: "Create New Notification" });
  await expect(compose).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(compose).toBeHidden();

  // spec 325
  await page.goto(`/schedules?edit=${id}`);
  const editor = page.getByRole("dialog", { name: "Edit Schedule" });
  await expect(editor.getByRole("textbox", { name: "Name" })).toHaveValue(name);
  // spec 328
  await expect(editor.getByRole("group", { name: "Recurrence" }).getByRole("radio")).toHaveCount(5);
  const week = editor.getByLabel("Day of Week");
  const month = editor.getByLabel("Day of Month");
  const date = editor.getByRole("textbox", { name: "Date", exact: true });
  // spec 329
  for (const [kind, shown] of [
    ["Weekly", week],
    ["Monthly", month],
    ["One-time", date],
    ["Daily", undefined],
  ] as const) {
    await editor.locator("label", { hasText: new RegExp(`^${kind}$`) }).click();
    for (const field of [week, month, date]) {
      await (field === shown ? expect(field).toBeVisible() : expect(field).toHaveCount(0));
    }
  }
  await page.route(`**/api/schedules/${id}`, flooded);
  await editor.getByRole("button", { name: "Save Schedule" }).click();
  // spec 469
  await expectToast(page, "Error", `Failed to save schedule: ${failure}`, "destructive");
});

test("users", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  const [tenant] = property.tenants;
  const name = `${tenant?.firstName} ${tenant?.lastName}`;
  await page.goto(`/users?q=${encodeURIComponent(tenant?.lastName ?? "")}`);
  // spec 331
  await expect(page.getByRole("tab")).toHaveText(["Users", "User Groups", "Blocked Addresses"]);
  // spec 337
  await expect(headersOf(page, "Users")).toHaveText([
    "User",
    "Contact",
    "Role",
    "Property/Unit",
    "Notification Preferences",
    "Actions",
  ]);
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  // spec 338
  for (const action of ["Edit", "View Details", "Delete"]) {
    await expect(page.getByRole("menuitem", { name: action })).toBeVisible();
  }
  const pass = await intercept(page, `**/api/users/${tenant?.id}**`, flooded);
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  // spec 476
  await expectToast(page, "Error", `Failed to delete user: ${failure}`);
  pass();

  // spec 336
  await page.getByRole("button", { name: "Add User" }).click();
  const adding = page.getByRole("dialog", { name: "Add User" });
  await adding.getByText("Set a password").click();
  for (const [label, value] of [
    ["First name", "Nora"],
    ["Last name", "Vance"],
    ["Username", token()],
    ["Email", "nora@example.com"],
    ["Password", "lamp-over-the-door!"],
  ] as const) {
    await adding.getByLabel(label, { exact: true }).first().fill(value);
  }
  await page.route("**/api/users", flooded);
  await adding.getByRole("button", { name: "Create User" }).click();
  // spec 474
  await expectToast(page, "Error", `Failed to create user: ${failure}`);
  await page.route("**/api/users?**", (route) =>
    route.fulfill({ json: [], headers: { "X-Total-Count": "0" } }),
  );
  await page.goto("/users");
  // spec 340
  await expect(page.getByText("No users found")).toBeVisible();
});

test("user groups", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  const name = `Garden ${token()}`;
  await system.call(groups.create, { body: { name, userIds: [property.tenants[0]?.id] } });
  await page.goto(`/users?tab=groups&q=${encodeURIComponent(name)}`);
  // spec 344
  await expect(headersOf(page, "User groups")).toHaveText([
    "Group Name",
    "Description",
    "Users",
    "Created By",
    "Actions",
  ]);
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  // spec 345
  for (const action of ["Edit Group", "View Members", "Delete Group"]) {
    await expect(page.getByRole("menuitem", { name: action })).toBeVisible();
  }
  await page.route(/\/api\/usergroups(\/\d+)?(\?detach=\w+)?$/, (route) =>
    route.request().method() === "GET" ? route.fallback() : flooded(route),
  );
  await page.getByRole("menuitem", { name: "Delete Group" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  // spec 479
  await expectToast(page, "Error", `Failed to delete user group: ${failure}`);
  // spec 343
  await page.getByRole("button", { name: "New Group" }).click();
  const dialog = page.getByRole("dialog", { name: "New Group" });
  await dialog.getByLabel("Group name").fill("Choir");
  await dialog.getByRole("button", { name: "Create Group" }).click();
  // spec 477
  await expectToast(page, "Error", `Failed to create user group: ${failure}`);
});

test("settings, integrations and help", async ({ page }) => {
  await withoutEvents(page);
  const pass = await intercept(page, "**/api/settings/value/companyLogo", flooded);
  await page.goto("/settings");
  await expect(page.getByText("Error loading settings")).toBeVisible();
  pass();
  await page.getByRole("button", { name: "Retry" }).click();
  // spec 352
  await expect(page.getByRole("tab")).toHaveText(["General", "Notifications", "Security"]);
  // spec 492
  await expect(page.getByText("JPG or PNG up to 2MB, recommended 150x150 px")).toBeVisible();

  await page.goto("/integrations");
  // spec 357-359
  await expect(page.getByRole("tab")).toHaveText(["OneSignal", "Email Service", "SMS Service"]);
  for (const [name, provider] of [
    ["OneSignal", /^OneSignal/],
    ["SMS Service", /^Twilio/],
  ] as const) {
    await page.getByRole("tab", { name }).click();
    await page.getByRole("button", { name: "Connect a provider" }).click();
    await page.getByRole("link", { name: provider }).click();
    // spec 360
    await expect(page.getByRole("button", { name: "Test Connection" })).toBeVisible();
  }
  await page.getByRole("tab", { name: "Email Service" }).click();
  const main = page.getByRole("main");
  const release = await hold(page, "**/api/integrations/*/check");
  // spec 360
  await main.getByRole("button", { name: "Test Connection" }).click();
  // spec 361, 397
  await expect(main.getByText("Checking", { exact: true })).toBeVisible();
  release();
  await expectToast(page, "Connection Successful");
  await expect(main.getByText("Connected", { exact: true })).toBeVisible();

  await page.goto("/help");
  const workflow = page.getByRole("region", { name: "How a notification works" });
  // spec 364
  await expect(workflow.getByRole("listitem")).toContainText([
    "Template",
    "Direct message",
    "Schedule",
    "Manual",
    "Sent",
    "Monitor delivery",
  ]);
  for (const name of [/^Direct message/, /^Manual/]) {
    await expect(workflow.getByRole("link", { name })).toHaveAttribute("href", "/notifications?write=new");
  }
  // spec 362
  const topic = page.getByRole("region", { name: "Getting Started" }).getByText("Creating notifications");
  const answer = page.getByText("Send immediately, schedule it for later, or make it recurring.");
  await expect(answer).toBeHidden();
  await topic.click();
  // spec 367
  await expect(answer).toBeVisible();
});
