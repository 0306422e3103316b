import { readFile } from "node:fs/promises";
import Papa from "papaparse";
import { notifications } from "#contract/calls/notifications.ts";
import { templates } from "#contract/calls/templates.ts";
import { expect, test } from "./fixtures.ts";
import { expectStatus, openEditor } from "./notification-page.ts";
import { moveIn, token } from "./people.ts";
import { expectToast } from "./toast.ts";

// spec 1
test("a scheduled notification is sent at its time while its page is open", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}, {}]);
  const body = {
    title: "In a moment",
    content: "Hello {{first_name}}.",
    recipients: [property.group],
    channels: ["email"],
    status: "Scheduled",
  };
  const inTime = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
  const { id } = await system.call(notifications.create, {
    body: { ...body, scheduled_time: inTime(86_400_000) },
  });
  await page.goto(`/notifications/${id}`);
  await expectStatus(page, "Scheduled");
  await page.getByRole("button", { name: /^Cancel/ }).click();
  await expect(page.getByRole("alertdialog", { name: "Cancel “In a moment”?" })).toBeVisible();
  await system.call(notifications.update, {
    params: { id },
    body: { ...body, scheduled_time: inTime(2000) },
  });
  // It goes out before anyone has answered.
  const question = page.getByRole("alertdialog", { name: "“In a moment” can't be cancelled" });
  await expect(question.getByRole("button")).toHaveText(["Close"]);
  await question.getByRole("button").click();
  await expectStatus(page, "Delivered");
  for (const { email } of property.tenants) expect(system.mail.to(email)).toHaveLength(1);
});

test("edits, reschedules and cancels a scheduled notification", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  const { id } = await system.call(notifications.create, {
    body: {
      title: "Gutter",
      content: "The gutter is cleaned.",
      recipients: [property.group],
      channels: ["email"],
      status: "Scheduled",
      scheduled_time: new Date(Date.now() + 7 * 86_400_000).toISOString(),
    },
  });
  // spec 291
  const dialog = await openEditor(page, id);
  // spec 302
  await expect(dialog.getByText("No attachments yet")).toBeVisible();
  await dialog.getByLabel("Title").fill("");
  await dialog.getByLabel("Content").fill("");
  await dialog.getByRole("button", { name: `Remove ${property.name}` }).click();
  await dialog.getByRole("button", { name: "Save Changes" }).click();
  for (const sentence of ["Title is required", "Content is required", "Recipients are required"]) {
    await expect(dialog.getByText(sentence)).toBeVisible();
  }
  const title = `Gutter and roof ${token()}`;
  await dialog.getByLabel("Title").fill(title);
  await dialog.getByLabel("Content").fill("The gutter and the roof are cleaned.");
  await dialog.getByRole("combobox", { name: "Recipients" }).fill(property.name);
  await dialog
    .getByRole("option")
    .filter({ has: page.getByText(property.name, { exact: true }) })
    .click();
  await dialog.getByLabel("Time").fill("16:45");
  // The page can't read it again yet, but the dialog opens with what was saved.
  const held = Promise.withResolvers<void>();
  await page.route(`**/api/notifications/${id}`, async (route) => {
    if (route.request().method() === "GET") await held.promise;
    await route.continue();
  });
  await dialog.getByRole("button", { name: "Save Changes" }).click();
  // spec 483
  await expectToast(page, "Notification updated");
  await page.getByRole("button", { name: "Edit Notification" }).click();
  await expect(dialog.getByLabel("Title")).toHaveValue(title);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  held.resolve();
  await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  await expect(page.getByText("The gutter and the roof are cleaned.")).toBeVisible();
  await expect(page.getByText(/4:45 PM/).first()).toBeVisible();
  // spec 288
  await expect(page.getByRole("button", { name: "Edit Schedule" })).toBeVisible();

  await page.getByRole("button", { name: /^Cancel/ }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel notification" }).click();
  await expectToast(page, "Notification cancelled");
  await expectStatus(page, "Cancelled");
  expect(system.mail.to(property.tenants[0]?.email ?? "")).toEqual([]);
});

test("a change keeps the template's subject as it was, and shows it, until the template is chosen again", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}]);
  const name = `Fee ${token()}`;
  const body = { name, type: "Email" as const, subject: "The fee", content: "Hello {{first_name}}." };
  const template = await system.call(templates.create, { body });
  const { id } = await system.call(notifications.create, {
    body: {
      title: name,
      templateId: template.id,
      recipients: [property.group],
      channels: ["email"],
      status: "Scheduled",
      scheduled_time: new Date(Date.now() + 7 * 86_400_000).toISOString(),
    },
  });
  const params = { id: template.id };
  await system.call(templates.update, { params, body: { ...body, subject: "Late fee {{fee}}" } });
  const dialog = await openEditor(page, id);
  await expect(dialog.getByRole("combobox", { name: "Template" })).toHaveValue(name);
  await expect(dialog.getByLabel("Fee")).toBeHidden();
  await dialog.getByRole("button", { name: "Preview" }).click();
  const preview = page.getByRole("dialog", { name: "Preview" });
  await expect(preview.getByText("The fee")).toBeVisible();
  await preview.getByRole("button", { name: "Close" }).click();
  await expect(dialog.getByText("The subject of emails is “The fee”.")).toBeVisible();

  await dialog.getByRole("combobox", { name: "Template" }).fill(name.toLowerCase());
  await dialog.getByRole("option").filter({ hasText: name }).click();
  await expect(dialog.getByText("The subject of emails is “Late fee [fee]”.")).toBeVisible();
  await dialog.getByLabel("Fee").fill("$5");
  await dialog.getByRole("button", { name: "Save Changes" }).click();
  await expectToast(page, "Notification updated");
  const { subject } = await system.call(notifications.detail, { params: { id } });
  expect(subject).toBe("Late fee {{fee}}");
});

