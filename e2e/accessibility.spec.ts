import { notifications } from "#contract/calls/notifications.ts";
import { schedules } from "#contract/calls/schedules.ts";
import { expectAccessible } from "./axe.ts";
import { ComposeDialog } from "./compose-dialog.ts";
import { disguised, pdf } from "./files.ts";
import { expect, test } from "./fixtures.ts";
import { hold } from "./intercept.ts";
import { expectStatus } from "./notification-page.ts";
import { moveIn, token } from "./people.ts";

test.describe("signed out", () => {
  test.use({ as: "nobody" });

  test("a tenant's preferences, and an invalid link", async ({ page, system, complaints }) => {
    const property = await moveIn(system.call, [{}]);
    const address = property.tenants[0]?.email ?? "";
    await system.call(notifications.send, {
      body: { title: "Link", message: "Hello.", recipients: [property.group], channels: ["email"] },
    });
    await expect.poll(() => system.mail.to(address)).toHaveLength(1);
    const link = system.mail.to(address)[0]?.headers.find(({ key }) => key === "list-unsubscribe")?.value;
    await page.goto(/<(http[^>]+)>/.exec(link ?? "")?.[1] ?? "");
    await page.getByRole("button", { name: "Stop SMS" }).click();
    await expect(page.getByText("Saved. You don't get notices by text message.")).toBeVisible();
    await expectAccessible(page);
    await page.goto("/u/nobody-has-this-token");
    await expect(page.getByRole("heading", { name: "This link is not valid" })).toBeVisible();
    await expectAccessible(page);
    expect(complaints.splice(0)).toEqual([expect.stringContaining("404 (Not Found)")]);
  });
});

test("screens without content, and pages that don't exist", async ({ page }) => {
  for (const path of ["/attic", "/integrations", "/help", "/notifications/999999"]) {
    await page.goto(path);
    await expect(
      page
        .getByRole("main")
        .getByText(/How a notification works|Did you forget|Notification not found|reach no one/),
    ).toBeVisible();
    await expectAccessible(page);
  }
});

test("schedules, their details, and the editor with error messages", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}, { email: "" }]);
  const made = await system.call(schedules.create, {
    body: {
      name: `Rent ${property.name}`,
      templateId: "rent-reminder",
      fieldValues: { amount: "$1", due_date: { day: 1, monthsAfter: 1 } },
      recurrence: "monthly",
      dayOfMonth: 31,
      time: "09:00",
      recipients: [property.group],
    },
  });
  await page.goto(`/schedules?q=${property.name.replace(" ", "+")}`);
  await page.getByRole("tabpanel").getByRole("link", { name: made.name }).click();
  await expect(page.getByText("It hasn't run yet.")).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/schedules?view=month&day=${Temporal.Now.plainDateISO().year + 1}-01-15`);
  await page.getByRole("button", { name: /^\w+, January 31, / }).click();
  await expect(page.getByRole("dialog").getByRole("link", { name: made.name })).toBeVisible();
  await expectAccessible(page);
  await page.goto("/schedules?view=week");
  await expect(page.getByRole("region", { name: / to / }).getByRole("region")).toHaveCount(7);
  await expectAccessible(page);
  await page.goto(`/schedules?schedule=${made.id}`);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Schedule" });
  await expect(dialog.getByText("The schedule runs on their last day.", { exact: false })).toBeVisible();
  await dialog.getByRole("textbox", { name: "Name" }).fill("");
  await dialog.getByRole("button", { name: "Save Schedule" }).click();
  await expect(dialog.getByText("Name is required")).toBeVisible();
  await expectAccessible(page);
});

test("dashboard and list: with rows, with no matches, with an error", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}, { email: "" }]);
  const mark = token();
  const to = { recipients: [property.group], channels: ["email", "sms"] };
  await system.call(notifications.send, { body: { ...to, message: "Hello.", title: `Sent ${mark}` } });
  const body = { ...to, content: "Hello." };
  await system.call(notifications.create, { body: { ...body, title: `Draft ${mark}`, status: "Draft" } });
  await system.call(notifications.create, {
    body: { ...body, title: `Weekly ${mark}`, status: "Recurring", recurrence: "weekly" },
  });
  const { id } = await system.call(notifications.create, {
    body: {
      ...body,
      title: `Planned ${mark}`,
      status: "Scheduled",
      scheduled_time: new Date(Date.now() + 86_400_000).toISOString(),
    },
  });
  await system.call(notifications.cancel, { params: { id } });
  await page.goto("/");
  await expect(
    page
      .getByRole("row")
      .filter({ hasText: `Sent ${mark}` })
      .getByText("Partially Delivered", { exact: true }),
  ).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: /your menu$/ }).click();
  await expect(page.getByRole("menuitem", { name: "Log out" })).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/notifications?q=${mark}`);
  // Those planned, too.
  await expect(page.getByText("Showing 4 of 4 notifications")).toBeVisible();
  await expectAccessible(page);
  await page.goto("/notifications?q=nothing-like-it-at-all");
  await expect(page.getByText("No matching notifications found")).toBeVisible();
  await expectAccessible(page);
  await page.route("**/api/notifications?**", (route) =>
    route.fulfill({ status: 500, body: "The cellar is flooded" }),
  );
  await page.goto("/notifications");
  await expect(page.getByText("Error loading notifications")).toBeVisible();
  await expectAccessible(page);
});

