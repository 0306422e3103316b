import type { Page } from "@playwright/test";
import { dashboard } from "#contract/calls/dashboard.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { ComposeDialog } from "./compose-dialog.ts";
import { expect, test } from "./fixtures.ts";
import { flooded, hold, intercept, withoutEvents } from "./intercept.ts";
import { moveIn, token } from "./people.ts";
import { expectToast } from "./toast.ts";

/** Dashboard, notifications and CSV as the specification writes them: labels, sizes and states. */

const headersOf = (page: Page, table: string) =>
  page.getByRole("table", { name: table }).getByRole("columnheader");

test("the dashboard", async ({ page, system }) => {
  await page.setViewportSize({ width: 1600, height: 1000 });
  const figures = await system.call(dashboard.read);
  await page.route("**/api/dashboard", (route) =>
    route.fulfill({
      json: {
        ...figures,
        tenants: { now: 5, before: 3, properties: 2 },
        openRate: { now: 40, before: 50 },
        templates: { now: 6, before: 6, used: 1 },
      },
    }),
  );
  const release = await hold(page, "**/api/notifications?**");
  await page.goto("/");
  // spec 73
  await expect(page.getByRole("heading", { name: "Dashboard", level: 1 })).toBeVisible();
  const recent = page.getByRole("region", { name: "Recent Notifications" });
  // spec 89
  await expect(recent.getByText("Loading...")).toBeAttached();
  release();
  await moveIn(system.call, [{}]);
  await system.call(notifications.create, { body: { title: `Sketch ${token()}`, status: "Draft" } });
  await page.reload();
  // spec 84
  await expect(headersOf(page, "Recent notifications")).toHaveText([
    "Type",
    "Title",
    "Recipients",
    "Status",
    "Sent",
    "Actions",
  ]);
  // spec 85
  await expect(recent.getByText("Details", { exact: true }).first()).toHaveAttribute(
    "href",
    /^\/notifications\/\d+$/,
  );
  const card = (name: string) => page.getByRole("listitem").filter({ has: page.getByRole("link", { name }) });
  // spec 78
  await expect(card("Active Tenants")).toContainText("5");
  const change = (name: string) => card(name).locator("span.font-semibold");
  await expect(change("Active Tenants")).toHaveText("2 more");
  await expect(change("Open Rate")).toHaveText("10 points lower");
  await expect(card("Active Templates").getByText(/^Same as/)).toBeVisible();
  // spec 79
  await expect(card("Notifications Sent")).toBeVisible();
  // spec 80
  await expect(card("Open Rate")).toContainText("40%");
  // spec 81
  await expect(card("Active Templates")).toContainText("6");
  // spec 97-99
  for (const words of [
    "Add, edit or remove tenant and staff users",
    "Create and edit notification templates",
    "Configure API integration settings",
  ]) {
    await expect(page.getByText(words)).toBeVisible();
  }
  const upcoming = page.getByRole("region", { name: "Upcoming Scheduled Notifications" });
  // spec 94
  await expect(upcoming.getByRole("link", { name: "View All Schedules" })).toHaveAttribute(
    "href",
    "/schedules",
  );
  // spec 77
  const [one, two, below] = await Promise.all(
    [recent, upcoming, page.getByRole("region", { name: "Quick Actions" })].map((part) => part.boundingBox()),
  );
  expect(two?.y).toBe(one?.y);
  expect(Math.round((one?.width ?? 0) / (two?.width ?? 1))).toBe(2);
  expect(below?.y).toBeGreaterThan(two?.y ?? 0);

  await page.route("**/api/schedules/upcoming**", (route) => route.fulfill({ json: [] }));
  await page.route("**/api/dashboard", (route) =>
    route.fulfill({
      json: {
        ...figures,
        sent: { now: 12_345, before: 0, simulated: 12_345 },
        simulated: 12_345,
        openRate: { now: null, before: 90 },
      },
    }),
  );
  let asked = 0;
  await page.route("**/api/notifications?**", (route) => {
    asked += 1;
    return flooded(route);
  });
  await withoutEvents(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/");
  await expect(card("Notifications Sent")).toContainText("12,345 messages");
  // However many there are, that they are simulated takes no line of its own.
  const heights = ["Notifications Sent", "SIMULATED"].map(async (text) => {
    const box = await card("Notifications Sent").getByText(text, { exact: true }).boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 0) / 2;
  });
  const [label = 0, badge = 0] = await Promise.all(heights);
  expect(Math.abs(label - badge)).toBeLessThan(5);
  await expect(card("Notifications Sent")).toContainText("None in the 30 days before");
  await expect(card("Open Rate")).toContainText("90% in the 30 days before");
  // spec 95
  await expect(upcoming.getByText("No upcoming schedules")).toBeVisible();
  // spec 90
  await expect(recent.getByText("Error loading notifications")).toBeVisible();
  const retry = recent.getByRole("button", { name: "Retry" });
  await expect(retry).toBeEnabled();
  asked = 0;
  await retry.click();
  await expect.poll(() => asked).toBe(1);
  await expect(retry).toBeEnabled();
  // spec 267
  expect(asked).toBe(1);
});

