import { audience } from "#contract/audience.ts";
import { schedules } from "#contract/schedules.ts";
import { weekdays } from "#contract/rule-text.ts";
import { expect, test } from "./fixtures.ts";
import { moveIn, token } from "./people.ts";
import { expectToast } from "./toast.ts";

/** How long the scheduler may take to look again. */
const looking = { timeout: 60_000 };

test("a template with a field is previewed, scheduled weekly, delivered, paused, activated and deleted", async ({
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
  await page.keyboard.type(", bins out by {{pickup_date}}.");
  await writing.getByRole("button", { name: "Create Template" }).click();
  await expect(writing).toBeHidden();

  await page.goto("/schedules");
  await page.getByRole("button", { name: "Create Schedule" }).first().click();
  const editor = page.getByRole("dialog", { name: "Create Schedule" });
  const choose = (choice: string) => editor.locator("label", { hasText: new RegExp(`^${choice}$`) }).click();
  await choose("Template");
  await editor.getByRole("textbox", { name: "Name" }).fill("");
  await editor.getByRole("combobox", { name: "Message", exact: true }).selectOption({ label: name });
  await expect(editor.getByRole("textbox", { name: "Name" })).toHaveValue(name);
  for (const chip of await editor.getByRole("button", { name: /^Remove / }).all()) await chip.click();
  await editor.getByRole("combobox", { name: "Recipients" }).fill(property.name);
  await editor.getByRole("option", { name: property.name }).click();
  await expect(editor.getByText("1 person gets nothing.")).toBeVisible();

  await editor.getByRole("button", { name: "Create Schedule" }).click();
  await expect(editor.getByText("Pickup date is required")).toBeVisible();
  await editor.getByRole("spinbutton", { name: "Pickup date: days after the run" }).fill("6");
  await expect(editor.getByText("Pickup date is required")).toBeHidden();

  const { timeZone } = await system.call(audience.today);
  const today = Temporal.Now.plainDateISO(timeZone);
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
  await editor.getByRole("button", { name: "Create Schedule" }).click();
  await expectToast(page, "Schedule Created");

  const [made] = await system.call(schedules.list, { query: { q: name } });
  const id = made?.id ?? 0;
  await page.goto(`/schedules?q=${name.replace(" ", "+")}`);
  await system.passWeek(id);
  const used = today.add({ days: 6 }).toLocaleString("en-US", { dateStyle: "long" });
  await expect
    .poll(() => system.mail.to(tenant?.email ?? "").at(-1)?.text, looking)
    .toContain(`bins out by ${used}.`);
  await page.getByRole("link", { name }).click();
  const details = page.getByRole("dialog", { name });
  await expect(details.getByText("Partially Delivered: 1 of 2 people")).toBeVisible();
  await details.getByRole("button", { name: "Skip the next one" }).click();
  await expectToast(page, "Run Skipped");
  await details.getByRole("button", { name: /^Undo/ }).click();
  await expectToast(page, "Skip Undone");
  await details.getByRole("button", { name: "Close" }).click();

  const active = page.getByRole("switch", { name: `${name} is active` });
  await active.click();
  await expectToast(page, "Schedule Paused");
  await expect(page.getByText("No active schedules found")).toBeVisible();
  await page.getByRole("tab", { name: /^All Schedules/ }).click();
  await expect(active).not.toBeChecked();
  await active.click();
  await expectToast(page, "Schedule Activated");

  await page.getByRole("button", { name: `More actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText(
    `Are you sure you want to delete ${name}? This action cannot be undone.`,
  );
  await question.getByRole("button", { name: "Delete" }).click();
  await expectToast(page, "Schedule Deleted");
  await expect(page.getByText("No schedules found")).toBeVisible();
});
