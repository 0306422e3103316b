import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { csv } from "#contract/calls/csv.ts";
import { groups } from "#contract/calls/groups.ts";
import { users } from "#contract/calls/users.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { flooded, intercept } from "./intercept.ts";
import { moveIn, token } from "./people.ts";
import { expectToast, expectUncovered } from "./toast.ts";

async function openDialog(page: Page): Promise<Locator> {
  await page.goto("/");
  await page.getByRole("button", { name: "Import CSV" }).click();
  const dialog = page.getByRole("dialog", { name: "Import/Export CSV" });
  await expect(dialog.getByRole("tab", { name: "Import", selected: true })).toBeVisible();
  return dialog;
}

// spec 210
test("shows the specified errors for unreadable text, keeps what was typed, and imports pasted rows", async ({
  page,
  system,
}) => {
  // spec 75
  const dialog = await openDialog(page);
  const data = dialog.getByRole("textbox", { name: "CSV Data" });
  await dialog.getByRole("button", { name: "Import CSV" }).click();
  // spec 208
  await expect(dialog.getByText("CSV data is required")).toBeVisible();
  await expectAccessible(page);
  for (const text of [
    // spec 209
    "firstName,lastName",
    // spec 211
    "firstName,lastName\nMei,Tanaka,too many",
    // spec 212
    "username,email\na,b,c",
  ]) {
    await data.fill(text);
    await dialog.getByRole("button", { name: "Import CSV" }).click();
    await expect(dialog.getByText("CSV format is invalid. Please check your data.")).toBeVisible();
    await expect(data).toHaveValue(text);
  }
  const mark = token();
  // spec 144, 146
  await data.fill(
    `username,email,firstName,lastName,phone,role,propertyUnit\r\n${mark}.one,${mark}@example.com,"Ana, ""Nana""",O'Neil-${mark},,tenant,"Elm House, Unit 3"\r\n`,
  );
  await expect(dialog.getByText("1 new")).toBeVisible();
  await dialog.getByRole("button", { name: "Import CSV" }).click();
  // spec 244, 260
  await expectToast(page, "Import Successful", "User data has been imported successfully.");
  await expect(dialog.getByText("1 person added.")).toBeVisible();
  const [ana] = await system.call(users.list, { query: { q: mark } });
  expect(ana).toMatchObject({ firstName: 'Ana, "Nana"', lastName: `O'Neil-${mark}` });
});

test("lets you fix a bad cell in place, hands back a duplicate row, and shows a new name before importing it", async ({
  page,
  system,
}) => {
  const mark = token();
  const dialog = await openDialog(page);
  const data = dialog.getByRole("textbox", { name: "CSV Data" });
  await data.fill(`firstName,lastName,phone\nMei,Good-${mark},\nLuis,Bad-${mark},12345`);
  await expect(dialog.getByText("1 to be left out")).toBeVisible();
  await dialog.getByRole("button", { name: "Import CSV" }).click();
  await expectToast(page, "Import Incomplete", "1 row imported. 1 row needs fixing.");
  await dialog.getByRole("button", { name: "Fix them here" }).click();
  await expect(data).toHaveValue(new RegExp(`Luis,Bad-${mark},`));
  await expect(data).not.toHaveValue(/Mei/);
  await data.fill(`firstName,lastName,phone\nLuis,Bad-${mark},(415) 555-0123`);
  await expect(dialog.getByText("1 new")).toBeVisible();
  await dialog.getByRole("button", { name: "Import CSV" }).click();
  await expectToast(page, "Import Successful");
  expect(await system.call(users.list, { query: { q: mark } })).toHaveLength(2);

  await dialog.getByRole("button", { name: "Import another file" }).click();
  const twice = token();
  await data.fill(`username,firstName,lastName\n${twice},Mei,First\n${twice},Luis,Second`);
  await expect(dialog.getByText("remove 1 row about someone in an earlier row")).toBeVisible();
  await dialog.getByRole("button", { name: "Import CSV" }).click();
  await expectToast(page, "Import Incomplete", "1 row imported. 1 row needs fixing.");
  expect(await system.call(users.list, { query: { q: twice } })).toMatchObject([{ lastName: "First" }]);

  await dialog.getByRole("button", { name: "Fix them here" }).click();
  await expect(data).toHaveValue(
    /^reason,username,firstName,lastName\s+username: Row 2 has the same username,/,
  );
  const renamed = dialog.getByRole("region", { name: "People whose name changes" });
  await expect(renamed.getByRole("listitem")).toHaveText("Row 2Mei First becomes Luis Second");
  await dialog.getByRole("button", { name: "Import CSV" }).click();
  await expectToast(page, "Import Successful");
  expect(await system.call(users.list, { query: { q: twice } })).toMatchObject([{ lastName: "Second" }]);
});

