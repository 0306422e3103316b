import type { Page } from "@playwright/test";
import { csv } from "#contract/calls/csv.ts";
import { places } from "#contract/calls/places.ts";
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

/** 142 homes, 126 with a co-tenant; 12 past tenants and 9 vacant homes. Seven cells and three people need someone. */
function rentRoll(mark: string, exchange: string): Buffer {
  const phone = (n: number) => `${exchange}-${1000 + n}`;
  const homes = Array.from({ length: 142 }, (_, n): (string | null | { value: number; format: string })[] => {
    const first = `Ann${letters(n)}`;
    const email = `ann${n}.${mark}@example.com`;
    return [
      `A-${String(n + 1).padStart(3, "0")}`,
      n === 131 ? null : `Tenant${mark}, ${first}`,
      n < 126 ? `Tenant${mark}, Co${letters(n)}` : null,
      noAreaCode.includes(n)
        ? phone(n)
        : n === 20
          ? `(907) ${phone(n)}; (907) ${phone(n + 500)}`
          : `(907) ${phone(n)}`,
      n === 74 ? email.replace("example.com", "example,com") : email,
      n % 30 === 7 ? "Notice" : "Current",
      { value: 46356 + n, format: "14" },
    ];
  });
  homes[88]![1] = `Chen${mark}, Robert`;
  homes[88]![4] = `chen.${mark}@example.com`;
  homes[101]![1] = `Fam${mark}, Evelyn`;
  homes[101]![4] = `fam.${mark}@example.com`;
  homes[130]![1] = `Vance${mark}, Rae`;
  homes[130]![4] = `vance.${mark}@example.com`;
  homes[0]![0] = "00123";
  const past = homes
    .slice(30, 42)
    .map(([unit], n) => [unit!, `Past${mark}, Ann${letters(n)}`, null, null, null, "Past"]);
  const vacant = Array.from({ length: 9 }, (_, n) => [
    `B-${n + 1}`,
    "VACANT",
    null,
    null,
    null,
    "Vacant-Unrented",
  ]);
  return xlsxOf({
    "Rent Roll": {
      rows: [
        [`Rent Roll - River ${mark}`],
        ["As of: 11/26/2026"],
        [],
        ["Unit", "Tenant", "Co-Tenant", "Phone Numbers", "Emails", "Status", "Lease To"],
        ...homes,
        ...past,
        ...vacant,
        ["Total", null, null, null, null, null, 163],
      ],
    },
    Notes: { rows: [["Call the plumber"]] },
  });
}
const noAreaCode = [18, 36, 62, 97, 113];
const letters = (n: number) => "abcdefghijkl"[Math.floor(n / 12)]! + "abcdefghijkl"[n % 12]!;

