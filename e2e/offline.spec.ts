import { notifications } from "#contract/calls/notifications.ts";
import { schedules } from "#contract/calls/schedules.ts";
import { templates } from "#contract/calls/templates.ts";
import { ComposeDialog } from "./compose-dialog.ts";
import { png } from "./files.ts";
import { expect, test, unexplained } from "./fixtures.ts";
import { blocked, intercept, retrySending } from "./intercept.ts";
import { moveIn, token } from "./people.ts";
import { reconnecting } from "./porchlight.ts";
import { expectToast } from "./toast.ts";

// spec 242
test("keeps a notification sent during an outage, and delivers it exactly once afterwards", async ({
  page,
  context,
  system,
  complaints,
}) => {
  const property = await moveIn(system.call, [{}, {}, {}]);
  const title = `Kept ${token()}`;
  await page.goto("/notifications");
  const other = await context.newPage();
  await other.goto("/notifications");
  await expect(other.getByRole("heading", { name: "Notifications", level: 1 })).toBeVisible();
  // A background tab renders only about once a second.
  await page.bringToFront();

  const dialog = await new ComposeDialog(page).open();
  await dialog.write({
    title,
    message: "Hello {{first_name}}, this was written without a server.",
    recipients: [property.name],
    channels: ["Email"],
  });
  await dialog.attach(png("hall.png"));
  await expect(dialog.root.getByRole("button", { name: "Remove hall.png" })).toBeVisible();
  await dialog.counted("3 people, 3 messages.");
  await system.server.kill();
  await dialog.send.click();
  await expectToast(page, "Not yet sent", "is saved in this browser");
  await expect(dialog.root).toBeHidden();
  for (const tab of [page, other]) {
    await expect(tab.getByRole("row").filter({ hasText: title }).getByText("Not yet sent")).toBeVisible();
    await expect(tab.getByText("The server cannot be reached.", { exact: true })).toBeVisible();
  }

  await system.server.start();
  for (const tab of [page, other]) {
    const row = tab.getByRole("row").filter({ hasText: title });
    await expect(row.getByText("Delivered", { exact: true })).toBeVisible(reconnecting);
    await expect(row).toHaveCount(1);
    await expect(tab.getByText("Not yet sent")).toHaveCount(0);
    await expect(tab.getByText("The server cannot be reached.", { exact: true })).toBeHidden();
  }
  expect(await system.call(notifications.list, { query: { q: title } })).toHaveLength(1);
  for (const { email, firstName } of property.tenants) {
    const mails = system.mail.to(email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain(`Hello ${firstName}, this was written without a server.`);
    expect(mails[0]?.attachments.map(({ filename }) => filename)).toEqual(["hall.png"]);
  }
  // Code that couldn't be loaded during the outage is loaded when it is needed.
  await page.getByRole("link", { name: title, exact: true }).click();
  await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  expect(unexplained(complaints)).toEqual([]);
});

test("offers to keep a notification when the server that counts its recipients is away", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}]);
  const title = `Uncounted ${token()}`;
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  const away = (path: string) =>
    intercept(page, `**/api/${path}`, (route) => route.abort("connectionrefused"));
  const answered = [await away("audience/reach"), await away("send-notification")];
  await dialog.write({ title, message: "Hello.", recipients: [property.name], channels: ["Email"] });
  await dialog.send.click();
  const question = page.getByRole("alertdialog", { name: "Keep it and send it later?" });
  await expect(question).toContainText("We can't reach the server, so we couldn't count who will get it.");
  await question.getByRole("button", { name: "Keep and send later" }).click();
  await expectToast(page, "Not yet sent", "is saved in this browser");
  for (const answer of answered) answer();
  const row = page.getByRole("row").filter({ hasText: title });
  await expect(row.getByText("Delivered", { exact: true })).toBeVisible(reconnecting);
});

test("doesn't send twice when the server's reply is lost", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  const title = `Lost answer ${token()}`;
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  await dialog.write({ title, message: "Only once.", recipients: [property.name], channels: ["Email"] });
  await page.route(
    "**/api/send-notification",
    async (route) => {
      await route.fetch();
      await route.abort("connectionreset");
    },
    { times: 1 },
  );
  await dialog.send.click();
  await expectToast(page, "Notification Sent", "was saved in this browser and has now reached the server");
  const rows = page.getByRole("row").filter({ hasText: title });
  await expect(page.getByText("Not yet sent")).toHaveCount(0);
  await expect(rows).toHaveCount(1);
  await expect(rows.getByText("Delivered", { exact: true })).toBeVisible();
  expect(await system.call(notifications.list, { query: { q: title } })).toHaveLength(1);
  expect(system.mail.to(property.tenants[0]?.email ?? "")).toHaveLength(1);
});

test("waits behind a Wi-Fi sign-in page and a proxy, says what answered, and is sent once afterwards", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}]);
  const title = `Blocked ${token()}`;
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  await dialog.write({ title, message: "Hello.", recipients: [property.name], channels: ["Email"] });
  await dialog.counted("1 person, 1 message.");
  const passWifi = await intercept(page, "**/api/**", (route) => blocked(route, 200));
  const passProxy = await intercept(page, "**/api/send-notification", (route) => blocked(route, 403));
  await dialog.send.click();
  await expectToast(page, "Not yet sent", "is saved in this browser");
  const row = page.getByRole("row").filter({ hasText: title });
  const banner = page.getByText("Sign in again.", { exact: true });
  await expect(row.getByText("Waiting for the server")).toBeVisible();
  await expect(banner).toBeVisible();
  passWifi();
  await expect(banner).toBeHidden(reconnecting);
  await expect(row.getByText("403: Forbidden. A proxy or Wi-Fi sign-in page")).toBeVisible();
  await expect(row.getByText("Waiting for the server")).toBeVisible();
  expect(await system.call(notifications.list, { query: { q: title } })).toEqual([]);
  passProxy();
  await retrySending(page);
  await expectToast(page, "Notification Sent", "has now reached the server");
  await expect(row.getByText("Delivered", { exact: true })).toBeVisible(reconnecting);
  expect(await system.call(notifications.list, { query: { q: title } })).toHaveLength(1);
  expect(system.mail.to(property.tenants[0]?.email ?? "")).toHaveLength(1);
});

