import { expect, test } from "./fixtures.ts";

test("a template is written with a field, saved as a version, changed and found again", async ({ page }) => {
  await page.goto("/templates");
  await page.getByRole("button", { name: "New Template" }).click();
  const dialog = page.getByRole("dialog", { name: "New Template" });
  await dialog.getByRole("button", { name: "Create Template" }).click();
  await expect(dialog.getByText("Template name is required")).toBeVisible();
  await expect(dialog.getByText("Content is required")).toBeVisible();

  await dialog.getByRole("textbox", { name: "Template name" }).fill("Parcel room");
  await dialog.getByRole("textbox", { name: "Content" }).click();
  await page.keyboard.type("Dear ");
  await dialog.getByRole("button", { name: "Insert field", exact: true }).click();
  await page.getByRole("menuitem", { name: /First name/ }).click();
  await page.keyboard.type(", a parcel is waiting.");
  await expect(dialog.getByRole("button", { name: "Remove first name from the text" })).toBeVisible();
  await dialog.getByRole("textbox", { name: "Add a field" }).fill("Shelf");
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Plain text" }).click();
  await expect(dialog.getByRole("textbox", { name: "Content" })).toHaveValue(
    "Dear {{first_name}}, a parcel is waiting.",
  );
  await dialog.getByRole("button", { name: "Create Template" }).click();
  await expect(dialog).toBeHidden();

  await page.getByRole("searchbox", { name: "Search templates" }).fill("parcel");
  const row = page.getByRole("row", { name: /Parcel room/ });
  await expect(row).toContainText("shelf");
  await expect(page).toHaveURL(/q=parcel/);

  await row.getByRole("button", { name: "Edit Parcel room" }).click();
  const editor = page.getByRole("dialog", { name: "Edit Template" });
  await editor.getByRole("textbox", { name: "Content" }).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" Bring your key.");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("alertdialog")).toContainText("What you typed has not been saved.");
  await page.getByRole("button", { name: "Keep editing" }).click();
  await editor.getByRole("button", { name: "Save Template" }).click();
  await expect(editor).toBeHidden();

  await row.getByRole("button", { name: "Edit Parcel room" }).click();
  const versions = page.getByRole("region", { name: "Versions" });
  await expect(versions).toContainText("Version 2");
  await versions.getByRole("button", { name: "Restore" }).last().click();
  await expect(page.getByRole("textbox", { name: "Content" })).not.toContainText("Bring your key.");
});
