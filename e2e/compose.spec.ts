import { ATTACHMENT_MAX } from "#contract/calls/attachments.ts";
import { audience } from "#contract/calls/audience.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { templates } from "#contract/calls/templates.ts";
import { daysAfter } from "#web/ui/form/calendar-day.ts";
import { expectAccessible } from "./axe.ts";
import { ComposeDialog } from "./compose-dialog.ts";
import { disguised, oversize, pdf, png } from "./files.ts";
import { expect, test } from "./fixtures.ts";
import { flooded, hold, intercept, withoutEvents } from "./intercept.ts";
import { moveIn, token } from "./people.ts";
import { expectToast } from "./toast.ts";

test("shows an error at every empty field, focuses the first, and clears each one as it is fixed", async ({
  page,
}) => {
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  // Nothing is an error before the first submit.
  await dialog.choose("Custom message");
  await dialog.choose("Schedule for later");
  await expect(dialog.root.locator('[aria-invalid="true"], [data-invalid]')).toHaveCount(0);
  await dialog.choose("Send immediately");
  await dialog.send.click();
  for (const sentence of [
    // spec 200
    "Title is required",
    // spec 203
    "Either template or custom message is required",
    // spec 201
    "Recipients are required",
    // spec 202
    "At least one channel is required",
  ]) {
    await expect(dialog.root.getByText(sentence)).toBeVisible();
  }
  await expect(dialog.title).toBeFocused();
  await dialog.title.fill("Water shut-off");
  // spec 213
  await expect(dialog.root.getByText("Title is required")).toBeHidden();
  await dialog.channel("Email").check();
  await expect(dialog.root.getByText("At least one channel is required")).toBeHidden();
  const missing = dialog.root.getByText("Either template or custom message is required");
  // spec 120, 203
  await dialog.choose("Template");
  await expect(missing).toBeVisible();
  // spec 204
  await expect(dialog.root.getByRole("combobox", { name: "Message" })).toHaveAccessibleDescription(
    "Either template or custom message is required",
  );
  await dialog.send.click();
  await expect(missing).toBeVisible();
  await dialog.choose("Custom message");
  await expect(missing).toBeVisible();
  await dialog.message.fill("Now there is one.");
  await expect(missing).toHaveCount(0);
  await dialog.choose("Schedule for later");
  await dialog.root.getByRole("textbox", { name: "Date" }).fill("");
  await dialog.schedule.click();
  await expect(dialog.root.getByText("Choose a date and time")).toBeVisible();
  await dialog.root.getByRole("textbox", { name: "Date" }).fill("01/02/2020");
  const past = dialog.root.getByText("Choose today or a later day");
  await expect(past).toBeVisible();
  await dialog.choose("Send immediately");
  await dialog.choose("Schedule for later");
  await expect(past).toBeVisible();

  // spec 137, 206, 207
  await expect(dialog.root.getByText("PNG, JPG, PDF up to 10MB")).toBeVisible();
  await dialog.attach(
    oversize("panorama.png", ATTACHMENT_MAX + 1),
    disguised("invoice.pdf"),
    { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("notes") },
    png("door.png"),
  );
  const files = dialog.root.getByRole("group", { name: "Attachments" }).getByRole("listitem");
  await expect(files.filter({ hasText: "panorama.png" })).toContainText("This file is larger than 10 MB.");
  await expect(files.filter({ hasText: "panorama.png" })).toContainText("10.00 MB");
  await expect(files.filter({ hasText: "invoice.pdf" })).toContainText(
    /isn't actually a PNG, JPG or PDF file/,
  );
  await expect(files.filter({ hasText: "notes.txt" })).toContainText("This is not a PNG, JPG or PDF file.");
  await expect(files.filter({ hasText: "door.png" })).toHaveText(/^door\.png0\.00 MB$/);
  await dialog.root.getByRole("button", { name: "Remove door.png" }).click();
  // spec 136
  await expect(files.filter({ hasText: "door.png" })).toHaveCount(0);
});