test("reads a Mac's rent roll, in another encoding if someone says so, without those who don't live there", async ({
  page,
  system,
}) => {
  const mark = token();
  const board = await system.call(groups.create, { body: { name: `Board ${mark}` } });
  const dialog = await openDialog(page);
  // Mac Roman, as Excel for Mac saves it: é, ñ and ü.
  const rows = [
    "Unit,Tenant,Tenant Status",
    `1,Jos\x8e ${mark}-Mu\x96oz,Current`,
    `2,J\x9frgen ${mark},Past`,
    "3,VACANT,",
  ];
  const buffer = Buffer.from(`${rows.join("\r")}\r`, "latin1");
  await dialog
    .locator('input[type="file"]')
    .setInputFiles({ name: "rent_roll.csv", mimeType: "text/csv", buffer });
  const screen = page.getByRole("dialog", { name: "Import people" });
  const encoding = screen.getByRole("combobox", { name: "Encoding" });
  await expect(encoding).toHaveValue("macintosh");
  await encoding.selectOption("Western European (Windows-1252)");
  await expect(screen.getByText(/Some words look garbled, such as “JosŽ”/)).toBeVisible();
  await encoding.selectOption("Western European (Mac)");
  await expect(screen.getByText(/look garbled/)).toBeHidden();
  await expect(screen.getByLabel("What the status Past means").locator("option:checked")).toHaveText(
    "Moved out",
  );
  await screen.getByRole("button", { name: /^Options/ }).click();
  await screen.getByLabel("Add everyone to groups").fill(mark);
  await screen.getByRole("option", { name: `Board ${mark}` }).click();
  await expectAccessible(page);
  await screen.getByRole("button", { name: "Check 3 rows" }).click();
  await screen.getByRole("button", { name: "Import 1 person" }).click();
  await expect(screen.getByRole("button", { name: "Done" })).toBeVisible();
  expect(await system.call(groups.members, { params: { id: board.id } })).toHaveLength(1);
  const found = await system.call(users.list, { query: { q: mark } });
  expect(found.map(({ firstName, lastName }) => [firstName, lastName])).toEqual([["José", `${mark}-Muñoz`]]);
});

test("Import CSV waits for the check and shows its result before importing", async ({ page, system }) => {
  const mark = token();
  const dialog = await openDialog(page);
  const data = dialog.getByRole("textbox", { name: "CSV Data" });
  const button = dialog.getByRole("button", { name: "Import CSV" });
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/api/csv/check**", async (route) => {
    await held;
    await route.continue();
  });
  await data.fill(`firstName,lastName,phone\nMei,${mark},\nLuis,${mark},12`);
  await button.click();
  await expect(button).toBeDisabled();
  release();
  await expect(dialog.getByText("1 to be left out")).toBeVisible();
  await expect(dialog.getByRole("region", { name: "What will be imported" })).toBeFocused();
  expect(await system.call(users.list, { query: { q: mark } })).toEqual([]);
  // There is nothing to decide, so the click that waited for the check imports.
  await data.fill(`firstName,lastName\nMei,${mark}`);
  await button.click();
  await expectToast(page, "Import Successful");
  expect(await system.call(users.list, { query: { q: mark } })).toHaveLength(1);
});