test("an assistant's rent roll: titles, co-tenants and statuses are read, seven cells and three people are settled", async ({
  page,
  system,
}) => {
  const mark = token();
  const onFile = (firstName: string, family: string, email: string) => ({
    username: `${firstName.toLowerCase()}.${mark}`,
    firstName,
    lastName: `${family}${mark}`,
    email: `${email}.${mark}@example.com`,
  });
  await system.call(csv.import, {
    body: [
      onFile("Bob", "Chen", "chen"),
      onFile("Dee", "Fam", "fam"),
      onFile("Eve", "Fam", "fam"),
      onFile("Ray", "Vance", "vance"),
    ],
  });
  // A number that another test's people have would be a question of its own.
  const exchange = `${220 + Math.floor(Math.random() * 700)}`.replace(/11$/, "12");
  await choose(page, "Rent Roll.xlsx", rentRoll(mark, exchange));
  const screen = page.getByRole("dialog", { name: "Import people" });
  await expect(screen.getByText("Names are in row 4")).toBeVisible();
  await expect(screen.getByText("2 title rows skipped.")).toBeVisible();
  await expect(screen.getByRole("textbox", { name: "All of these live at" })).toHaveValue(`River ${mark}`);
  await expect(screen.getByLabel("What Co-Tenant is").locator("option:checked")).toHaveText(
    "Full name, resident 2",
  );
  await expect(screen.getByText("126 of 163 rows have one")).toBeVisible();
  await expect(screen.getByLabel("What the status Past means").locator("option:checked")).toHaveText(
    "Moved out",
  );
  await expectAccessible(page);
  await screen.getByRole("button", { name: "Check 163 rows" }).click();

  await expect(screen.getByRole("heading", { name: "7 cells to fix" })).toBeVisible();
  await expect(screen.getByText("12 past tenants, 9 vacant homes")).toBeVisible();
  await expect(screen.getByText("10 people wait for you.")).toBeVisible();
  await expectAccessible(page);
  await screen.getByLabel("Phone Numbers in row 23").fill(`(907) ${exchange}-1018`);
  await screen.getByRole("button", { name: "Apply to 4 like this" }).click();
  await expect(screen.getByRole("heading", { name: "2 cells to fix" })).toBeVisible();
  const email = screen.getByLabel("Emails in row 79");
  await email.fill(`ann74.${mark}@example.com`);
  await page.keyboard.press("Enter");
  await screen.getByLabel("Tenant in row 136").fill(`Lee${mark}, Noor`);
  await page.keyboard.press("Enter");
  await expect(screen.getByRole("heading", { name: "to fix" })).toBeHidden();
  const question = screen.getByRole("region", { name: "Is this the same person?" });
  await expect(question.getByText(`Bob Chen${mark}`).first()).toBeVisible();
  await question.getByRole("heading").click();
  await page.keyboard.press("1");
  // Everyone whom a row may be about, beside it.
  await expect(question.getByRole("columnheader")).toHaveText([/^In the file/, /Answer 1$/, /Answer 2$/]);
  await expect(question.getByRole("cell", { name: `Eve Fam${mark}` })).toBeVisible();
  await page.keyboard.press("2");
  await expect(question.getByText(`Rae Vance${mark}`).first()).toBeVisible();
  await page.keyboard.press("2");
  await expect(screen.getByText("Every row is fine. Nothing needs you.")).toBeVisible();
  await expect(screen.getByText("268 people in 142 homes")).toBeVisible();
  await screen.getByRole("button", { name: "Import 268 people" }).click();
  await expect(screen.getByRole("heading", { name: "268 people in 142 homes are up to date" })).toBeVisible();
  await expect(screen.getByRole("button", { name: /^266 moved in/ })).toBeVisible();
  await expect(screen.getByText(`was Bob Chen${mark}`)).toBeVisible();
  await expect(screen.getByText("Left out on purpose: 12 past tenants and 9 vacant homes.")).toBeVisible();
  await expectAccessible(page);
  await screen.getByRole("button", { name: "Done" }).click();

  const properties = await system.call(places.list, { query: { q: `River ${mark}` } });
  expect(properties.find(({ name }) => name === `River ${mark}`)).toMatchObject({ people: 268, homes: 142 });
  const find = async (q: string) =>
    (await system.call(users.list, { query: { q: `${q}${mark}` } })).toSorted((a, b) => a.id - b.id);
  expect(await find("Chen")).toMatchObject([{ firstName: "Robert", username: `bob.${mark}`, unit: "A-089" }]);
  expect(await find("Fam")).toMatchObject([{ firstName: "Dee" }, { firstName: "Evelyn", unit: "A-102" }]);
  expect(await find("Vance")).toMatchObject([{ firstName: "Ray" }, { firstName: "Rae", unit: "A-131" }]);
  expect(await find("ann0.")).toMatchObject([{ unit: "00123" }]);
  expect(await find("ann20.")).toMatchObject([{ phone: `+1907${exchange}1020` }]);
  expect(await find("Past")).toEqual([]);

  // It was the wrong file.
  await page.getByRole("button", { name: "Import/Export" }).click();
  await page.getByRole("menuitem", { name: "Import CSV" }).click();
  await page
    .getByRole("button", { name: /^Result of Rent Roll.xlsx/ })
    .first()
    .click();
  await screen.getByRole("button", { name: "Undo this import" }).click();
  const warning = page.getByRole("alertdialog");
  await expectAccessible(page);
  await warning.getByRole("button", { name: "Undo for 268 people" }).click();
  await expect(screen.getByRole("heading", { name: "This import was undone" })).toBeVisible();
  expect(await find("Chen")).toMatchObject([{ firstName: "Bob", unit: null }]);
  expect(await find("Fam")).toMatchObject([{ firstName: "Dee" }, { firstName: "Eve", unit: null }]);
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
