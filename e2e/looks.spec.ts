import type { Locator } from "@playwright/test";
import { dashboard } from "#contract/calls/dashboard.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { templates } from "#contract/calls/templates.ts";
import { users } from "#contract/calls/users.ts";
import { ComposeDialog } from "./compose-dialog.ts";
import { expect, test } from "./fixtures.ts";
import { flooded, intercept, withoutEvents } from "./intercept.ts";
import { moveIn, token } from "./people.ts";

/** Colors, durations and distances as the specification writes them, measured where a person sees them. */

/** What people call a computed color. */
function colorName(css: string): string {
  const [r = 0, g = 0, b = 0] = (/\(([^)]+)\)/.exec(css)?.[1] ?? "")
    .split(/[\s,]+/)
    .map((part) => Number(part) / 255);
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  if (most - least < 0.12) return most < 0.2 ? "ink" : "gray";
  const turn =
    most === r
      ? (g - b) / (most - least)
      : most === g
        ? 2 + (b - r) / (most - least)
        : 4 + (r - g) / (most - least);
  const hue = (turn * 60 + 360) % 360;
  if (hue < 20 || hue >= 300) return "red";
  if (hue < 70) return "yellow";
  if (hue < 180) return "green";
  return hue < 250 ? "blue" : "purple";
}

const expectColor = (part: Locator, property: "color" | "backgroundColor", name: string) =>
  expect
    .poll(() => part.evaluate((element, key) => getComputedStyle(element)[key], property).then(colorName))
    .toBe(name);

test.use({ colorScheme: "light" });

test("statuses, channels, roles and changes have their colors", async ({ page, system }) => {
  const title = `Colors ${token()}`;
  await system.call(notifications.create, { body: { title, status: "Draft" } });
  const [draft] = await system.call(notifications.list, { query: { q: title } });
  const statuses = {
    // spec 179
    Delivered: "green",
    // spec 180
    "Partially Delivered": "yellow",
    // spec 181
    Failed: "red",
    // spec 182
    Scheduled: "blue",
    // spec 183
    Draft: "gray",
    // spec 184
    Recurring: "gray",
    // spec 185
    Cancelled: "gray",
  };
  // spec 115
  const channels = { email: ["Email", "blue"], sms: ["SMS", "green"], push: ["Push", "purple"] } as const;
  const rows = Object.keys(statuses).map((status, n) => {
    const channel = (["email", "sms", "push"] as const)[n % 3]!;
    return {
      ...draft,
      id: n + 1,
      title: `${title} ${n}`,
      status,
      channels: [channel],
      type: channels[channel][0],
    };
  });
  await withoutEvents(page);
  await page.route("**/api/notifications?**", (route) =>
    route.fulfill({ json: rows, headers: { "X-Total-Count": String(rows.length) } }),
  );
  await page.goto("/notifications");
  const table = page.getByRole("table", { name: "Notifications" });
  for (const [n, [status, color]] of Object.entries(statuses).entries()) {
    const row = table.getByRole("row").filter({ hasText: `${title} ${n}` });
    await expectColor(row.getByText(status, { exact: true }), "color", color);
    const [name, tint] = channels[(["email", "sms", "push"] as const)[n % 3]!];
    await expectColor(row.getByRole("img", { name }).first(), "color", tint);
  }

  const people = await moveIn(system.call, [{}, {}, {}]);
  const found = await system.call(users.list, { query: { q: people.name } });
  // spec 442, 443
  const roles = [
    ["tenant", "Tenant", "green"],
    ["staff", "Staff", "blue"],
    ["admin", "Administrator", "purple"],
  ] as const;
  await page.route("**/api/users?**", (route) =>
    route.fulfill({
      json: found.map((person, n) => ({ ...person, role: roles[n]![0] })),
      headers: { "X-Total-Count": "3" },
    }),
  );
  await page.goto("/users");
  for (const [, label, color] of roles) {
    await expectColor(
      page.getByRole("table", { name: "Users" }).getByText(label, { exact: true }),
      "color",
      color,
    );
  }

  const figures = await system.call(dashboard.read);
  const json = {
    ...figures,
    tenants: { now: 5, before: 3, properties: 2 },
    openRate: { now: 40, before: 50 },
    templates: { now: 6, before: 6, used: 1 },
  };
  await page.route("**/api/dashboard", (route) => route.fulfill({ json }));
  await page.goto("/");
  const change = (name: string) =>
    page
      .getByRole("listitem")
      .filter({ has: page.getByRole("link", { name }) })
      .locator("svg")
      .last();
  // spec 82
  for (const [name, arrow, color] of [
    ["Active Tenants", "arrow-up", "green"],
    ["Open Rate", "arrow-down", "red"],
    ["Active Templates", "minus", "gray"],
  ] as const) {
    await expect(change(name)).toHaveClass(new RegExp(`lucide-${arrow}\\b`));
    await expectColor(change(name), "color", color);
  }
});