// spec 3
test("a template asks for the fields that aren't filled from people's records", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  await dialog.choose("Template");
  await dialog.root.getByRole("combobox", { name: "Message" }).click();
  for (const name of [
    "Rent Reminder",
    "Maintenance Alert",
    "Emergency Notification",
    // spec 170
    "General Announcement",
  ]) {
    await expect(dialog.root.getByRole("option", { name })).toBeAttached();
  }
  // In an emergency, there is one thing less to think of.
  await dialog.template("Emergency Notification");
  await expect(dialog.channel("SMS")).toBeChecked();
  await dialog.channel("SMS").uncheck();
  await dialog.template("Rent Reminder");
  await expect(dialog.channel("Email")).not.toBeChecked();
  await expect(dialog.title).toHaveValue("Rent Reminder");
  await dialog.addRecipient(property.name);
  await dialog.channel("Email").check();
  await dialog.send.click();
  await expect(dialog.root.getByText("Amount is required")).toBeVisible();
  await expect(dialog.root.getByText("Due date is required")).toBeVisible();
  await dialog.root.getByRole("textbox", { name: "Amount" }).fill("$900");
  await dialog.root.getByRole("button", { name: "Choose a date" }).click();
  await page.getByRole("button", { name: /next month/i }).click();
  await page.getByRole("grid").getByRole("button", { name: / 15, / }).click();
  // The field also accepts text. A day picked in the calendar is written out in words.
  await expect(dialog.root.getByRole("textbox", { name: "Due date" })).toHaveValue(/^\w+day, \w+ 15, \d{4}$/);
  await expect(dialog.root.getByText("Due date is required")).toBeHidden();
  await expect(dialog.root.getByText(/^Email subject: Rent for/)).toBeVisible();
  // If the templates can't be read again, the ones from before can still be chosen.
  const list = "**/api/templates?*pageSize=100*";
  await page.route(list, flooded);
  const failed = page.waitForResponse(list);
  const spare = { name: `Spare ${token()}`, type: "SMS", content: "Never mind." };
  await system.call(templates.create, { body: spare });
  await failed;
  // A title that no one typed follows the template.
  await dialog.template("Maintenance Alert");
  await expect(dialog.title).toHaveValue("Maintenance Alert");
  const work = "New boiler.\nPlease keep the cellar free.";
  await dialog.root.getByRole("textbox", { name: "Work description" }).fill(work);
  await dialog.root.getByRole("textbox", { name: "Work date" }).fill("one of the next days");
  await dialog.root.getByRole("textbox", { name: "Work time" }).fill("9 to 11");
  await dialog.send.click();
  await expectToast(page, "Notification Sent");
  const address = property.tenants[0]?.email ?? "";
  await expect.poll(() => system.mail.to(address)).toHaveLength(1);
  expect(system.mail.to(address)[0]?.text).toContain(work);
});

test("a template that changes while it is being sent goes out once its new text was shown", async ({
  page,
  system,
}) => {
  // The page hears of the change only from the refusal.
  await withoutEvents(page);
  const property = await moveIn(system.call, [{}]);
  const template = {
    name: `Lift in ${property.name}`,
    type: "Email" as const,
    subject: "The lift",
    content: "The lift is closed today.",
  };
  const { id } = await system.call(templates.create, { body: template });
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  await dialog.choose("Template");
  await dialog.template(template.name);
  await dialog.addRecipient(property.name);
  await dialog.channel("Email").check();
  const content = "The lift is closed until Friday.";
  await system.call(templates.update, { params: { id }, body: { ...template, content } });
  await dialog.send.click();
  await expectToast(
    page,
    "Error Sending Notification",
    `The template “${template.name}” has changed since you chose it`,
  );
  await expect(dialog.root.getByText(/has changed since you chose it/)).toBeVisible();
  await expect(dialog.root.getByText(content)).toBeVisible();
  await dialog.send.click();
  await expectToast(page, "Notification Sent");
  const address = property.tenants[0]?.email ?? "";
  await expect
    .poll(() => system.mail.to(address).map(({ text }) => text))
    .toMatchObject([expect.stringContaining(content)]);
});