test("the list and the create dialog", async ({ page, system }) => {
  const release = await hold(page, "**/api/notifications?**");
  await page.goto("/notifications");
  // spec 100
  await expect(page.getByRole("heading", { name: "Notifications", level: 1 })).toBeVisible();
  // spec 101
  await expect(page.getByText("Send and manage notifications to tenants and staff")).toBeVisible();
  // spec 103
  await expect(page.getByPlaceholder("Search notifications...")).toBeVisible();
  // spec 111
  await expect(page.getByRole("main").getByText("Loading...").first()).toBeAttached();
  release();
  const { id } = await system.call(notifications.create, {
    body: { title: `Sketch ${token()}`, status: "Draft" },
  });
  await page.reload();
  // spec 107
  await expect(headersOf(page, "Notifications")).toHaveText([
    "Type",
    "Title",
    "Recipients",
    "Status",
    "Sent/Scheduled",
    "Actions",
  ]);
  // spec 108
  await expect(page.locator(`a[href="/notifications/${id}"]`, { hasText: /^Details$/ })).toBeVisible();

  for (const url of ["**/api/usergroups**", "**/api/users?**"]) {
    await page.route(url, (route) => route.fulfill({ json: [], headers: { "X-Total-Count": "0" } }));
  }
  await page.reload();
  // spec 102
  await page.getByRole("button", { name: "New Notification" }).click();
  const dialog = new ComposeDialog(page);
  // spec 117, 119
  await expect(dialog.title).toBeFocused();
  // spec 116, 276
  await expect.poll(async () => (await dialog.root.boundingBox())?.width).toBe(600);
  // spec 118
  await expect(dialog.root.getByText("Fill out the form below to send a new notification.")).toBeVisible();
  // spec 126
  for (const channel of ["Email", "SMS", "Web Push"] as const) {
    await dialog.channel(channel).check();
  }
  // spec 121, 123
  await dialog.recipients.click();
  await expect(dialog.root.getByText("No groups available")).toBeVisible();
  await page.keyboard.press("Escape");
  // spec 124
  await dialog.choose("Individuals");
  await dialog.recipients.click();
  await expect(dialog.root.getByText("No users available")).toBeVisible();
  await page.keyboard.press("Escape");
  // spec 127
  await expect(dialog.root.getByRole("radio", { name: "Send immediately" })).toBeChecked();
  // spec 130
  await dialog.choose("Recurring");
  const recurrence = dialog.root.getByLabel("Recurrence");
  // spec 131
  await expect(recurrence).toHaveValue("daily");
  await expect(dialog.root.getByLabel(/^Day of/)).toHaveCount(0);
  const values = (label: string) =>
    dialog.root
      .getByLabel(label)
      .locator("option")
      .evaluateAll((all) =>
        all.map((option) => `${option.textContent}=${(option as HTMLOptionElement).value}`),
      );
  await recurrence.selectOption("Weekly");
  // spec 132
  expect((await values("Day of Week")).join()).toBe(
    "Monday=1,Tuesday=2,Wednesday=3,Thursday=4,Friday=5,Saturday=6,Sunday=0",
  );
  await recurrence.selectOption("Monthly");
  // spec 133
  await expect(dialog.root.getByLabel("Day of Month")).toHaveValue("1");
  // spec 506
  expect(await values("Day of Month")).toEqual(Array.from({ length: 31 }, (_, n) => `${n + 1}=${n + 1}`));
  // spec 128
  await dialog.choose("Schedule for later");
  await dialog.root.getByRole("button", { name: "Choose a date" }).click();
  // spec 280
  await expect(page.getByRole("grid").locator("th").first()).toHaveText("Su");
  await page.keyboard.press("Escape");
  // spec 139
  await dialog.root.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog.root).toBeHidden();
});

