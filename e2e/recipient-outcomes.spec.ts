import { audience } from "#contract/calls/audience.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { users } from "#contract/calls/users.ts";
import { expect, test } from "./fixtures.ts";
import { hold } from "./intercept.ts";
import { expectStatus } from "./notification-page.ts";
import { moveIn, token } from "./people.ts";
import { expectToast } from "./toast.ts";

/** What a notification's page and the list say about people: how many, who wasn't reached, and what to do. */

test("a Sandbox text doesn't count as delivery when the email was refused", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  system.mail.refuse(property.tenants[0]?.email ?? "", "550 5.1.1 No such user");
  const title = `Refused ${token()}`;
  const { id } = await system.call(notifications.send, {
    body: { title, message: "Hello.", recipients: [property.group], channels: ["email", "sms"] },
  });
  await page.goto(`/notifications/${id}`);
  await expectStatus(page, "Failed");
  const stats = page.getByRole("region", { name: "Delivery statistics" });
  // spec 289
  await expect(stats.locator("summary").getByText("Failed for 1 person")).toBeVisible();
  await expect(stats.getByText("SMS SIMULATED")).toBeVisible();
  await expect(stats.getByText(/^\d+%/)).toHaveCount(0);
  await expect(page.getByText("Delivered 0", { exact: true })).toBeVisible();
  const rows = page.getByRole("table", { name: "Recipients" }).getByRole("row");
  await expect(page.getByRole("columnheader", { name: "SMS SIMULATED" })).toBeVisible();
  await expect(rows.nth(1).getByRole("link", { name: /^SMS delivered .*\(simulated\)$/ })).toBeVisible();
  await page.getByText("Not reached 1", { exact: true }).click();
  await expect(rows).toHaveCount(2);
  await expect(page.getByRole("columnheader", { name: /SIMULATED/ })).toHaveCount(0);
  await page.goto(`/notifications?q=${title}`);
  await expect(page.getByRole("row").filter({ hasText: title })).toContainText("PARTLY SIMULATED");
});