// spec 122
test("the recipient picker searches groups and people, takes Enter for the first, and says when nothing matches", async ({
  page,
  system,
}) => {
  const houses = await Promise.all([moveIn(system.call, [{}, {}]), moveIn(system.call, [{}])]);
  const [property] = houses;
  const [mei] = property.tenants;
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  // Before the server has answered, no one knows that nothing was found.
  await page.evaluate(() => {
    const look = () => {
      if (document.body.innerText.includes("Nothing found")) document.body.dataset["hasted"] = "";
    };
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  await dialog.recipients.focus();
  // spec 125
  for (const { name } of houses) {
    // Enter is pressed before the server answers, and must not pick the previous search's result.
    await page.keyboard.insertText(name);
    await page.keyboard.press("Enter");
    await expect(dialog.root.getByRole("button", { name: `Remove ${name}` })).toBeVisible();
    await expect(dialog.root.getByRole("listbox")).toBeHidden();
  }
  await expect(dialog.root.getByRole("button", { name: /^Remove / })).toHaveCount(2);
  await expect(page.locator("body")).not.toHaveAttribute("data-hasted");
  await dialog.channel("Email").check();
  await dialog.recipients.press("ArrowDown");
  await expect(dialog.root.getByRole("listbox")).toBeVisible();
  await dialog.recipients.press("Escape");
  // Enter opens the list too. A key that is held picks no one.
  const found = page.waitForResponse(/\/api\/usergroups\?/);
  await page.keyboard.down("Enter");
  await (await found).finished();
  await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await expect(dialog.root.getByRole("listbox")).toBeVisible();
  // Both are found, whichever kind is chosen.
  await expect(dialog.root.getByRole("radio", { name: "Groups" })).toBeChecked();
  await dialog.addRecipient(`${mei?.firstName} ${mei?.lastName}`);
  await dialog.choose("Individuals");
  await dialog.recipients.fill("Everyone");
  await expect(dialog.root.getByRole("option", { name: /^Everyone/ })).toBeVisible();
  await dialog.recipients.fill(`nobody ${token()}`);
  await expect(dialog.root.getByText(/^Nothing found for/)).toBeVisible();
  await dialog.recipients.press("Escape");
  await expect(dialog.root).toBeVisible();
  await dialog.recipients.fill("");
  await dialog.recipients.press("Escape");
  await dialog.recipients.press("Backspace");
  await expect(dialog.root.getByRole("button", { name: /^Remove Mei/ })).toBeHidden();
  for (const { name } of houses) {
    await expect(dialog.root.getByRole("button", { name: `Remove ${name}` })).toBeVisible();
  }
  await expect(dialog.root.getByRole("button", { name: /^Remove / })).toHaveCount(2);
});

test("shows how many people will get the message, who won't and why, and what each one gets", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}, {}, { phone: "" }, { email: "", phone: "" }]);
  const cut = property.tenants[3];
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  await expect(dialog.root).toContainText("Choose recipients to see who gets it.");
  await dialog.addRecipient(property.name);
  await expect(dialog.root).toContainText("4 people. Choose a channel to see who gets it.");
  // The answer without channels would say that no one gets it.
  const count = await hold(page, "**/api/audience/reach");
  await dialog.channel("Email").check();
  await expect(dialog.root).toContainText("Counting...");
  count();
  await dialog.channel("SMS").check();
  await expect(dialog.root).toContainText("3 people, 5 messages. 1 person won't get this message.");
  await expect(dialog.root).toContainText(
    `${cut?.firstName} ${cut?.lastName}, ${cut?.propertyUnit}: no email, no phone number`,
  );
  await expect(dialog.root).toContainText("SMS goes to the Sandbox. No one receives it.");
  await expect(dialog.root.getByText("to 3 people")).toBeVisible();

  await dialog.root.getByRole("button", { name: "Who gets what" }).click();
  const list = page.getByRole("dialog", { name: "Who gets what" });
  await expect(list.getByRole("listitem")).toHaveCount(4);
  await list.getByText("Won't get it", { exact: true }).click();
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await expect(list.getByText("No phone number on file.")).toBeVisible();
  await page.keyboard.press("Escape");

  await dialog.title.fill("Water shut-off");
  await dialog.message.fill("Hello {{first_name}}, the water is off in {{property_name}}.");
  // A test goes to whoever writes, and to no one else.
  await dialog.root.getByRole("button", { name: "Send a test to me" }).click();
  await expect(dialog.root.getByText("accepted it for ada.owner@example.com.")).toBeVisible();
  await expect(
    dialog.root.getByText("Your profile has no phone number. Add one to get a test."),
  ).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
  const [own] = system.mail
    .to("ada.owner@example.com")
    .filter(({ subject }) => subject === "Test: Water shut-off");
  expect(own?.text).toContain("Hello Ada, the water is off in");
  expect(system.mail.to(property.tenants[0]?.email ?? "")).toHaveLength(0);

  // A message of one's own can be formatted as templates are, and be plain again.
  const plain = await dialog.message.inputValue();
  await dialog.root.getByRole("button", { name: "Format" }).click();
  await dialog.root.getByRole("toolbar", { name: "Formatting" }).waitFor();
  await dialog.message.press("ControlOrMeta+a");
  await dialog.root.getByRole("button", { name: "Bold" }).click();
  await expectAccessible(page);
  await dialog.root.getByRole("button", { name: "Send a test to me" }).click();
  await expect
    .poll(() => system.mail.to("ada.owner@example.com").at(-1)?.html)
    .toContain("<strong>Hello Ada, the water is off in");
  await dialog.root.getByRole("button", { name: "Plain text" }).click();
  await expect(dialog.message).toHaveValue(plain);

  await dialog.channel("Email").uncheck();
  await dialog.root.getByRole("button", { name: "Preview" }).click();
  const preview = page.getByRole("dialog", { name: "Preview" });
  await expect(preview.getByText(/^(Water shut-off|Hello Mei|.*Hello Luis)/).first()).toBeVisible();
  await expect(preview.getByText(`the water is off in ${property.name}.`)).toBeVisible();
});

