import { audience } from "#contract/calls/audience.ts";
import { details } from "#contract/calls/details.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { schedules } from "#contract/calls/schedules.ts";
import { weekdays } from "#contract/text/rule-text.ts";
import { expect, test } from "./fixtures.ts";
import { flooded, hold, intercept, retrySending, withoutEvents } from "./intercept.ts";
import { saveDraft } from "./notification-page.ts";
import { moveIn, token } from "./people.ts";
import { expectToast } from "./toast.ts";

/** How long the scheduler may take to notice. */
const schedulerLooks = { timeout: 60_000 };

test("previews a template with a field, schedules it weekly, delivers it, and pauses, activates and deletes the schedule", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}, { email: "" }]);
  const [tenant] = property.tenants;
  const name = `Recycling ${token()}`;
  await page.goto("/templates");
  await page.getByRole("button", { name: "New Template" }).click();
  const writing = page.getByRole("dialog", { name: "New Template" });
  await writing.getByRole("textbox", { name: "Template name" }).fill(name);
  await writing.getByRole("textbox", { name: "Content" }).click();
  await page.keyboard.type("Dear ");
  await writing.getByRole("button", { name: "Insert field", exact: true }).click();
  await page.getByRole("menuitem", { name: /First name/ }).click();
  await expect(writing.getByRole("textbox", { name: "Content" })).toBeFocused();
  await page.keyboard.type(", bins out by {{pickup_date}}.");
  await expect(
    writing.getByRole("textbox", { name: "Content" }).getByText("pickup date", { exact: true }),
  ).toBeVisible();
  await writing.getByRole("button", { name: "Create Template" }).click();
  await expect(writing).toBeHidden();

  await page.goto("/schedules");
  // spec 313
  await page.getByRole("button", { name: "Create Schedule" }).first().click();
  const editor = page.getByRole("dialog", { name: "Create Schedule" });
  const choose = (choice: string) => editor.locator("label", { hasText: new RegExp(`^${choice}$`) }).click();
  await editor.getByRole("combobox", { name: "Message", exact: true }).fill(name);
  await editor.getByRole("option", { name }).click();
  await expect(editor.getByRole("textbox", { name: "Name" })).toHaveValue(name);
  await editor.getByRole("combobox", { name: "Recipients" }).fill(property.name);
  await editor.getByRole("option", { name: `${property.name} Everyone at` }).click();
  await expect(editor.getByText("1 person won't get this message.")).toBeVisible();

  await editor.getByRole("button", { name: "Daily to 1 person" }).click();
  await expect(editor.getByText("Pickup date is required")).toBeVisible();
  await editor.getByRole("spinbutton", { name: "Pickup date: days after the run" }).fill("6");
  await expect(editor.getByText("Pickup date is required")).toBeHidden();

  const { timeZone } = await system.call(audience.today);
  const today = Temporal.Now.plainDateISO(timeZone);
  await choose("One-time");
  await editor.getByLabel("Date", { exact: true }).fill("03/05/2031");
  await expect(editor.getByRole("region", { name: "Next run" }).getByRole("listitem")).toHaveCount(1);
  await choose("Weekly");
  await editor
    .getByRole("combobox", { name: "Day of Week" })
    .selectOption({ label: weekdays[today.dayOfWeek % 7] ?? "" });
  await editor.getByLabel("Start time").fill("00:00");
  await editor.getByLabel("End time").fill("23:59");
  const six = editor.getByRole("region", { name: "Next six runs" }).getByRole("listitem");
  await expect(six).toHaveCount(6);
  const due = today.add({ days: 7 + 6 }).toLocaleString("en-US", { dateStyle: "long" });
  await expect(six.first()).toContainText(due);

  await editor.getByRole("button", { name: "Preview" }).click();
  const preview = page.getByRole("dialog", { name: "Preview" });
  await expect(preview.getByRole("button", { name: `For ${tenant?.firstName}` })).toBeVisible();
  await expect(
    preview
      .getByTitle(/^Message: /)
      .contentFrame()
      .locator("body"),
  ).toContainText(`Dear ${tenant?.firstName}, bins out by ${due}.`);
  await page.keyboard.press("Escape");
  await editor.getByRole("button", { name: "Weekly to 1 person" }).click();
  // spec 482
  await expectToast(page, "Schedule Created");

  const [made] = await system.call(schedules.list, { query: { q: name } });
  const id = made?.id ?? 0;
  await page.goto(`/schedules?q=${name.replace(" ", "+")}`);
  // spec 2
  await system.passWeek(id);
  const used = today.add({ days: 6 }).toLocaleString("en-US", { dateStyle: "long" });
  await expect
    .poll(() => system.mail.to(tenant?.email ?? "").at(-1)?.text, schedulerLooks)
    .toContain(`bins out by ${used}.`);
  await page.getByRole("table").getByRole("link", { name }).click();
  const details = page.getByRole("dialog", { name });
  await expect(details.getByText("1 of 2 people")).toBeVisible();
  await details.getByRole("button", { name: "Skip the next one" }).click();
  await expectToast(page, "Run Skipped");
  await details.getByRole("button", { name: /^Undo/ }).click();
  await expectToast(page, "Skip Undone");
  await details.getByRole("button", { name: "Close" }).click();
  await page.locator("label", { hasText: /^Calendar$/ }).click();
  await page.locator("label", { hasText: /^List$/ }).click();
  await expect(page).toHaveURL(/\/schedules\?q=[^&]+$/);
  await expect(details).toBeHidden();

  const active = page.getByRole("switch", { name: `${name} is active` });
  await active.click();
  // spec 319, 393
  await expectToast(page, "Schedule Paused");
  // spec 321
  await expect(page.getByText("No active schedules found")).toBeVisible();
  // spec 317
  await page.getByRole("tab", { name: /^All Schedules/ }).click();
  await expect(active).not.toBeChecked();
  await active.click();
  // spec 319, 393
  await expectToast(page, "Schedule Activated");
  await page.getByRole("button", { name: `Edit ${name}` }).click();
  const changing = page.getByRole("dialog", { name: "Edit Schedule" });
  await changing.getByRole("checkbox", { name: /^Email/ }).uncheck();
  await changing.getByRole("checkbox", { name: /^SMS/ }).check();
  await changing.getByRole("button", { name: "Save Schedule" }).click();
  // spec 318, 482
  await expectToast(page, "Schedule Updated");

  const more = page.getByRole("button", { name: `More actions for ${name}` });
  const running = page.getByRole("alertdialog");
  const count = await intercept(page, "**/api/schedules/people", flooded);
  await page.reload();
  await more.click();
  await page.getByRole("menuitem", { name: "Run now" }).click();
  await expect(running).toContainText("We couldn't count the recipients.");
  await expect(running.getByRole("button", { name: "Run anyway" })).toBeEnabled();
  await running.getByRole("button", { name: "Cancel" }).click();
  count();
  await more.click();
  await page.getByRole("menuitem", { name: "Run now" }).click();
  await expect(running).toContainText("(2 people) by text message right away.");
  await running.getByRole("button", { name: "Run now for 2 people" }).click();
  await expectToast(page, "Run Started", `${name}. Sent to the Sandbox. No one received it.`);

  await more.click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  // spec 399
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText(
    `Are you sure you want to delete ${name}? This action cannot be undone.`,
  );
  await question.getByRole("button", { name: "Delete" }).click();
  // spec 320, 394
  await expectToast(page, "Schedule Deleted");
  // spec 322
  await expect(page.getByText("No schedules found")).toBeVisible();
});

