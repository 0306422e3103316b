import type { Page } from "@playwright/test";
import { csv } from "#contract/calls/csv.ts";
import { users } from "#contract/calls/users.ts";
import { xlsxOf } from "#server/testing/workbooks.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { token } from "./people.ts";

const xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

async function choose(page: Page, name: string, buffer: Buffer) {
  await page.goto("/");
  await page.getByRole("button", { name: "Import CSV" }).click();
  const dialog = page.getByRole("dialog", { name: "Import/Export CSV" });
  await dialog.locator('input[type="file"]').setInputFiles({ name, mimeType: xlsx, buffer });
  return dialog;
}

test("an Excel rent roll with titles, co-tenants and statuses is checked and imported, cell by cell", async ({
  page,
  system,
}) => {
  const mark = token();
  await system.call(csv.import, {
    body: [
      { firstName: "Bob", lastName: `Chen-${mark}`, email: `chen.${mark}@example.com`, username: mark },
      {
        firstName: "Dee",
        lastName: `Fam-${mark}`,
        email: `fam.${mark}@example.com`,
        username: `dee.${mark}`,
      },
      {
        firstName: "Eve",
        lastName: `Fam-${mark}`,
        email: `fam.${mark}@example.com`,
        username: `eve.${mark}`,
      },
    ],
  });
  // A number that another test's people have would be a question of its own.
  const exchange = `${220 + Math.floor(Math.random() * 700)}`.replace(/11$/, "12");
  const homes = Array.from({ length: 12 }, (_, n) => [
    `A-${String(n + 1).padStart(3, "0")}`,
    `Tenant${mark}, Ann${"abcdefghijkl"[n]}`,
    n % 2 === 0 ? `Tenant${mark}, Co${"abcdefghijkl"[n]}` : null,
    n === 2 || n === 3 ? `${exchange}-01${n}4` : `(907) ${exchange}-01${String(n).padStart(2, "0")}`,
    n === 5 ? `ann5.${mark}@example,com` : `ann${n}.${mark}@example.com`,
    n === 7 ? "Notice" : "Current",
    { value: 46356 + n, format: "14" },
  ]);
  const file = xlsxOf({
    "Rent Roll": {
      rows: [
        [`Rent Roll - River ${mark}`],
        ["As of: 11/26/2026"],
        [],
        ["Unit", "Tenant", "Co-Tenant", "Phone Numbers", "Emails", "Status", "Lease To"],
        ...homes,
        ["00123", `Chen-${mark}, Robert`, null, null, `chen.${mark}@example.com`, "Current"],
        ["A-019", `Fam-${mark}, Evelyn`, null, null, `fam.${mark}@example.com`, "Current"],
        ["A-020", `Gone-${mark}, Ann`, null, null, null, "Past"],
        ["A-021", "VACANT", null, null, null, "Vacant-Unrented"],
        ["Total", null, null, null, null, null, 15],
      ],
    },
    Notes: { rows: [["Call the plumber"]] },
  });
  await choose(page, "Rent Roll.xlsx", file);
  const screen = page.getByRole("dialog", { name: "Import people" });
  await expect(screen.getByText("Names are in row 4")).toBeVisible();
  await expect(screen.getByText("2 title rows skipped.")).toBeVisible();
  await expect(screen.getByRole("textbox", { name: "All of these live at" })).toHaveValue(`River ${mark}`);
  await expect(screen.getByLabel("What Co-Tenant is").locator("option:checked")).toHaveText(
    "Full name, resident 2",
  );
  await expect(screen.getByLabel("What the status Past means").locator("option:checked")).toHaveText(
    "Moved out",
  );
  await expectAccessible(page);
  await screen.getByRole("button", { name: "Check 16 rows" }).click();

  await expect(screen.getByRole("heading", { name: "3 cells to fix" })).toBeVisible();
  await expect(screen.getByText("1 past tenant, 1 vacant home")).toBeVisible();
  await expectAccessible(page);
  const phone = screen.getByLabel("Phone Numbers in row 7");
  await phone.fill(`(907) ${exchange}-0124`);
  await screen.getByRole("button", { name: "Apply to 1 like this" }).click();
  await expect(screen.getByRole("heading", { name: "1 cell to fix" })).toBeVisible();
  await screen.getByLabel("Emails in row 10").fill(`ann5.${mark}@example.com`);
  await page.keyboard.press("Enter");
  await expect(screen.getByRole("heading", { name: "to fix" })).toBeHidden();
  const question = screen.getByRole("region", { name: "Is this the same person?" });
  await expect(question.getByText(`Bob Chen-${mark}`).first()).toBeVisible();
  await question.getByRole("heading").click();
  await page.keyboard.press("1");
  // Everyone whom a row may be about, beside it.
  await expect(question.getByRole("columnheader")).toHaveText([/^In the file/, /Answer 1$/, /Answer 2$/]);
  await expect(question.getByRole("cell", { name: `Eve Fam-${mark}` })).toBeVisible();
  await page.keyboard.press("2");
  await expect(screen.getByText("Every row is fine. Nothing needs you.")).toBeVisible();
  await screen.getByRole("button", { name: "Import 20 people" }).click();
  await expect(screen.getByRole("heading", { name: "20 people are up to date" })).toBeVisible();
  await expectAccessible(page);
  await screen.getByRole("button", { name: "Done" }).click();
  const found = await system.call(users.list, { query: { q: mark, pageSize: 100 } });
  expect(found).toHaveLength(21);
  expect(found.find(({ username }) => username === `eve.${mark}`)).toMatchObject({
    firstName: "Evelyn",
    unit: "A-019",
  });
  expect(found.find(({ username }) => username === mark)).toMatchObject({
    firstName: "Robert",
    property: `River ${mark}`,
    unit: "00123",
  });
  expect(found.some(({ firstName }) => firstName === "VACANT")).toBe(false);
});

test("a file that isn't a spreadsheet says so, and one that was left goes on later", async ({ page }) => {
  const dialog = await choose(page, "old.xls", Buffer.from("d0cf11e0a1b11ae1", "hex"));
  await expect(dialog.getByText(/is in the format of Excel 97–2003/)).toBeVisible();
  const name = `Roll ${token()}.xlsx`;
  const rows = [
    ["Wohnung", "Mieter"],
    ["1", "Ann Lee"],
  ];
  await dialog
    .locator('input[type="file"]')
    .setInputFiles({ name, mimeType: xlsx, buffer: xlsxOf({ S: { rows } }) });
  const screen = page.getByRole("dialog", { name: "Import people" });
  await expect(screen.getByText("Choose which column holds the names of people.")).toBeVisible();
  await screen.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Import/Export" }).click();
  await page.getByRole("menuitem", { name: "Import CSV" }).click();
  await page.getByRole("button", { name: `Continue importing ${name}` }).click();
  await screen.getByLabel("What Mieter is").selectOption("Full name");
  await expect(screen.getByRole("button", { name: "Check 1 row" })).toBeEnabled();
  await screen.getByRole("button", { name: "Remove" }).click();
  await expect(screen).toBeHidden();
});