test("cancels a notification that is being sent: the remaining messages aren't sent", async ({
  page,
  system,
}) => {
  const property = await moveIn(
    system.call,
    Array.from({ length: 24 }, () => ({})),
  );
  const mark = property.name.split(" ")[1] ?? "";
  const release = system.mail.hold(mark);
  const { id } = await system.call(notifications.send, {
    body: { title: "Long run", message: "Hello.", recipients: [property.group], channels: ["email"] },
  });
  await page.goto(`/notifications/${id}`);
  await expectStatus(page, "Sending");
  await page.getByRole("button", { name: /^Cancel/ }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Stop sending" }).click();
  await expectToast(page, "Notification cancelled");
  await expectStatus(page, "Cancelled");
  await expect(
    page.getByText("Cancelled. To send it after all, copy it to a new notification."),
  ).toBeVisible();
  release();
  const counts = async () => (await system.call(notifications.detail, { params: { id } })).progress?.counts;
  await expect.poll(async () => (await counts())?.sending ?? 0).toBe(0);
  const { accepted = 0, cancelled = 0 } = (await counts()) ?? {};
  expect(cancelled).toBeGreaterThan(0);
  expect(accepted + cancelled).toBe(24);
  const received = property.tenants.filter(({ email }) => system.mail.to(email).length > 0);
  expect(received).toHaveLength(accepted);
  await page.getByText(`Cancelled ${cancelled}`, { exact: true }).click();
  const rows = page.getByRole("table", { name: "Recipients" }).getByRole("row");
  await expect(rows).toHaveCount(1 + cancelled);
});

test("retries undelivered messages once the mailbox accepts mail again", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}, {}, {}]);
  const [mei, luis] = property.tenants;
  const luisMail = luis?.email ?? "";
  system.mail.refuse(luisMail, "550 5.2.1 The mailbox is switched off");
  const { id } = await system.call(notifications.send, {
    body: { title: "Again", message: "Hello.", recipients: [property.group], channels: ["email"] },
  });
  await page.goto(`/notifications/${id}`);
  await expectStatus(page, "Partially Delivered");
  const rows = page.getByRole("table", { name: "Recipients" }).getByRole("row");
  await expect(rows.nth(1)).toContainText(luis?.lastName ?? "");
  await rows.nth(1).getByRole("link").click();
  const panel = page.getByRole("region", { name: `${luis?.firstName} ${luis?.lastName}` });
  await expect(panel.getByText(/The mailbox is switched off/)).toBeVisible();
  await expect(panel.getByText("What to do:")).toBeVisible();

  system.mail.accept(luisMail);
  await page.getByRole("button", { name: "Retry 1 message" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Retry 1 message" }).click();
  await expectToast(page, "Retrying 1 message");
  await expectStatus(page, "Delivered");
  await expect.poll(() => system.mail.to(luisMail)).toHaveLength(1);
  expect(system.mail.to(mei?.email ?? "")).toHaveLength(1);
});

// spec 290
test("the report as CSV has a row for every person and channel, and as PDF it says if it fails", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}, { phone: "" }, { email: "" }]);
  const { id } = await system.call(notifications.send, {
    body: { title: "Report", message: "Hello.", recipients: [property.group], channels: ["email", "sms"] },
  });
  await page.goto(`/notifications/${id}`);
  // The third tenant only has a text in the Sandbox.
  await expectStatus(page, "Partially Delivered");
  const choose = async (kind: string) => {
    await page.getByRole("button", { name: "Download Report" }).click();
    await page.getByRole("menuitem", { name: kind }).click();
  };
  const [download] = await Promise.all([page.waitForEvent("download"), choose("CSV")]);
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
  const { data, errors } = Papa.parse<Record<string, string>>(
    (await readFile(await download.path(), "utf8")).replace(/^\uFEFF/, ""),
    { header: true, skipEmptyLines: true },
  );
  expect(errors).toEqual([]);
  expect(data).toHaveLength(6);
  const outcomes = data.map((row) => `${row["Person"]} ${row["Channel"]} ${row["Outcome"]}`).sort();
  const [mei, luis, dana] = property.tenants.map(({ firstName, lastName }) => `${firstName} ${lastName}`);
  expect(outcomes).toEqual(
    [
      `${mei} email Sent`,
      `${mei} sms Delivered`,
      `${luis} email Sent`,
      `${luis} sms Skipped`,
      `${dana} email Skipped`,
      `${dana} sms Delivered`,
    ].sort(),
  );

  const [printable] = await Promise.all([page.waitForEvent("download"), choose("PDF")]);
  // spec 295
  expect(printable.suggestedFilename()).toBe("Report report.pdf");
  expect((await readFile(await printable.path())).subarray(0, 5).toString()).toBe("%PDF-");
  await expectToast(page, "Report Downloaded");

  await page.route("**/report.pdf", (route) =>
    route.fulfill({ status: 429, json: { code: "too-many-requests", message: "Try again in a minute." } }),
  );
  await choose("PDF");
  await expectToast(page, "Download Failed");

  // On paper there is the message, the figures and the people, and nothing that can only be used on a screen.
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("table", { name: "Recipients" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Report", level: 1 })).toBeVisible();
  for (const gone of ["button", "banner", "complementary"] as const) {
    await expect(page.getByRole(gone)).toHaveCount(0);
  }
});

test("shows Notification not found for an unknown id", async ({ page }) => {
  for (const path of ["/notifications/999999", "/notifications/lamp"]) {
    await page.goto(path);
    // spec 294
    await expect(page.getByText("Notification not found")).toBeVisible();
  }
  // spec 472
  await expect(page.getByText("Notification ID is missing")).toBeVisible();
});