test("shows a missed run everywhere, sends it after showing what will go out, and a calendar link works until it is revoked", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}]);
  const name = `Inspection ${token()}`;
  const { timeZone } = await system.call(audience.today);
  const { id } = await system.call(schedules.create, {
    body: {
      name,
      templateId: "rent-reminder",
      fieldValues: { amount: "$1", due_date: { daysAfter: 6 } },
      recurrence: "weekly",
      dayOfWeek: Temporal.Now.plainDateISO(timeZone).dayOfWeek % 7,
      time: "00:00",
      endTime: "00:01",
      recipients: [property.group],
    },
  });
  // The card shows four, and other tests' schedules may be due before this one.
  await page.route("**/api/schedules/upcoming?pageSize=4", (route) =>
    route.continue({ url: route.request().url().replace("pageSize=4", "pageSize=100") }),
  );
  await page.goto("/");
  const upcoming = page.getByRole("region", { name: "Upcoming Scheduled Notifications" });
  // spec 92
  await expect(upcoming.getByRole("link", { name })).toBeVisible();
  // spec 93
  await expect(upcoming.getByRole("listitem").filter({ hasText: name })).toHaveText(
    new RegExp(`^(In \\d+ days|Tomorrow|Today)${name}Email · ${property.name} · .* 12:00 AM`),
  );
  await system.passWeek(id);
  const attention = page.getByRole("region", { name: "Needs attention" });
  await expect(attention.getByRole("listitem").filter({ hasText: name })).toContainText(
    "Missed",
    schedulerLooks,
  );
  // Except to very many people, whose number has to be typed.
  const counts = "**/api/schedules/people";
  await page.route(counts, async (route) => {
    const response = await route.fetch();
    const all: object[] = await response.json();
    await route.fulfill({ response, json: all.map((one) => ({ ...one, people: 1240 })) });
  });
  await page.reload();
  const missed = attention.getByRole("listitem").filter({ hasText: name });
  await expect(missed).toContainText("to 1,240 people");
  await missed.getByRole("button", { name: `Send now ${name}` }).click();
  const many = page.getByRole("alertdialog", { name: `Send “${name}” now?` });
  await expect(many.getByRole("button", { name: "Send to 1,240 people" })).toBeDisabled();
  await many.getByRole("button", { name: "Cancel" }).click();
  await page.unroute(counts);

  // spec 315
  await page.goto("/schedules?view=month");
  await page
    .getByRole("cell", { name: "Today" })
    .getByRole("button", { name: /runs?$/ })
    .click();
  const run = page.getByRole("dialog").getByRole("listitem").filter({ hasText: name });
  await expect(run).toContainText("to 1 person");
  await run.getByRole("button", { name: `Send now ${name}` }).click();
  const question = page.getByRole("alertdialog", { name: `Send “${name}” now?` });
  await expect(question.getByRole("region", { name: "Message" })).toContainText("$1");
  await expect(question.getByText("The message names")).toHaveCount(0);
  await question.getByRole("button", { name: "Send to 1 person" }).click();
  await expectToast(page, "Run Started", name);
  await expect.poll(() => system.mail.to(property.tenants[0]?.email ?? "").length, schedulerLooks).toBe(1);
  await expect(run).toContainText("Delivered");
  await expect(attention.getByRole("link", { name })).toHaveCount(0);

  await page.goto("/schedules");
  // spec 316
  const today = page.getByRole("region", { name: "Today's Schedules" });
  await expect(today.getByRole("listitem").filter({ hasText: name })).toContainText("Delivered to 1 person");
  await today.getByRole("button", { name: "Subscribe in a calendar app" }).click();
  const dialog = page.getByRole("dialog", { name: "Subscribe in a calendar app" });
  await dialog.getByRole("button", { name: "Create link" }).click();
  const url = await dialog.getByRole("textbox", { name: "Your link" }).inputValue();
  expect(await (await fetch(url)).text()).toContain(name);
  // As over plain http.
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await dialog.getByRole("button", { name: "Copy" }).click();
  await expectToast(page, "Copied!", "Calendar link copied to clipboard");
  await dialog.getByRole("button", { name: "Revoke link" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke link" }).click();
  await expect(dialog.getByRole("button", { name: "Create link" })).toBeVisible();
  expect((await fetch(url)).status).toBe(404);
});