for (const [as, color] of [
  ["admin", "purple"],
  ["staff", "blue"],
  ["tenant", "ink"],
] as const) {
  test.describe(`signed in as ${as}`, () => {
    test.use({ as });
    test(`the avatar is ${color}`, async ({ page }) => {
      await page.goto("/");
      // spec 37, 38, 39
      const menu = page.getByRole("banner").getByRole("button", { name: /your menu$/ });
      await expectColor(menu.locator("span.rounded-full"), "backgroundColor", color);
    });
  });
}

test("a toast stays for five seconds and is swiped away to the right, from 50 px on", async ({ page }) => {
  await page.clock.install();
  await withoutEvents(page);
  await page.goto("/");
  await intercept(page, "**/api/auth/logout", flooded);
  const toast = page.getByRole("region", { name: "Notifications (F8)" }).getByRole("listitem");
  const show = async () => {
    await page
      .getByRole("banner")
      .getByRole("button", { name: /your menu$/ })
      .click();
    await page.getByRole("menuitem", { name: "Log out" }).click();
    await expect(toast).toBeVisible();
  };
  await page.clock.pauseAt(Date.now() + 60_000);
  await show();
  // spec 270
  await page.clock.runFor(4500);
  await expect(toast).toBeVisible();
  await page.clock.runFor(1000);
  await expect(toast).toHaveCount(0);

  await show();
  const swipe = async (pixels: number) => {
    const { x = 0, y = 0 } = (await toast.boundingBox()) ?? {};
    await page.mouse.move(x + 100, y + 20);
    await page.mouse.down();
    await page.mouse.move(x + 100 + pixels, y + 20, { steps: 10 });
    await page.mouse.up();
  };
  // spec 271
  await swipe(-80);
  await expect(toast).toBeVisible();
  await swipe(45);
  await expect(toast).toBeVisible();
  await swipe(56);
  await expect(toast).toHaveCount(0);
});

