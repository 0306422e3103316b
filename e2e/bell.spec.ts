import { integrations } from "#contract/calls/integrations.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { incomingText, twilioCall, twilioEmulator } from "#emulators/twilio.ts";
import { expect, test } from "./fixtures.ts";
import { moveIn, token } from "./people.ts";
import { expectToast } from "./toast.ts";

// The bell counts what failed in the whole system.
test.use({ alone: true });

// spec 31
test("the bell leads to new failures, and its dot stays until someone has looked at them", async ({
  page,
  system,
}) => {
  const { tenants } = await moveIn(system.call, [{}, {}, {}, {}]);
  for (const { email } of tenants) system.mail.refuse(email, "550 5.1.1 No such mailbox");
  const fail = async (id: number): Promise<string> => {
    const title = `Bounces ${token()}`;
    await system.call(notifications.send, {
      body: { title, message: "Hello.", recipients: [{ type: "user", id }], channels: ["email"] },
    });
    return title;
  };
  const failed = (title: string) =>
    page.getByRole("row").filter({ hasText: title }).getByText("Failed", { exact: true });
  const [one = 0, two = 0, three = 0, four = 0] = tenants.map(({ id }) => id);
  const bell = page.getByRole("banner").getByRole("link", { name: /^Notifications/ });
  // From here on the page hears of everything.
  const listening = page.waitForResponse("**/api/events?*");
  await page.goto("/notifications");
  await listening;
  const first = await fail(one);
  await expect(failed(first)).toBeVisible();
  await expect(bell).toHaveAccessibleName("Notifications, 1 new failure");
  await bell.click();
  await expect(page.getByRole("heading", { name: first, level: 1 })).toBeVisible();
  await expect(bell).toHaveAccessibleName("Notifications");

  await page.getByRole("link", { name: "Templates", exact: true }).click();
  const more = [await fail(two), await fail(three)];
  await expect(bell).toHaveAccessibleName("Notifications, 2 new failures");

  await page.getByRole("link", { name: "Dashboard", exact: true }).click();
  const attention = page.getByRole("region", { name: "Needs attention" });
  // The first one, too, although someone has looked at it.
  await expect(attention.getByRole("listitem")).toHaveCount(3);
  await expect(attention.getByRole("listitem").first()).toContainText(`1 person not reached${more[1]}`);
  // The mail server refused all three, so none was sent.
  await expect(page.getByRole("listitem").filter({ hasText: "Notifications Sent" })).toContainText(
    "0 messages",
  );
  const trend = page.getByRole("region", { name: "Delivery trend" });
  await expect(trend).toContainText("3 messages in the last 30 days, 0 of them sent");
  // A day's bar says its values when it has the focus, and leads to its notifications.
  const bars = trend.getByRole("list", { name: "Messages by day" }).getByRole("link");
  await bars.last().focus();
  await expect(bars.last()).toHaveAccessibleName(/: Delivered 0, Sent, no receipt 0, Failed 3$/);
  await expect(trend).toContainText(/[A-Z][a-z]{2}, [A-Z][a-z]{2} \d+Delivered0/);
  await page.keyboard.press("ArrowLeft");
  await expect(bars.nth(-2)).toBeFocused();
  await expect(bars.last()).toHaveAttribute("href", /^\/notifications\?day=\d{4}-\d\d-\d\d$/);
  await trend.getByRole("button", { name: "View as table" }).click();
  await expect(trend.getByRole("row").nth(1)).toHaveText(/ 0 0 3$|003$/);
  await attention.getByRole("link", { name: `Review 1 person of ${more[1]}` }).click();
  await expect(page.getByRole("heading", { name: more[1] ?? "", level: 1 })).toBeVisible();
  await bell.click();
  for (const title of more) await expect(failed(title)).toBeVisible();
  await expect(bell).toHaveAccessibleName("Notifications");
  // A failure that appears while someone is looking counts as seen.
  const seen = page.waitForResponse((response) => response.url().endsWith("/api/shell/seen"));
  const last = await fail(four);
  await expect(failed(last)).toBeVisible();
  await seen;
  await expect(bell).toHaveAccessibleName("Notifications");

  // What needs attention stays until someone dismisses it.
  await page.getByRole("link", { name: "Dashboard", exact: true }).click();
  await expect(attention.getByRole("listitem")).toHaveCount(4);
  await attention.getByRole("button", { name: "Show 1 more" }).click();
  const rowOf = (title: string) => attention.getByRole("listitem").filter({ hasText: title });
  await expect(rowOf(first)).toBeVisible();
  await expect(attention.getByRole("list")).toBeFocused();
  await attention.getByRole("button", { name: `Dismiss ${last}` }).click();
  await expectToast(page, "Notification Dismissed", last);
  await expect(rowOf(last)).toBeHidden();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(rowOf(last)).toBeVisible();
  for (const title of [first, ...more, last]) {
    await attention.getByRole("button", { name: `Dismiss ${title}` }).click();
    await expect(rowOf(title)).toBeHidden();
  }
  await expect(page.getByRole("main")).toBeFocused();

  // A text message that someone writes back.
  const [tenant] = tenants;
  const asked = `Plumber ${token()}`;
  await system.call(notifications.send, {
    body: {
      title: asked,
      message: "May we come in?",
      recipients: [{ type: "user", id: one }],
      channels: ["sms"],
    },
  });
  await page.goto("/notifications");
  const row = page.getByRole("row").filter({ hasText: asked });
  await expect(row.getByText("Delivered", { exact: true })).toBeVisible();
  const account = await system.call(integrations.create, {
    body: { channel: "sms", kind: "twilio", enabled: false, settings: twilioEmulator.settings },
  });
  const reply = { ...incomingText, From: tenant?.phone ?? "", Body: "Yes, after five" };
  const { url, headers, body } = twilioCall(account.webhook?.url ?? "", reply);
  expect((await fetch(url, { method: "POST", headers, body })).status).toBe(200);
  await expect(bell).toHaveAccessibleName("Notifications, 1 new reply");
  await bell.click();
  const happened = page.getByRole("list", { name: "What happened" });
  await expect(happened.getByText("They replied by text message.")).toBeVisible();
  await expect(happened.getByText("Yes, after five")).toBeVisible();
  await expect(bell).toHaveAccessibleName("Notifications");
  // The bell no longer leads there, but the notification's page does.
  await page.getByText("Replied 1", { exact: true }).click();
  const recipients = page.getByRole("table", { name: "Recipients" });
  await expect(recipients.getByText("Replied: “Yes, after five”")).toBeVisible();
  await system.call(integrations.remove, { params: { id: account.id } });
});