test("a missed run that names a day that has passed is sent with a new date instead", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}]);
  const name = `Filters ${token()}`;
  const { timeZone } = await system.call(audience.today);
  const today = Temporal.Now.plainDateISO(timeZone);
  const long = (day: Temporal.PlainDate) => day.toLocaleString("en-US", { month: "long", day: "numeric" });
  const [passed, next] = [today.subtract({ days: 8 }), today.add({ days: 5 })];
  const { id } = await system.call(schedules.create, {
    body: {
      name,
      templateId: "rent-reminder",
      fieldValues: { amount: "$2,018", due_date: `${long(passed)} at 6 PM` },
      recurrence: "weekly",
      dayOfWeek: today.dayOfWeek % 7,
      time: "00:00",
      endTime: "00:01",
      recipients: [property.group],
    },
  });
  await system.passWeek(id);
  const attention = page.getByRole("region", { name: "Needs attention" });
  const load = await intercept(page, "**/api/schedules/*/outgoing*", flooded);
  await page.goto("/");
  await attention.getByRole("button", { name: `Send now ${name}` }).click(schedulerLooks);
  const question = page.getByRole("alertdialog", { name: `Send “${name}” now?` });
  await expect(question).toContainText("We couldn't load the message, so it can't be sent yet");
  await expect(question.getByRole("button", { name: "Send to 1 person" })).toBeDisabled();
  load();
  await question.getByRole("button", { name: "Try again" }).click();
  await expect(question).toContainText(`The message names ${long(passed)}, 8 days ago.`);
  // As under a long template: the new dates begin below the dialog's edge.
  await page.setViewportSize({ width: 1280, height: 560 });
  await question.getByRole("button", { name: "Use new dates" }).click();

  const writing = page.getByRole("dialog", { name: "Create New Notification" });
  await expect(writing.getByRole("button", { name: `Remove ${property.name}` })).toBeVisible();
  // Whoever asked for new dates must not overlook that the old ones are still there.
  await expect(writing.getByRole("button", { name: "Use new dates" })).toBeInViewport({ ratio: 1 });
  await writing
    .getByLabel(`Instead of ${long(passed)}`)
    .fill(next.toLocaleString("en-US", { year: "numeric", month: "2-digit", day: "2-digit" }));
  await writing.getByRole("button", { name: "Use new dates" }).click();
  await expect(writing.getByText("The message names")).toHaveCount(0);
  const connect = await intercept(page, "**/api/send-notification", (route) => route.abort());
  await writing.getByRole("button", { name: "Send Notification" }).click();
  const waiting = attention.getByRole("listitem").filter({ hasText: name });
  await expect(waiting).toContainText("Not yet sent");
  await expect(waiting.getByRole("button")).toHaveCount(0);
  connect();
  await waiting.getByRole("link", { name: "Open notifications" }).click();
  await retrySending(page);
  await expect
    .poll(() => system.mail.to(property.tenants[0]?.email ?? "")[0]?.text)
    .toContain(`${long(next)} at 6 PM`);
  await page.goto("/");
  // What was sent in its place settles it.
  await expect(attention.getByRole("link", { name })).toHaveCount(0);
});