test("lets you repeat a failed check, imports nothing unchecked, and says when the import fails", async ({
  page,
}) => {
  const dialog = await openDialog(page);
  const pass = await intercept(page, "**/api/csv/check**", flooded);
  await dialog.getByRole("textbox", { name: "CSV Data" }).fill(`firstName,lastName\nMei,Tanaka-${token()}`);
  await expect(dialog.getByText("We couldn't check these rows. 500: The cellar is flooded")).toBeVisible();
  // It checks once more, and must not pass yet.
  const checked = page.waitForResponse("**/api/csv/check**");
  await dialog.getByRole("button", { name: "Import CSV" }).click();
  await checked;
  await expect(dialog.getByRole("button", { name: "Check again" })).toBeVisible();
  pass();
  await dialog.getByRole("button", { name: "Check again" }).click();
  await expect(dialog.getByText("1 new")).toBeVisible();
  await page.route("**/api/csv/import**", flooded);
  await dialog.getByRole("button", { name: "Import CSV" }).click();
  // spec 259
  await expectToast(page, "Import Failed", "The cellar is flooded");
});

for (const [width, height] of [
  [1280, 900],
  [1024, 700],
  [390, 844],
] as const) {
  test(`a toast covers no button of the open dialog at ${width}x${height}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    const dialog = await openDialog(page);
    const rows = Array.from({ length: 30 }, (_, n) => `Mei,Tanaka-${token()},${n}`);
    await dialog
      .getByRole("textbox", { name: "CSV Data" })
      .fill(`firstName,lastName,phone\nMei,Good-${token()},\n${rows.join("\n")}`);
    await expect(dialog.getByText("30 to be left out")).toBeVisible();
    await dialog.getByRole("button", { name: "Import CSV" }).click();
    await expectToast(page, "Import Incomplete");
    const done = dialog.getByRole("button", { name: "Done" });
    await expectUncovered(page, done);
    await done.click();
    await expect(dialog).toBeHidden();
  });
}

test("copies and downloads the export, and importing it changes nothing", async ({
  page,
  context,
  system,
}) => {
  await moveIn(system.call, [
    { firstName: "=SUM(1)", propertyUnit: "Elm, House / 3" },
    { firstName: "+Plus", phone: "" },
    { firstName: "-Minus", email: "" },
    { firstName: "أميرة", lastName: `Zoë 🏡 ${token()}` },
    { firstName: '"Quoted"', lastName: `'Apostrophe ${token()}` },
  ]);
  const before = await system.call(csv.export);
  const dialog = await openDialog(page);
  await dialog.getByRole("tab", { name: "Export" }).click();
  const text = dialog.getByRole("textbox", { name: "CSV Data" });
  await expect(text).toHaveValue(/^username,email,firstName,lastName,phone,role,propertyUnit\r?\n/);
  // spec 150
  await expect(text).toHaveAttribute("readonly");
  await expectAccessible(page);
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: system.server.url });
  await dialog.getByRole("button", { name: "Copy to Clipboard" }).click();
  // spec 153, 262
  await expectToast(page, "Copied!", "CSV data copied to clipboard");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("ada.owner@example.com");
  await page.evaluate(() => {
    const refuse = () => Promise.reject(new Error("refused"));
    Object.assign(navigator.clipboard, { writeText: refuse, write: refuse });
    document.execCommand = () => false;
  });
  await dialog.getByRole("button", { name: "Copy to Clipboard" }).click();
  // spec 263
  await expectToast(page, "Copy Failed", "Could not copy text to clipboard");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    // spec 154
    dialog.getByRole("button", { name: "Download CSV" }).click(),
  ]);
  // spec 155
  expect(download.suggestedFilename()).toBe("users_export.csv");
  const file = await readFile(await download.path());
  // No cell starts with something a spreadsheet would calculate. Phone numbers get no apostrophe.
  expect(file.toString("utf8")).not.toMatch(/(^|,|\n)"?(?!\+\d+[,"])[=+@-]/);
  expect(file.toString("utf8")).toContain(",+1555");

  await dialog.getByRole("tab", { name: "Import" }).click();
  await dialog
    .locator('input[type="file"]')
    .setInputFiles({ name: "users_export.csv", mimeType: "text/csv", buffer: file });
  const screen = page.getByRole("dialog", { name: "Import people" });
  await screen.getByRole("button", { name: `Check ${before.length} rows` }).click();
  await screen.getByRole("button", { name: `Import ${before.length} people` }).click();
  await expect(screen.getByRole("button", { name: "Done" })).toBeVisible();
  expect(await system.call(csv.export)).toEqual(before);
});