test("names the character that makes a text longer, and offers plain punctuation only if it helps", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{ firstName: "سلمى" }]);
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  await dialog.write({
    title: "Water shut-off",
    message: "Hello {{first_name}}, the “water” is off.",
    recipients: [property.name],
    channels: ["SMS"],
  });
  await expect(dialog.root.getByText(/from سلمى .+'s first name cuts each part/)).toBeVisible();
  await expect(dialog.root.getByRole("button", { name: "Use plain punctuation" })).toBeHidden();
  await dialog.message.fill("Hello, the “water” is off.");
  await dialog.root.getByRole("button", { name: "Use plain punctuation" }).click();
  await expect(dialog.message).toHaveText('Hello, the "water" is off.');
  await expect(dialog.root.getByText(/cuts each part/)).toBeHidden();
});

test("schedules a notification for a later day, and refuses days before today", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  const title = `Boiler check ${token()}`;
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  const message = "Hello {{first_name}},\nthe boiler is checked in your flat.";
  await dialog.write({ title, message, recipients: [property.name], channels: ["Email"] });
  await dialog.choose("Schedule for later");
  // spec 129
  await expect(dialog.root.getByLabel("Time")).toHaveValue("09:00");
  // The new fields scroll into view, and the date is already the next day.
  await expect(dialog.root.getByLabel("Time")).toBeInViewport({ ratio: 1 });
  const date = dialog.root.getByRole("textbox", { name: "Date" });
  const { today } = await system.call(audience.today);
  const [year = "", month, day] = daysAfter(today, 1).split("-");
  await expect(date).toHaveValue(`${month}/${day}/${year}`);
  await date.fill("01/15/2020");
  // spec 141
  await dialog.schedule.click();
  // spec 205
  await expect(dialog.root.getByText("Choose today or a later day")).toBeVisible();
  await expect(dialog.root.getByText(/^New York time\. It's .+ there now\.$/)).toBeVisible();
  await date.fill("");

  await dialog.root.getByRole("button", { name: "Choose a date" }).click();
  const calendar = page.getByRole("grid");
  await expect(calendar).toBeVisible();
  const days = await calendar.getByRole("gridcell").evaluateAll((cells) =>
    cells.map((cell) => ({
      day: cell.dataset["day"] ?? "",
      // Days of earlier months have no button.
      off: cell.querySelector("button")?.disabled ?? true,
    })),
  );
  expect(days.map(({ day }) => day)).toContain(today);
  // spec 205
  expect(days).toEqual(days.map(({ day }) => ({ day, off: day < today })));
  await page.getByRole("button", { name: /next month/i }).click();
  await calendar.getByRole("button", { name: / 15, / }).click();
  await expect(date).toHaveValue(/^\d\d\/15\/\d{4}$/);
  await expect(dialog.root.getByText(/^Goes out .+ 15, .*at 9:00 AM E[SD]T, New York time\.$/)).toBeVisible();
  await dialog.schedule.click();
  // spec 258
  await expectToast(page, "Notification Scheduled", "Your notification has been scheduled successfully.");
  await expect(dialog.root).toBeHidden();

  await page.getByRole("searchbox", { name: "Search notifications" }).fill(title);
  await expect(
    page.getByRole("region", { name: "Planned" }).getByRole("link", { name: title }),
  ).toBeVisible();
  await page.goto(`/notifications?status=Scheduled&q=${title.replaceAll(" ", "+")}`);
  const row = page.getByRole("row").filter({ hasText: title });
  await expect(row.getByText("Scheduled")).toBeVisible();
  const [stored] = await system.call(notifications.list, { query: { q: title } });
  expect(stored).toMatchObject({ status: "Scheduled", content: message, recipients: property.name });
});

test("saves a recurring notification whose due date changes with each run", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  const title = `Rent ${token()}`;
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  await dialog.write({
    title,
    message: "The rent is due on {{due_date}}.",
    recipients: [property.name],
    channels: ["Email"],
  });
  await dialog.choose("Recurring");
  await expect(dialog.root.getByLabel("Day of Week")).toBeHidden();
  await dialog.root.getByLabel("Recurrence").selectOption("Weekly");
  await expect(dialog.root.getByLabel("Day of Week")).toHaveValue("1");
  await dialog.root.getByLabel("Recurrence").selectOption("Monthly");
  await expect(dialog.root.getByLabel("Day of Month")).toHaveValue("1");
  await dialog.root.getByLabel("Day of Month").selectOption("31");
  await expect(dialog.root).toContainText("The schedule runs on their last day.");
  await dialog.root.getByLabel("Day of Month").selectOption("25");
  // spec 134
  await expect(dialog.root.getByLabel("Time")).toHaveValue("09:00");
  await dialog.root.getByLabel("Due date: how to set it").selectOption("Day of a month");
  const runs = dialog.root.getByRole("region", { name: "Next six runs" }).getByRole("listitem");
  await expect(runs).toHaveCount(6);
  for (const run of await runs.all()) await expect(run).toContainText(/ 25.*9:00 AM.*Due date: \w+ 1, 20/);
  await dialog.schedule.click();
  await expectToast(page, "Notification Scheduled", "Your notification has been scheduled successfully.");
  const row = page.getByRole("row").filter({ hasText: title });
  await expect(row.getByText("Recurring")).toBeVisible();
  await expect(row.getByText("Day 25 of every month, 9:00 AM")).toBeVisible();
  const [{ id } = { id: 0 }] = await system.call(notifications.list, { query: { q: title } });
  const stored = await system.call(notifications.detail, { params: { id } });
  expect(stored.fieldValues).toEqual({ due_date: { day: 1, monthsAfter: 1 } });
});