test("says where a chosen notification's text is edited, and that it can't be once it has gone out", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}]);
  const mark = token();
  await saveDraft(system.call, property, `Waiting ${mark}`);
  const sent = {
    title: `Sent ${mark}`,
    message: "Hello.",
    recipients: [property.group],
    channels: ["email"],
  };
  await system.call(notifications.send, { body: sent });
  await page.goto("/schedules?open=new");
  const dialog = page.getByRole("dialog", { name: "Create Schedule" });
  await dialog.locator("label", { hasText: /^Notification$/ }).click();
  const choose = async (title: string) => {
    await dialog.getByRole("combobox", { name: "Message" }).fill(mark);
    await dialog.getByRole("option", { name: title }).click();
  };
  await choose(`Waiting ${mark}`);
  await expect(dialog.getByText("Its text is edited in the notification.")).toBeVisible();
  await choose(sent.title);
  await expect(
    dialog.getByText(
      "This notification has gone out, so its text can't be changed. For a text that you can edit, choose a template.",
    ),
  ).toBeVisible();
  await expect(dialog.getByRole("link", { name: "This notification" })).toBeVisible();
});

test("shows an error when schedules can't be loaded and retries, and edits and cancels a scheduled notification", async ({
  page,
  system,
}) => {
  await withoutEvents(page);
  const { tenants } = await moveIn(system.call, [{}]);
  await system.call(notifications.send, {
    body: {
      title: "By hand",
      message: "Hello.",
      recipients: [{ type: "user", id: tenants[0]?.id ?? 0 }],
      channels: ["email"],
    },
  });
  const pass = await intercept(page, /\/api\/schedules(\?|\/(today|calendar|upcoming))/, flooded);
  const check = await intercept(page, "**/api/schedules/attention?*", flooded);
  await page.goto("/schedules");
  const unchecked = page.getByRole("listitem").filter({ hasText: "We couldn't check your schedules" });
  await expect(unchecked).toBeVisible();
  check();
  await unchecked.getByRole("button", { name: "Retry" }).click();
  await expect(unchecked).toBeHidden();
  // spec 324
  await expect(page.getByText("Error loading schedules")).toHaveCount(2);
  await page.goto("/");
  // spec 96
  await expect(page.getByText("Error loading schedules")).toBeVisible();
  await page.goto("/schedules?view=week");
  await expect(page.getByText("Error loading schedules")).toBeVisible();
  pass();
  await page.getByRole("button", { name: "Retry" }).click();
  const week = page.getByRole("region", { name: / to / });
  await expect(week.getByRole("region")).toHaveCount(7);
  const byHand = week.getByRole("listitem").filter({ hasText: "sent without a schedule" }).first();
  await byHand.getByRole("button").click();
  const popover = page.getByRole("dialog");
  await expect(popover.getByText("Sent without a schedule")).toBeVisible();
  await expect(popover.getByRole("link")).toHaveAttribute("href", /^\/notifications\/\d+$/);

  await page.setViewportSize({ width: 390, height: 844 });
  const release = await hold(page, "**/api/schedules/calendar?*");
  await page.goto("/schedules?view=month");
  await expect(page.getByRole("heading", { name: /^Today / })).toBeVisible();
  await expect(page.getByText("No schedules for today")).toHaveCount(0);
  release();
  await page.setViewportSize({ width: 1280, height: 900 });

  const busyDay = "2031-03-05";
  const busy = await Promise.all(
    Array.from({ length: 13 }, (_, n) =>
      system.call(schedules.create, {
        body: {
          name: `Reading ${n}`,
          templateId: "rent-reminder",
          fieldValues: { amount: "$1", due_date: "today" },
          recurrence: "once",
          date: busyDay,
          time: `08:${String(n).padStart(2, "0")}`,
          recipients: ["All Tenants"],
        },
      }),
    ),
  );
  // Other tests leave repeating schedules.
  const runs = (await system.call(schedules.calendar, { query: { from: busyDay, to: busyDay } })).length;
  await page.goto(`/schedules?view=month&day=${busyDay}`);
  const cell = page.getByRole("cell", { name: `Wednesday, March 5, ${runs} runs` });
  await expect(cell).toContainText(`${runs - 2} more`);
  await cell.getByRole("button").click();
  const ofDay = page.getByRole("dialog", { name: "Wednesday, March 5" });
  await expect(ofDay.getByRole("listitem")).toHaveCount(12);
  await ofDay.getByRole("button", { name: `Show ${runs - 12} more` }).click();
  await expect(ofDay.getByRole("listitem")).toHaveCount(runs);
  await expect(ofDay.getByRole("list")).toBeFocused();
  await expect(ofDay.getByRole("button", { name: /more$/ })).toHaveCount(0);
  await Promise.all(busy.map(({ id }) => system.call(schedules.remove, { params: { id } })));

  const missed = {
    scheduleId: 1,
    kind: "schedule",
    name: "Broken 0",
    channels: ["email"],
    recipients: "",
    occurrence: "2026-11-20",
    startsAt: "2026-11-20T15:00:00Z",
    day: "2026-11-20",
    time: "09:00",
    state: "missed",
    settledAt: "2026-11-20T20:00:00.123456Z",
    reason: null,
    dismissed: false,
    by: null,
    notificationId: null,
    status: null,
    people: null,
    reached: null,
    simulated: false,
    simulatedChannels: [],
    noReceipts: { channels: [], all: false },
  };
  const full = await intercept(page, "**/api/schedules/today*", (route) =>
    route.fulfill({
      json: Array.from({ length: 11 }, (_, n) => ({ ...missed, scheduleId: n + 1, dismissed: true })),
    }),
  );
  await page.goto("/schedules");
  const todays = page.getByRole("region", { name: "Today's Schedules" });
  const listed = todays.getByRole("listitem").filter({ hasText: "Broken 0" });
  await expect(listed).toHaveCount(10);
  await todays.getByRole("button", { name: "Show all 11" }).click();
  await expect(listed).toHaveCount(11);
  await expect(todays.getByRole("list")).toBeFocused();
  full();
  const some = await intercept(page, "**/api/schedules/today*", (route) => route.fulfill({ json: [] }));
  // Five are listed at first.
  const broken = Array.from({ length: 6 }, (_, n) => ({
    scheduleId: n + 1,
    name: `Broken ${n}`,
    active: true,
    problem: "It has no recipients.",
    waitingRuns: n === 0 ? 5 : 0,
    newest: n === 0 ? missed : null,
    nextRunAt: null,
    since: "2026-11-20T15:00:00Z",
  }));
  await page.route("**/api/schedules/attention?*", (route) => {
    const size = Number(new URL(route.request().url()).searchParams.get("pageSize"));
    return route.fulfill({ json: broken.slice(0, size), headers: { "X-Total-Count": "6" } });
  });
  await page.goto("/schedules?q=nothing-like-it");
  const attention = page.getByRole("region", { name: "Needs attention" });
  await expect(attention.getByRole("listitem")).toHaveCount(5);
  await attention.getByRole("button", { name: "1 more schedule needs attention" }).click();
  await expect(attention.getByRole("list")).toBeFocused();
  await expect(attention.getByRole("listitem")).toHaveCount(6);
  await expect(attention).not.toContainText("more");
  await attention.getByRole("button", { name: "Dismiss Broken 0" }).click();
  await expect(attention.getByRole("list")).toBeFocused();
  const counted = await intercept(page, "**/api/schedules/missed?*", (route) =>
    route.fulfill({ json: [missed], headers: { "X-Total-Count": "5" } }),
  );
  const dismissed = page.waitForRequest("**/api/schedules/missed/dismiss");
  let left = 5;
  await page.route("**/api/schedules/missed/dismiss", (route) =>
    route.fulfill({ json: { dismissed: left } }),
  );
  const dismissAll = async () => {
    await attention.getByRole("button", { name: "Dismiss all runs" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Dismiss 5 runs" }).click();
  };
  await dismissAll();
  expect((await dismissed).postDataJSON()).toEqual({ until: missed.settledAt });
  await expectToast(page, "Runs Dismissed", "5 runs");
  left = 0;
  await dismissAll();
  await expectToast(page, "Runs Dismissed", "Someone has already sent or dismissed them.");
  counted();
  // spec 323
  await expect(page.getByText("No schedules for today")).toBeVisible();
  some();
  await expect(page.getByText("No active schedules found")).toBeVisible();
  const when = Temporal.Now.instant().add({ hours: 48 }).toString({ smallestUnit: "second" });
  const planned = await system.call(notifications.create, {
    body: {
      title: `Water off ${token()}`,
      content: "No water.",
      status: "Scheduled",
      scheduled_time: when,
      recipients: ["All Tenants"],
      channels: ["email"],
    },
  });
  // spec 504
  await page.goto(`/schedules?edit=${10_000 + planned.id}`);
  const notification = page.getByRole("dialog", { name: "Edit Notification" });
  await expect(notification.getByRole("textbox", { name: "Title" })).toHaveValue(planned.title);
  await notification.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(new RegExp(`/notifications/${planned.id}$`));
  await page.goto(`/schedules?q=${planned.title}`);
  await page.getByRole("button", { name: `Edit ${planned.title}` }).click();
  await expect(notification.getByRole("textbox", { name: "Title" })).toHaveValue(planned.title);
  await page.goto(`/schedules?q=${planned.title}`);
  await page.getByRole("button", { name: `Cancel ${planned.title}` }).click();
  await page
    .getByRole("alertdialog", { name: `Cancel “${planned.title}”?` })
    .getByRole("button", { name: "Cancel notification" })
    .click();
  await expectToast(page, "Notification cancelled");
  await expect(page.getByText("No active schedules found")).toBeVisible();
  const recurring = await system.call(notifications.create, {
    body: {
      title: `Staff meeting ${token()}`,
      content: "Agenda.",
      status: "Recurring",
      recurrence: "weekly",
      recurringDay: 2,
      recurringTime: "14:00",
      recipients: ["All Tenants"],
      channels: ["email"],
    },
  });
  await page.goto(`/notifications/${recurring.id}`);
  await page.getByRole("button", { name: /^Cancel/ }).click();
  const question = page.getByRole("alertdialog", { name: `Cancel “${recurring.title}”?` });
  await expect(question).toContainText("It won't go out again. What it has sent stays on record.");
  await expect(question.getByRole("button")).toHaveText(["Keep it", "Cancel notification"]);
  await question.getByRole("button", { name: "Keep it" }).click();
  await page.getByRole("link", { name: "Open schedule" }).click();
  await expect(page.getByRole("dialog", { name: recurring.title })).toBeVisible();
  await page.goto("/schedules?edit=999999");
  const editor = page.getByRole("dialog", { name: "Create Schedule" });
  // spec 327
  await expect(editor.getByRole("textbox", { name: "Name" })).toHaveValue("Schedule #999999");
  // spec 326
  await expect(editor.getByRole("button", { name: /^Remove / })).toHaveCount(0);
  await expect(editor.getByLabel("Start time")).toHaveValue("09:00");
  await expect(editor.getByLabel("End time")).toHaveValue("17:00");
  await expect(editor.getByRole("radio", { name: "Daily" })).toBeChecked();
  await expect(editor.getByRole("switch", { name: "Active" })).toBeChecked();
  await editor.getByRole("button", { name: "Create Schedule" }).click();
  await expect(editor.getByText("Choose a template", { exact: true })).toBeVisible();
  await expect(editor.getByText("Recipients are required")).toBeVisible();
  await editor.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Create Schedule" }).click();
  // spec 326
  await expect(editor.getByRole("textbox", { name: "Name" })).toHaveValue("");
});

test("a run that leaves people out by a detail says so before it is started", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  const label = `Owed ${token()}`;
  const owed = await system.call(details.create, { body: { label, kind: "amount" } });
  const { id } = await system.call(schedules.create, {
    body: {
      name: label,
      templateId: "rent-reminder",
      fieldValues: { amount: "$1", due_date: { daysAfter: 6 } },
      recurrence: "daily",
      time: "10:00",
      recipients: [property.group],
      skipIf: { detail: owed.id, kind: "amount", is: "is", value: "0" },
    },
  });
  await page.goto(`/schedules?schedule=${id}`);
  await page.getByRole("button", { name: "Run now" }).click();
  const running = page.getByRole("alertdialog");
  await expect(running).toContainText(`Left out: ${label} is $0.00.`);
  await expect(running.getByRole("button", { name: "Run now", exact: true })).toBeEnabled();
});