test("lets you discard an unsent notification", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  const title = `Given up ${token()}`;
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  await dialog.write({ title, message: "Never mind.", recipients: [property.name], channels: ["Email"] });
  const pass = await intercept(page, "**/api/send-notification", (route) => route.abort("connectionrefused"));
  await dialog.send.click();
  const row = page.getByRole("row", { includeHidden: true }).filter({ hasText: title });
  await expect(row.getByText("Not yet sent")).toBeVisible();
  const question = page.getByRole("alertdialog");
  const toast = page
    .getByRole("region", { name: "Notifications (F8)", includeHidden: true })
    .getByRole("listitem", { includeHidden: true });
  await expect(toast).toBeVisible();
  // While another window is in front, toasts stay.
  await page.evaluate(() => window.dispatchEvent(new Event("blur")));
  // On a phone, both are at the bottom edge.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(async () => {
    if (!(await question.isVisible()))
      await row.getByRole("button", { name: `Discard ${title}` }).click({ timeout: 1_000 });
    const [asked, cover] = await Promise.all([question.boundingBox(), toast.boundingBox()]);
    if (!asked || !cover) throw new Error("both are on the screen");
    expect(cover.y + cover.height).toBeLessThanOrEqual(asked.y);
  }).toPass();
  // It can't be discarded while it is being sent, and a try can begin at any moment.
  await expect(async () => {
    if ((await row.count()) === 0) return;
    if (!(await question.isVisible()))
      await row.getByRole("button", { name: `Discard ${title}` }).click({ timeout: 5_000 });
    await question.getByRole("button", { name: "Discard" }).click({ timeout: 5_000 });
    await expect(row).toHaveCount(0, { timeout: 5_000 });
  }).toPass();
  pass();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Notifications", level: 1 })).toBeVisible();
  await expect(row).toHaveCount(0);
  expect(await system.call(notifications.list, { query: { q: title } })).toEqual([]);
});

test("keeps what was typed when part of the dialog can't be loaded", async ({ page, complaints }) => {
  // Set up before the first page, because the calendar's code is also loaded in the background.
  await page.route(/\/assets\/calendar-[\w-]{8}\.js$/, (route) => route.abort("connectionrefused"));
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  await dialog.title.fill("Before the cut");
  await dialog.choose("Schedule for later");
  await dialog.root.getByRole("button", { name: "Choose a date" }).click();
  await expect(dialog.root.getByText(/^We can't load the calendar right now\./)).toBeVisible();
  await page.keyboard.press("Escape");
  await dialog.root.getByRole("textbox", { name: "Date" }).fill("12/24/2099");
  await expect(dialog.title).toHaveValue("Before the cut");
  expect(unexplained(complaints)).toEqual([]);
});

test("keeps a new schedule created during an outage, and creates it exactly once afterwards", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}]);
  const template = `Letter ${token()}`;
  await system.call(templates.create, {
    body: { name: template, type: "Email", subject: "Hi", content: "Hi" },
  });
  const name = `Rent ${token()}`;
  await page.goto("/schedules?tab=all&open=new");
  const editor = page.getByRole("dialog", { name: "Create Schedule" });
  await editor.getByRole("combobox", { name: "Message", exact: true }).fill(template);
  await editor.getByRole("option", { name: template }).click();
  await editor.getByRole("textbox", { name: "Name" }).fill(name);
  await editor.getByRole("combobox", { name: "Recipients" }).fill(property.name);
  await editor.getByRole("option", { name: `${property.name} Everyone at` }).click();
  // The server takes it, and its answer is lost: it is listed as the browser has it, and not twice.
  let calls = 0;
  let refused = true;
  await page.route("**/api/schedules", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    calls += 1;
    if (calls === 1) await route.fetch();
    if (calls === 2)
      return route.fulfill({ status: 422, json: { code: "conflict", message: "Not like this." } });
    return refused ? route.abort("connectionreset") : route.continue();
  });
  await editor.getByRole("button", { name: "Daily to 1 person" }).click();
  await expectToast(page, "Not yet sent", "is saved in this browser");
  await expect(editor).toBeHidden();
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toHaveCount(1);
  await expect(row.getByText("Not yet sent")).toBeVisible();
  const kept = await page.evaluate(() => localStorage.getItem("schedules") ?? "");
  const [{ localId }] = JSON.parse(kept) as [{ localId: number }];
  // spec 173
  expect(localId).toBeGreaterThanOrEqual(100);
  expect(localId).toBeLessThanOrEqual(10_099);

  // One that is refused can be opened as it was written.
  await expect(row.getByText("Not like this.")).toBeVisible(reconnecting);
  await row.getByRole("button", { name: `Edit ${name}` }).click();
  await expect(editor.getByRole("textbox", { name: "Name" })).toHaveValue(name);
  refused = false;
  await editor.getByRole("button", { name: "Daily to 1 person" }).click();
  await expectToast(page, "Schedule Created");
  await expect(row).toHaveCount(1);
  await expect(row.getByText("Not yet sent")).toHaveCount(0);
  expect(await system.call(schedules.list, { query: { q: name } })).toHaveLength(1);
  expect(await page.evaluate(() => localStorage.getItem("schedules"))).toBe("[]");
});