test("the size of a file, and the pages of templates", async ({ page, system }) => {
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  const buffer = Buffer.concat([Buffer.from("%PDF-1.4\n"), Buffer.alloc(1_258_282, " ")]);
  await dialog.attach({ name: "plan.pdf", mimeType: "application/pdf", buffer });
  // spec 138
  await expect(dialog.root.getByRole("listitem").filter({ hasText: "plan.pdf" })).toContainText("1.20 MB");

  const [one] = await system.call(templates.list);
  const asked: string[] = [];
  await page.route("**/api/templates?**", (route) => {
    const number = new URL(route.request().url()).searchParams.get("page") ?? "1";
    asked.push(number);
    const json = Array.from({ length: number === "1" ? 25 : 5 }, (_, n) => ({
      ...one,
      id: Number(number) * 100 + n,
      name: `Page ${number}, letter ${n}`,
    }));
    return route.fulfill({ json, headers: { "X-Total-Count": "30" } });
  });
  await page.goto("/templates");
  await expect(page.getByText("Showing 25 of 30 templates")).toBeVisible();
  // spec 308
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page.getByRole("button", { name: "Page 2, letter 4", exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Next" })).toBeDisabled();
  await page.getByRole("button", { name: "Previous" }).click();
  await expect(page.getByRole("button", { name: "Page 1, letter 24", exact: true })).toBeVisible();
});

test("nothing is polled", async ({ page }) => {
  await page.clock.install();
  await withoutEvents(page);
  await page.goto("/notifications");
  await expect(page.getByText(/^Showing \d+ of|^No notifications found/)).toBeVisible();
  await page.waitForLoadState("networkidle");
  const asked: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname.startsWith("/api/")) asked.push(request.url());
  });
  // spec 265
  await page.clock.runFor("10:00");
  expect(asked).toEqual([]);
});

test("the help tells what the specification says it does, and whom to ask", async ({ page }) => {
  const support = {
    supportEmail: "help@example.com",
    knowledgeBaseUrl: "https://example.com/handbook",
    supportCallUrl: "https://example.com/calls",
  };
  await page.route("**/api/settings", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...(await answer.json()), ...support } });
  });
  await page.goto("/help");
  const main = page.getByRole("main");
  const read = async (section: string, topic: string, ...sentences: (string | RegExp)[]) => {
    const entry = main
      .getByRole("region", { name: section })
      .locator("details")
      .filter({ has: page.locator("summary").getByText(topic, { exact: true }) });
    await entry.locator("summary").click();
    for (const sentence of sentences) await expect(entry.getByText(sentence).first()).toBeVisible();
    return entry;
  };
  // spec 364
  for (const step of ["Template", "Direct message", "Schedule", "Manual", "Sent", "Monitor delivery"]) {
    await expect(main.getByText(step, { exact: true }).first()).toBeVisible();
  }
  // spec 362, 367, 369
  await read("Getting Started", "Dashboard");
  // spec 368
  await read(
    "Getting Started",
    "Creating notifications",
    /immediately/i,
    /schedule/i,
    /Emergency/,
    /high priority/i,
  );
  await read("Getting Started", "Templates", "{{tenant_name}}");
  // spec 370
  await read("Getting Started", "Schedules", /a recurrence \(daily, weekly, monthly or one-time/);
  // spec 371
  await read(
    "Getting Started",
    "Users",
    /name, email, phone, property and unit, groups, and the channels/,
    /the move-in date, the move-out date/,
    // spec 372
    /First Name, Last Name, Email, Phone and Unit Number\. You map the columns/,
  );
  // spec 373
  await read("Getting Started", "Integrations", /accounts for email, SMS and push/);
  // spec 363, 514
  await read("Common Use Cases", "Monthly rent reminder", /monthly, day 25, 9:00 AM/);
  await read("Common Use Cases", "Emergency maintenance alert");
  await read("Common Use Cases", "Onboarding residents", /3 days after move-in at 9:00 AM/);
  await read("Common Use Cases", "CSV import");
  await read("Common Use Cases", "Community event notification");
  // spec 365, 375
  await read("Best Practices", "Timing", /at least 48 hours ahead/, /5-7 days before the due date/);
  await read("Best Practices", "Content");
  await read("Best Practices", "Channel");
  // spec 366
  await read("Troubleshooting", "A message wasn't delivered");
  await read("Troubleshooting", "A schedule didn't run");
  // spec 374
  const entry = await read("Troubleshooting", "Support");
  for (const [name, href] of [
    ["Write to help@example.com", "mailto:help@example.com"],
    ["Open the knowledge base", support.knowledgeBaseUrl],
    ["Schedule a support call", support.supportCallUrl],
  ] as const) {
    await expect(entry.getByRole("link", { name })).toHaveAttribute("href", href);
  }
});