test("distinguishes people who got nothing from those reached on another channel", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}, {}, { email: "", phone: "+14155550123" }]);
  const [mei, luis, dana] = property.tenants;
  const title = `Two ways ${token()}`;
  const { id } = await system.call(notifications.send, {
    body: { title, message: "Hello.", recipients: [property.group], channels: ["email", "push"] },
  });
  await page.goto(`/notifications/${id}`);
  await expectStatus(page, "Partially Delivered");
  const stats = page.getByRole("region", { name: "Delivery statistics" });
  await expect(stats.getByText("of 3 people")).toBeVisible();
  await expect(stats.getByText("2 sent, 1 skipped")).toBeVisible();
  const rows = page.getByRole("table", { name: "Recipients" }).getByRole("row");
  await expect(page.getByText("Showing 3 of 3 people")).toBeVisible();
  // The message of the first person who got one, without their history.
  const panel = page.getByRole("region", { name: `${mei?.firstName} ${mei?.lastName}` });
  await expect(panel.getByText("The message as received")).toBeVisible();
  await expect(panel.getByRole("list", { name: "What happened" })).toHaveCount(0);
  await panel.getByRole("button", { name: "Next person" }).click();
  const next = page.getByRole("region", { name: `${luis?.firstName} ${luis?.lastName}` });
  await expect(next.getByRole("list", { name: "What happened" })).toBeVisible();
  await expect(next.getByRole("button", { name: "Next person" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(panel).toBeVisible();
  await expect(rows.nth(1)).toContainText(dana?.lastName ?? "");
  await page.getByText("Not reached 1", { exact: true }).click();
  await expect(rows).toHaveCount(2);

  await page.getByRole("button", { name: "Retry undelivered" }).click();
  const question = page.getByRole("alertdialog");
  // Her email and push, and the push of the two who were reached. No one has turned push on.
  await expect(question.getByText(/^0 of \d messages/)).toBeVisible();
  await expect(question.getByText("1 email: No email address on file.")).toBeVisible();
  await expect(question.getByRole("button", { name: /^Retry/ })).toBeDisabled();
  await question.getByRole("button", { name: "Cancel" }).click();

  await page.getByText("All 3", { exact: true }).click();
  await expect(rows).toHaveCount(4);
  const ofMei = rows.filter({ hasText: mei?.lastName ?? "" });
  const push = ofMei.getByRole("link", { name: "Push: They haven't turned on web push." });
  await push.focus();
  await expect(page.getByRole("tooltip")).toHaveText("Push: They haven't turned on web push.");
  await push.click();
  await expect(panel.getByText("Nothing was sent by web push.")).toBeVisible();
  await expect(panel.getByText(`Push · ${mei?.propertyUnit}`)).toBeVisible();
  await panel.getByRole("radio", { name: "Email" }).click();
  await expect(panel.getByText("The message as received")).toBeVisible();
  await panel.getByRole("link", { name: "Write to this person" }).click();
  const dialog = page.getByRole("dialog", { name: "Create New Notification" });
  await expect(
    dialog.getByRole("button", { name: `Remove ${mei?.firstName} ${mei?.lastName}` }),
  ).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await panel.getByRole("link", { name: `Open ${mei?.firstName} ${mei?.lastName}` }).click();
  await expect(page).toHaveURL(/\/users\?person=\d+$/);

  await page.goto(`/notifications?q=${title}&time=today`);
  const row = page.getByRole("row").filter({ hasText: title });
  await expect(row).toContainText("3 people · 1 not reached");
  await page.getByRole("button", { name: "Time: Today" }).click();
  await page.getByRole("menuitemradio", { name: "Upcoming" }).click();
  await expect(page.getByText("No matching notifications found")).toBeVisible();
});

test("shows how many people a scheduled notification reaches in the list, on its page and in the edit dialog", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}, {}, { email: "" }]);
  const { now, timeZone } = await system.call(audience.today);
  const title = `Planned ${token()}`;
  const today = Temporal.Instant.from(now)
    .toZonedDateTimeISO(timeZone)
    .toLocaleString("en-US", { month: "long", day: "numeric" });
  const { id } = await system.call(notifications.create, {
    body: {
      title,
      content: `Hello {{first_name}}. We start on ${today}.`,
      recipients: [property.group],
      channels: ["email"],
      status: "Scheduled",
      scheduled_time: new Date(Date.parse(now) + 86_400_000).toISOString(),
    },
  });
  await page.goto(`/notifications?q=${title}`);
  const planned = page.getByRole("region", { name: "Planned" }).getByRole("listitem");
  await expect(planned.filter({ hasText: title })).toContainText("3 people");
  await expect(page.getByText("Showing 1 of 1 notification")).toBeVisible();
  await expect(page.getByText("No matching notifications found")).toHaveCount(0);
  await page.goto(`/notifications/${id}`);
  await expect(
    page.getByText("It reaches 2 people with 2 messages. 1 person won't get this message"),
  ).toBeVisible();

  const passes = `The message names ${today}, 1 day before it goes out.`;
  await expect(page.getByText(passes)).toBeVisible();
  await page.getByRole("button", { name: "Use new dates" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Notification" });
  await expect(dialog.getByText(passes)).toBeVisible();
  await expect(dialog.getByText("2 people, 2 messages. 1 person won't get this message.")).toBeVisible();
  // spec 297
  await dialog.getByRole("checkbox", { name: "SMS" }).check();
  await expect(dialog.getByText("3 people, 5 messages.")).toBeVisible();
  await dialog.getByLabel("Content").fill("Grüße – “a” ".repeat(20));
  await expect(dialog.getByText(/The longest text message takes \d parts/)).toBeVisible();
  await dialog.getByRole("button", { name: "Preview" }).click();
  await expect(
    page.getByRole("dialog", { name: "Preview" }).getByRole("button", { name: /^For / }),
  ).toBeVisible();
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();

  await page.getByRole("button", { name: /^Cancel/ }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Keep it" }).click();
  await expectStatus(page, "Scheduled");
});

test("keeps the line in order around a right-to-left name", async ({ page, system }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const mark = token();
  await moveIn(system.call, [{ firstName: "سلمى", lastName: `الأنصاري ${mark}` }]);
  const [salma] = await system.call(users.list, { query: { q: mark } });
  const { id } = await system.call(notifications.create, {
    body: {
      title: `Salma ${mark}`,
      content: "x",
      recipients: [{ type: "user", id: salma?.id ?? 0 }],
      channels: ["email"],
      status: "Draft",
    },
  });
  await page.goto(`/notifications?q=${mark}`);
  const card = page.getByRole("row").filter({ has: page.getByRole("link", { name: `Salma ${mark}` }) });
  await expect(card).toContainText("1 person");
  await expect
    .poll(async () => {
      const name = await card.getByText("سلمى").boundingBox();
      const count = await card.getByText("1 person").boundingBox();
      if (!name || !count) throw new Error("both are on the screen");
      return count.x - (name.x + name.width);
    })
    .toBeGreaterThanOrEqual(0);
  expect(id).toBeGreaterThan(0);
});

test("offers to retry unconfirmed messages even if nothing else can be retried", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  const title = `Unanswered ${token()}`;
  const { id } = await system.call(notifications.send, {
    body: { title, message: "Hello.", recipients: [property.group], channels: ["email"] },
  });
  await page.goto(`/notifications/${id}`);
  await expectStatus(page, "Delivered");
  // What the server reports after waiting ten minutes for an answer. Its events would say what is true.
  await hold(page, "**/api/events?*");
  await page.route(`**/api/notifications/${id}`, async (route) => {
    const response = await route.fetch();
    const { progress, ...row } = await response.json();
    const reasons = [{ channel: "email", status: "failed", reason: "unconfirmed", count: 1, sentence: "" }];
    const counts = { ...progress.counts, accepted: 0, delivered: 0, failed: 1 };
    const outcomes = { ...progress.outcomes, sent: 0, failed: 1 };
    await route.fulfill({ response, json: { ...row, progress: { ...progress, counts, outcomes, reasons } } });
  });
  let canGo = 2;
  await page.route(`**/api/notifications/${id}/send-again?**`, (route) =>
    route.fulfill({
      json: {
        messages: route.request().url().includes("unconfirmed=true") ? canGo : 0,
        sandboxOnly: false,
        blocked: [],
      },
    }),
  );
  await page.route(`**/api/notifications/${id}/send-again`, (route) =>
    // Meanwhile, someone has removed that email address.
    route.fulfill({ json: { requeued: 1, stillUnreachable: 0, sandboxOnly: true } }),
  );
  await page.reload();
  await page.getByRole("button", { name: "Retry undelivered" }).click();
  const dialog = page.getByRole("alertdialog", { name: `Retry “${title}”?` });
  await expect(dialog.getByRole("button", { name: "Retry" })).toBeDisabled();
  await dialog.getByRole("checkbox").check();
  await expect(dialog.getByRole("button", { name: "Retry 2 messages" })).toBeEnabled();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  // Meanwhile, an address was taken away.
  canGo = 1;
  await page.getByRole("button", { name: "Retry undelivered" }).click();
  await dialog.getByRole("checkbox").check();
  await dialog.getByRole("button", { name: "Retry 1 message" }).click();
  await expectToast(page, "Retrying 1 message", "Sent to the Sandbox. No one received it.");
});