test("a finished notification, its recipients, and one person's message", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}, { phone: "" }, {}]);
  system.mail.refuse(property.tenants[2]?.email ?? "", "550 5.2.1 The mailbox is switched off");
  const { id } = await system.call(notifications.send, {
    body: { title: "Finished", message: "Hello.", recipients: [property.group], channels: ["email", "sms"] },
  });
  await page.goto(`/notifications/${id}`);
  await expectStatus(page, "Partially Delivered");
  await page.getByText("Numbers by channel").first().click();
  await expectAccessible(page);
  const rows = page.getByRole("table", { name: "Recipients" }).getByRole("row");
  for (const channel of ["Email", "SMS"]) {
    await rows
      .getByRole("link", { name: new RegExp(`^${channel} (sent|delivered)`) })
      .last()
      .click();
    await expect(page.getByRole("heading", { name: "The message as received" })).toBeVisible();
    await expectAccessible(page);
  }
  await page.getByRole("button", { name: /^Retry/ }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await expectAccessible(page);

  // What the server reports years later. Its events would say what is true.
  await hold(page, "**/api/events?*");
  const archived = { month: "2025-03", at: "2026-04-01T04:00:00Z", sha256: "5f".repeat(32) as string | null };
  await page.route(`**/api/notifications/${id}`, async (route) => {
    const response = await route.fetch();
    const { progress, ...row } = await response.json();
    await route.fulfill({ response, json: { ...row, progress: { ...progress, archived } } });
  });
  await page.goto(`/notifications/${id}`);
  const card = (title: string) => page.getByRole("region", { name: title });
  await expect(card("Delivery details are archived")).toContainText("can restore them");
  await expect(page.getByRole("button", { name: /^Retry/ })).toBeHidden();
  await expectAccessible(page);
  archived.sha256 = null;
  await page.reload();
  await expect(card("Delivery details were discarded")).toContainText("can't be restored");
});

test("a scheduled notification and its edit dialog", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  const { id } = await system.call(notifications.create, {
    body: {
      title: "Planned",
      content: "Hello.",
      recipients: [property.group],
      channels: ["email"],
      status: "Scheduled",
      scheduled_time: new Date(Date.now() + 7 * 86_400_000).toISOString(),
    },
  });
  await page.goto(`/notifications/${id}`);
  await expect(page.getByRole("button", { name: "Edit Schedule" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Edit Notification" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Notification" });
  await dialog.getByLabel("Title").fill("");
  await dialog.getByRole("button", { name: "Save Changes" }).click();
  await expect(dialog.getByText("Title is required")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("alertdialog", { name: "Discard your changes?" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
  await page.getByRole("button", { name: /^Cancel/ }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await expectAccessible(page);
});

test("the create dialog: empty, with error messages, and filled in", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}, { email: "", phone: "" }]);
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  await expectAccessible(page);
  await dialog.send.click();
  await expect(dialog.root.getByText("Title is required")).toBeVisible();
  await expectAccessible(page);
  await dialog.recipients.click();
  await expect(dialog.root.getByRole("option").first()).toBeVisible();
  await expectAccessible(page);
  await dialog.write({
    title: "Everything",
    message: "Hello {{first_name}}, “quoted” words cost more.",
    recipients: [property.name],
    channels: ["Email", "SMS", "Web Push"],
  });
  await dialog.attach(pdf("rules.pdf", "House rules"), disguised("invoice.pdf"));
  await expect(dialog.root.getByRole("button", { name: "Remove rules.pdf" })).toBeVisible();
  await expect(dialog.root.getByText("1 person won't get this message.")).toBeVisible();
  await dialog.choose("Recurring");
  await expectAccessible(page);
  await dialog.choose("Schedule for later");
  await dialog.root.getByRole("button", { name: "Choose a date" }).click();
  await expect(page.getByRole("grid")).toBeVisible();
  await expectAccessible(page);
});

test("dialogs opened from the create dialog: who gets what, preview, a template's fields", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}, { email: "" }]);
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  await dialog.write({
    title: "Over it",
    message: "Hello {{first_name}}.",
    recipients: [property.name],
    channels: ["Email", "SMS"],
  });
  await dialog.root.getByRole("button", { name: "Who gets what" }).click();
  await expect(page.getByRole("dialog", { name: "Who gets what" }).getByRole("listitem")).toHaveCount(2);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await dialog.root.getByRole("button", { name: "Preview" }).click();
  const preview = page.getByRole("dialog", { name: "Preview" });
  await expect(preview.getByTitle(/^Message: /)).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await dialog.choose("Template");
  await dialog.template("Rent Reminder");
  await expect(dialog.root.getByLabel("Amount")).toBeVisible();
  await expectAccessible(page);
});