test("restores the draft after the tab was closed", async ({ page, context, system }) => {
  const property = await moveIn(system.call, [{}]);
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  await dialog.write({
    title: "Half a thought",
    message: "Dear {{first_name}}, ",
    recipients: [property.name],
    channels: ["Email", "SMS"],
  });
  await dialog.attach(png("plan.png"));
  await expect(dialog.root.getByRole("button", { name: "Remove plan.png" })).toBeVisible();
  await expect(dialog.root.getByText("Attachments are only sent by email.")).toBeVisible();
  await page.close({ runBeforeUnload: true });

  const again = await context.newPage();
  await again.goto("/notifications");
  const reopened = await new ComposeDialog(again).open();
  await expect(reopened.root.getByText(/^Your draft .*is back/)).toBeVisible();
  await expect(reopened.title).toHaveValue("Half a thought");
  await expect(reopened.message).toHaveValue("Dear {{first_name}}, ");
  await expect(reopened.root.getByRole("button", { name: `Remove ${property.name}` })).toBeVisible();
  await expect(reopened.channel("Email")).toBeChecked();
  await expect(reopened.channel("SMS")).toBeChecked();
  await expect(reopened.root.getByRole("button", { name: "Remove plan.png" })).toBeVisible();
  await reopened.root.getByRole("button", { name: "Discard", exact: true }).click();
  await again.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
  await expect(reopened.title).toHaveValue("");
});