test("says that a missing phone number has been added, and retries from there", async ({ page, system }) => {
  const property = await moveIn(system.call, [{ phone: "" }, { phone: "" }, {}]);
  const [mei, luis] = property.tenants;
  const title = `By text ${token()}`;
  const { id } = await system.call(notifications.send, {
    body: { title, message: "Hello.", recipients: [property.group], channels: ["sms"] },
  });
  await page.goto(`/notifications/${id}?show=unreached`);
  await expectStatus(page, "Partially Delivered");
  const rows = page.getByRole("table", { name: "Recipients" }).getByRole("row");
  const ofMei = rows.filter({ hasText: mei?.lastName ?? "" });
  await expect(ofMei).toContainText("No phone number on file.");
  await page.getByRole("button", { name: "Retry undelivered" }).click();
  const cannot = page.getByRole("alertdialog", { name: `“${title}” can't be retried` });
  await expect(cannot.getByText("0 of 2 messages")).toBeVisible();
  await cannot.getByRole("button", { name: "Close" }).click();

  const { username, firstName, lastName, role, email } = await system.call(users.detail, {
    params: { id: mei?.id ?? 0 },
  });
  await system.call(users.update, {
    params: { id: mei?.id ?? 0 },
    body: { username, firstName, lastName, role, email, phone: "+12125550177" },
  });
  await expect(ofMei).toContainText("No phone number when this was sent. One is on file now.");
  await expect(page.getByRole("button", { name: "Retry 1 message" })).toBeVisible();
  await ofMei.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Retry 1 message" }).click();
  await expectToast(page, "Retrying 1 message");
  await expect(ofMei).toHaveCount(0);
  await expect(rows.filter({ hasText: luis?.lastName ?? "" })).toContainText("No phone number on file.");
});
