import { schedules } from "#contract/calls/schedules.ts";
import { templates } from "#contract/calls/templates.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { flooded, intercept, withoutEvents } from "./intercept.ts";
import { expectToast } from "./toast.ts";

test("puts when, where and what to do into a block of details, which ends at an empty row", async ({
  page,
}) => {
  await page.goto("/templates?open=new");
  const dialog = page.getByRole("dialog", { name: "New Template" });
  await dialog.getByRole("textbox", { name: "Content" }).click();
  await page.keyboard.type("The elevator stands still.");
  await page.keyboard.press("Enter");
  const details = dialog.getByRole("button", { name: "Details" });
  await details.click();
  await expect(details).toHaveAttribute("aria-pressed", "true");
  await expect(dialog.getByRole("textbox", { name: "Content" })).toBeFocused();
  await page.keyboard.type("Friday, 9 AM");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.type("Building A");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.type("Take the stairs.");
  await page.keyboard.press("Enter");
  await expect(details).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Enter");
  await expect(details).toHaveAttribute("aria-pressed", "false");
  await page.keyboard.type("Thank you.");
  const mail = dialog.getByTitle(/^Message: /).contentFrame();
  await expect(mail.getByRole("row", { name: "When Friday, 9 AM" })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Plain text" }).click();
  await expect(dialog.getByRole("textbox", { name: "Content" })).toHaveValue(
    "The elevator stands still.\n\n| When: Friday, 9 AM\n| Where: Building A\n| What to do: Take the stairs.\n\nThank you.",
  );
});

test("creates a template with a field, saves versions, edits it and finds it again", async ({ page }) => {
  await page.goto("/templates");
  await page.getByRole("button", { name: "New Template" }).click();
  // spec 304, 312
  const dialog = page.getByRole("dialog", { name: "New Template" });
  await dialog.getByRole("button", { name: "Create Template" }).click();
  // spec 406
  await expect(dialog.getByText("Template name is required")).toBeVisible();
  // spec 408
  await expect(dialog.getByText("Content is required")).toBeVisible();

  await dialog.getByRole("textbox", { name: "Template name" }).fill("Parcel room");
  const subject = dialog.getByRole("textbox", { name: "Subject" });
  await expect(subject).toHaveAccessibleDescription(
    "Leave blank to use the default email subject from Settings.",
  );
  await subject.fill("a parcel");
  await page.keyboard.press("Home");
  await dialog.getByRole("button", { name: "Insert field in the subject" }).click();
  await page.getByRole("menuitem", { name: /First name/ }).click();
  await expect(subject).toBeFocused();
  await page.keyboard.type(", ");
  await expect(subject).toHaveValue("{{first_name}}, a parcel");
  await dialog.getByRole("textbox", { name: "Content" }).click();
  await page.keyboard.type("Dear ");
  await dialog.getByRole("button", { name: "Insert field", exact: true }).click();
  await page.getByRole("menuitem", { name: /First name/ }).click();
  await expect(dialog.getByRole("textbox", { name: "Content" })).toBeFocused();
  await page.keyboard.type(", a parcel is waiting.");
  await expect(dialog.getByRole("button", { name: "Remove first name from the text" })).toBeVisible();
  await dialog.getByRole("textbox", { name: "Add a field" }).fill("Shelf");
  // spec 409
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Plain text" }).click();
  await expect(dialog.getByRole("textbox", { name: "Content" })).toHaveValue(
    "Dear {{first_name}}, a parcel is waiting.",
  );
  await dialog.getByRole("button", { name: "Send a test to me" }).click();
  await expectToast(page, "Test Sent");
  await dialog.getByRole("button", { name: "Create Template" }).click();
  await expect(dialog).toBeHidden();

  // spec 305
  await page.getByRole("searchbox", { name: "Search templates" }).fill("parcel");
  const row = page.getByRole("row", { name: /Parcel room/ });
  await expect(row).toContainText("shelf");
  await expect(page).toHaveURL(/q=parcel/);
  // spec 307
  await expect(page.getByText("Showing 1 of 1 template")).toBeVisible();
  await expectAccessible(page);

  await row.getByRole("button", { name: "Edit Parcel room" }).click();
  // spec 312
  const editor = page.getByRole("dialog", { name: "Edit Template" });
  await editor.getByRole("button", { name: "Choose a person" }).click();
  await page.keyboard.type("Lindqvist");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(editor.getByRole("button", { name: "For Tess Lindqvist" })).toBeFocused();
  const entries = await page.evaluate(() => history.length);
  await editor.getByRole("textbox", { name: "Content" }).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" Bring your key.");
  await expect(
    editor
      .getByTitle(/^Message: /)
      .contentFrame()
      .locator("body"),
  ).toContainText("your key.");
  // Back leaves the dialog, not the previous text of its preview.
  expect(await page.evaluate(() => history.length)).toBe(entries);
  // spec 409
  await editor.getByRole("button", { name: "Remove shelf" }).click();
  await expect(editor.getByRole("textbox", { name: "Add a field" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("alertdialog")).toContainText("What you typed hasn't been saved.");
  await page.getByRole("button", { name: "Keep editing" }).click();
  await editor.getByRole("button", { name: "Save Template" }).click();
  await expect(editor).toBeHidden();

  await row.getByRole("button", { name: "Edit Parcel room" }).click();
  const versions = page.getByRole("region", { name: "Versions" });
  await expect(versions).toContainText("Version 2");
  await expectAccessible(page);
  await versions.getByRole("button", { name: "Compare" }).last().click();
  const compared = page.getByRole("dialog", { name: "Version 1 compared with now" });
  await expect(compared.getByText("Bring your key.").locator("xpath=self::ins")).toBeVisible();
  await expect(compared.getByRole("heading", { name: "Dynamic fields" })).toBeVisible();
  // Until the focus is in it, Escape is for the dialog below as well.
  await expect(page.locator('[role="dialog"]:focus-within').last()).toHaveAccessibleName(/compared/);
  await page.keyboard.press("Escape");
  await versions.getByRole("button", { name: "Restore" }).last().click();
  await expectToast(page, "Version 1 is back in the form", "Save the template to use it.");
  await expect(page.getByRole("textbox", { name: "Content" })).not.toContainText("Bring your key.");
  await editor.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Discard" }).click();
  await row.getByRole("button", { name: "More actions for Parcel room" }).click();
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await expectToast(page, "Template Duplicated");
  await expect(page.getByText("Showing 2 of 2 templates")).toBeVisible();
});

test("warns that a schedule uses the template before it is changed or archived", async ({ page, system }) => {
  const body = { name: "Boiler check", type: "Email", content: "Hi {{first_name}}" } as const;
  const { id } = await system.call(templates.create, { body });
  for (let save = 2; save <= 27; save++) {
    await system.call(templates.update, {
      params: { id },
      body: { ...body, content: `Hi {{first_name}} ${save}` },
    });
  }
  const schedule = await system.call(schedules.create, {
    body: { name: "Boiler day", templateId: id, recipients: ["Everyone"], time: "09:00" },
  });

  await page.goto("/templates?q=boiler");
  const row = page.getByRole("row", { name: /Boiler check/ });
  await expect(row.getByRole("link", { name: "Boiler day" })).toBeVisible();
  const usesPass = await intercept(page, "**/api/templates/*/uses", (route) =>
    route.fulfill({ status: 500, body: "The cellar is flooded" }),
  );
  await row.getByRole("button", { name: "Edit Boiler check" }).click();
  const editor = page.getByRole("dialog", { name: "Edit Template" });
  await editor.getByRole("button", { name: "See all 27" }).click();
  const versions = editor.getByRole("region", { name: "Versions" });
  await versions.getByRole("button", { name: "Next" }).click();
  await expect(versions.getByText("Version 1", { exact: true })).toBeVisible();
  await editor.getByRole("button", { name: "Plain text" }).click();
  await editor.getByRole("textbox", { name: "Content" }).fill("Hi {{first_name}}, floor {{floor}}");
  await expect(editor.getByText("We couldn't check which schedules use this template.")).toBeVisible();
  usesPass();
  await editor.getByRole("button", { name: "Retry" }).click();
  await expect(editor.getByText("Floor is new.")).toBeVisible();
  await expect(editor.getByText("The schedule “Boiler day” uses this template.")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Discard" }).click();

  const more = row.getByRole("button", { name: "More actions for Boiler check" });
  const archive = page.getByRole("menuitem", { name: "Archive" });
  await more.click();
  await expect(archive).toHaveText("Archive1 schedule uses it. Choose another template there first.");
  await archive.click({ force: true });
  await page.keyboard.press("Escape");
  await expect(row).toBeVisible();
  await system.call(schedules.remove, { params: { id: schedule.id } });
  await expect(row.getByRole("link", { name: "Boiler day" })).toBeHidden();
  await more.click();
  await archive.click();
  await expectToast(page, "Template Archived", "“Boiler check”");
  // spec 310
  await expect(page.getByText("No matching templates found")).toBeVisible();
  await page.getByRole("button", { name: "Archived" }).click();
  await more.click();
  await page.getByRole("menuitem", { name: "Restore from archive" }).click();
  await expectToast(page, "Template Restored");

  // Another test may have left an archived template.
  const none = await intercept(page, "**/api/templates?**", (route) =>
    route.fulfill({ json: [], headers: { "X-Total-Count": "0" } }),
  );
  await page.getByRole("button", { name: "Clear search" }).click();
  // spec 309
  await expect(page.getByText("No templates found")).toBeVisible();
  none();
  await withoutEvents(page);
  const pass = await intercept(page, "**/api/templates?**", flooded);
  await page.goto("/templates");
  // spec 311
  await expect(page.getByText("Error loading templates")).toBeVisible();
  pass();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(row).toBeVisible();
});

test("marks the character that makes a text message longer", async ({ page }) => {
  await page.goto("/templates");
  await page.getByRole("button", { name: "New Template" }).click();
  const dialog = page.getByRole("dialog", { name: "New Template" });
  await dialog.locator("label", { hasText: /^SMS$/ }).click();
  const content = dialog.getByRole("textbox", { name: "Content" });
  await content.fill(
    "The water won’t be back before noon, and we’ll text you when it is. Questions? Call us.",
  );
  const preview = dialog.getByRole("region", { name: "Preview" });
  await expect(preview.getByText("With plain punctuation, it takes 1 part.")).toBeVisible();
  await expect(dialog.locator("mark")).toHaveText(["’", "’"]);
  const phone = preview.locator(".light");
  await expect(phone).toBeVisible();
  await preview.getByRole("button", { name: "Dark mode" }).click();
  await expect(preview.locator(".dark")).toBeVisible();
  await preview.getByRole("button", { name: "Use plain punctuation" }).click();
  await expect(dialog.locator("mark")).toHaveCount(0);
  await expect(content).toHaveValue(/won't .* we'll/);
});