test("asks for the number of people before it sends to very many", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  const title = `Everyone ${token()}`;
  await page.route("**/api/audience/reach", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), reached: 1240 } });
  });
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  await dialog.write({ title, message: "Hello.", recipients: [property.name], channels: ["Email"] });
  await dialog.counted("1,240 people");
  await dialog.send.click();
  const question = page.getByRole("alertdialog", { name: "Send to 1,240 people?" });
  const typed = question.getByRole("textbox", { name: "Type 1,240 to confirm" });
  const send = question.getByRole("button", { name: "Send to 1,240 people" });
  await typed.fill("124");
  await expect(send).toBeDisabled();
  for (const number of ["1240", "1,240"]) {
    await typed.fill(number);
    await expect(send).toBeEnabled();
  }
  await typed.press("Enter");
  await expectToast(page, "Notification Sent");

  // So does a draft's page, which sends nothing before it has counted.
  const draft = { title, content: "Hello.", recipients: [property.group], channels: ["email"] };
  const { id } = await system.call(notifications.create, { body: { ...draft, status: "Draft" } });
  const release = await hold(page, "**/api/audience/reach");
  await page.goto(`/notifications/${id}`);
  await page.getByRole("button", { name: "Send now" }).click();
  const now = page.getByRole("alertdialog", { name: `Send “${title}” now?` });
  await expect(now.getByRole("button", { name: "Send" })).toBeDisabled();
  release();
  await expect(now.getByRole("button", { name: "Send to 1,240 people" })).toBeDisabled();
  await now.getByRole("textbox", { name: "Type 1,240 to confirm" }).fill("1,240");
  await now.getByRole("button", { name: "Send to 1,240 people" }).click();
  // spec 257
  await expectToast(page, "Notification Sent", "Your notification has been sent successfully.");
});

test("says why a send was refused, keeps everything typed, and then sends once on a double click", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}]);
  const title = `Stairwell ${token()}`;
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  const written = { title, message: "Mind {{ the step", recipients: [property.name] };
  await dialog.write({ ...written, channels: ["SMS"] });
  await dialog.counted("1 person");
  await dialog.send.click();
  await expectToast(page, "Error Sending Notification");
  await expect(dialog.message).toHaveAttribute("aria-invalid", "true");
  await expect(dialog.message).toHaveValue("Mind {{ the step");

  await dialog.attach(pdf("rules.pdf", "House rules"));
  await expect(dialog.root.getByText("0.00 MB")).toBeVisible();
  const pass = await intercept(page, "**/api/send-notification", flooded);
  await dialog.message.fill("Mind the step");
  await dialog.send.click();
  // spec 238, 256
  await expectToast(page, "Error Sending Notification", "500: The cellar is flooded", "destructive");
  await expect(dialog.title).toHaveValue(title);
  await expect(dialog.message).toHaveValue("Mind the step");
  await expect(dialog.channel("SMS")).toBeChecked();
  await expect(dialog.root.getByRole("button", { name: `Remove ${property.name}` })).toBeVisible();
  await expect(dialog.root.getByRole("button", { name: "Remove rules.pdf" })).toBeVisible();
  expect(await system.call(notifications.list, { query: { q: title } })).toEqual([]);

  pass();
  await dialog.send.dblclick();
  // Without a provider, a text message only goes to the Sandbox, and the toast says so.
  await expectToast(page, "Notification Sent", "Sent to the Sandbox. No one received it.");
  const row = page.getByRole("row").filter({ hasText: title });
  await expect(row).toHaveCount(1);
  expect(await system.call(notifications.list, { query: { q: title } })).toHaveLength(1);

  // A slower second click finds the dialog closed. It must not open the row beneath.
  await row.getByRole("link", { name: title, exact: true }).hover();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await expect(page).toHaveURL(/\/notifications$/);
  await page.mouse.down();
  await page.mouse.up();
  await expect(page.getByRole("heading", { name: title })).toBeVisible();
});