test("sending and importing say that they are under way", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  const title = `Under way ${token()}`;
  await dialog.write({ title, message: "Hello.", recipients: [property.name], channels: ["Email"] });
  await dialog.counted("1 person, 1 message.");
  const release = await hold(page, "**/api/send-notification");
  await dialog.send.click();
  // spec 142
  await expect(dialog.root.getByRole("button", { name: "Sending..." })).toBeDisabled();
  release();
  // spec 143
  await expect(dialog.root).toBeHidden();
  await dialog.open();
  await expect(dialog.title).toHaveValue("");
  await page.keyboard.press("Escape");

  const name = `Vance-${token()}`;
  await page.goto(`/users?q=${name}`);
  // spec 333
  await page.getByRole("button", { name: "Import/Export" }).click();
  // spec 334
  await page.getByRole("menuitem", { name: "Import CSV" }).click();
  const csv = page.getByRole("dialog", { name: "Import/Export CSV" });
  await expect(csv.getByRole("tab", { name: "Import", selected: true })).toBeVisible();
  // spec 148
  const note = csv.getByLabel("Example");
  await expect(note).toContainText("username,email,firstName,lastName,phone,role,propertyUnit");
  // spec 149
  expect((await note.innerText()).split("\n")).toHaveLength(3);
  // spec 144
  await csv.getByRole("textbox", { name: "CSV Data" }).fill(`firstName,lastName\nNora,${name}`);
  await expect(csv.getByText("1 new")).toBeVisible();
  const importing = await hold(page, "**/api/csv/import**");
  await csv.getByRole("button", { name: "Import CSV" }).click();
  // spec 147
  await expect(csv.getByRole("button", { name: "Importing..." })).toBeDisabled();
  importing();
  await csv.getByRole("button", { name: "Done" }).click();
  // spec 249
  await expect(page.getByRole("link", { name: `Nora ${name}` })).toBeVisible();

  await page.getByRole("button", { name: "Import/Export" }).click();
  await page.getByRole("menuitem", { name: "Import CSV" }).click();
  // spec 145
  await csv.getByRole("button", { name: "Cancel" }).click();
  await expect(csv).toBeHidden();
});

test("a list is read once, and again after a send, without the server's events", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  await hold(page, "**/api/events?*");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const go = async (to: string) => {
    await page.getByRole("navigation").getByRole("link", { name: to, exact: true }).click();
    await expect(page.getByRole("heading", { name: to, level: 1 })).toBeVisible();
  };
  await page.goto("/templates");
  const templates = page.getByRole("table", { name: "Templates" });
  await expect(templates).toBeVisible();
  await go("Schedules");
  const schedules = page.getByText(/^Showing \d+ of|^No active schedules found/);
  await expect(schedules).toBeVisible();
  await go("Templates");
  await expect(templates).toBeVisible();
  await go("Schedules");
  await expect(schedules).toBeVisible();
  const lists = asked.flatMap((url) => /\/api\/(templates|schedules)\?/.exec(url)?.[1] ?? []);
  // The schedules, and how many there are on each of the two tabs.
  // spec 464, 465
  expect(lists).toEqual(["templates", "schedules", "schedules", "schedules"]);

  await go("Notifications");
  const title = `Unheard ${token()}`;
  const dialog = await new ComposeDialog(page).open();
  await dialog.write({ title, message: "Hello.", recipients: [property.name], channels: ["Email"] });
  await dialog.send.click();
  await page.getByRole("button", { name: "Open notification" }).click();
  await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  await go("Notifications");
  // spec 248
  await expect(page.getByRole("link", { name: title, exact: true })).toBeVisible();
});

test("an export that is loading, empty, or failed", async ({ page }) => {
  await page.goto("/users");
  const release = await hold(page, "**/api/csv/export");
  await page.getByRole("button", { name: "Import/Export" }).click();
  // spec 335
  await page.getByRole("menuitem", { name: "Export CSV" }).click();
  const csv = page.getByRole("dialog", { name: "Import/Export CSV" });
  // spec 151
  await expect(csv.getByPlaceholder("Loading export data...")).toBeVisible();
  release();
  // spec 156
  await expect(csv.getByRole("textbox", { name: "CSV Data" })).toHaveValue(/ada\.owner/);
  const reopen = async () => {
    await csv.getByRole("tab", { name: "Import" }).click();
    await csv.getByRole("tab", { name: "Export" }).click();
  };
  const pass = await intercept(page, "**/api/csv/export", (route) => route.fulfill({ json: [] }));
  await reopen();
  // spec 247
  await expect(csv.getByText("No data available for export")).toBeVisible();
  pass();
  await intercept(page, "**/api/csv/export", flooded);
  await reopen();
  // spec 261
  await expectToast(page, "Export Failed", "500: The cellar is flooded");
  await expect(csv.getByText("Failed to export user data")).toBeVisible();
  // spec 152
  await csv.getByRole("button", { name: "Close" }).last().click();
  await expect(csv).toBeHidden();
});
