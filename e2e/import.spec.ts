import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import Papa from "papaparse";
import { audit } from "#contract/calls/audit.ts";
import { csv } from "#contract/calls/csv.ts";
import { groups } from "#contract/calls/groups.ts";
import { users } from "#contract/calls/users.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { moveIn, token } from "./people.ts";
import { expectToast } from "./toast.ts";

async function openWith(page: Page, text: string): Promise<Locator> {
  await page.goto("/");
  await page.getByRole("button", { name: "Import CSV" }).click();
  const dialog = page.getByRole("dialog", { name: "Import/Export CSV" });
  await paste(dialog, text);
  return dialog;
}

async function paste(dialog: Locator, text: string): Promise<void> {
  await dialog.getByRole("textbox", { name: "CSV Data" }).fill(text);
}

/** Sets the meaning of each column faster than the worker that reads the rows can answer. */
async function chooseColumnsQuickly(dialog: Locator, meanings: string[]): Promise<void> {
  await dialog.getByLabel(/^What Column/).evaluateAll(async (selects, values) => {
    for (const [place, select] of selects.entries()) {
      (select as HTMLSelectElement).value = values[place] ?? "";
      select.dispatchEvent(new Event("change", { bubbles: true }));
      // React renders before this continues. The worker's answer comes later.
      await Promise.resolve();
    }
  }, meanings);
}

test("imports a messy file from another program after choosing columns and fixing rows", async ({
  page,
  system,
}) => {
  const mark = token();
  const board = await system.call(groups.create, { body: { name: `Board ${mark}` } });
  const before = (await moveIn(system.call, [{ phone: "+14155550177" }])).tenants[0];
  if (!before) throw new Error("No tenant was created");
  // No username, role or property, three unknown headers, BOM, semicolons, CRLF, and line breaks inside quotes.
  const messy = [
    `\ufeffVorname;Surname;E-Mail Address;Handy;Apt;Remarks`,
    `Mei;Tanaka-${mark};mei.${mark}@example.com;(415) 555-0101;Elm ${mark} 4B;"Two cats,\r\none ""old"" dog"`,
    `Luis;Ortega-${mark};luis.${mark}@example.com;12;Elm ${mark} 5;`,
    `Mei;Tanaka-${mark};mei.${mark}@example.com;(415) 555-0101;Elm ${mark} 4B;twice`,
    `${before.firstName};${before.lastName};${before.email};(415) 555-0199;${before.propertyUnit};`,
    `;Silva-${mark};not-an-address;call me;;`,
  ].join("\r\n");
  const dialog = await openWith(page, messy);
  await dialog.getByRole("button", { name: "Import CSV" }).click();
  await expect(dialog.getByText(/The column firstName is missing/)).toBeVisible();
  await dialog.getByLabel("What Vorname is").selectOption("First name");
  await dialog.getByLabel("What Handy is").selectOption("Phone");
  await expect(dialog.getByText("5 of 6 imported, not Remarks")).toBeVisible();

  await dialog.getByRole("button", { name: /^Options/ }).click();
  await dialog.getByLabel("Add everyone to groups").fill(mark);
  await dialog.getByRole("option", { name: `Board ${mark}` }).click();
  await expect(dialog.getByText("1 person in this file already exists.")).toBeVisible();
  await expect(dialog.getByText("1 to update")).toBeVisible();
  await expect(dialog.getByText("3 to be left out")).toBeVisible();
  await expect(dialog.getByText("Phone number is too short. It needs its area code.")).toBeVisible();
  await dialog.getByText("Don't change").click();
  await expect(dialog.getByText("1 not changed")).toBeVisible();
  await expectAccessible(page);
  expect(await system.call(users.list, { query: { q: `${mark}@example.com` } })).toHaveLength(0);

  await dialog.getByRole("button", { name: "Import CSV" }).click();
  await expectToast(page, "Import Incomplete", "2 rows imported. 3 rows need fixing.");
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("button", { name: "Download the rows left out" }).click(),
  ]);
  const text = await readFile(await download.path(), "utf8");
  const left = Papa.parse<Record<string, string>>(text, { header: true }).data;
  expect(left.map((row) => row["Surname"])).toEqual([`Ortega-${mark}`, `Tanaka-${mark}`, `Silva-${mark}`]);
  expect(left[0]?.["reason"]).toBe("Handy: Phone number is too short. It needs its area code.");
  expect(Object.keys(left[0] ?? {})[0]).toBe("reason");

  // The rejected rows come back with our own column names, so only the rows need fixing.
  const fixed = left
    .filter((_, place) => place !== 1)
    .map((row) => ({
      ...row,
      firstName: row["firstName"] || "Ana",
      "E-Mail Address": row["E-Mail Address"]?.replace("not-an-address", `ana.${mark}@example.com`),
      phone: "(415) 555-0103",
    }));
  await dialog.getByRole("button", { name: "Import another file" }).click();
  await paste(dialog, Papa.unparse(fixed));
  await expect(dialog.getByText("2 new")).toBeVisible();
  await dialog.getByRole("button", { name: "Import CSV" }).click();
  await expectToast(page, "Import Successful", "User data has been imported successfully.");

  const people = await system.call(users.list, { query: { q: mark, sort: "name" } });
  expect(people.map(({ firstName }) => firstName).toSorted()).toEqual(["Ana", "Luis", "Mei"]);
  const members = await system.call(groups.members, { params: { id: board.id } });
  expect(members.map(({ firstName }) => firstName).toSorted()).toEqual(["Ana", "Luis", "Mei"]);
  const [left0] = await system.call(users.list, { query: { q: before.email } });
  expect(left0?.phone).toBe("+14155550177");
});

test("imports a file without a header, with groups and a role for every row", async ({ page, system }) => {
  const mark = token();
  const names = [`Pool ${mark}`, `Gate ${mark}`];
  for (const name of names) await system.call(groups.create, { body: { name } });
  const dialog = await openWith(
    page,
    `Ana\tSilva-${mark}\tana.${mark}@example.com\nBo\tAbel-${mark}\tbo.${mark}@example.com`,
  );
  await expect(dialog.getByLabel("What Column 1 is")).toBeVisible();
  await chooseColumnsQuickly(dialog, ["firstName", "lastName", "email"]);
  await dialog.getByRole("button", { name: /^Options/ }).click();
  await dialog.getByLabel("Default role").selectOption("Staff");
  for (const name of names) {
    await dialog.getByLabel("Add everyone to groups").fill(name);
    await dialog.getByRole("option", { name }).click();
  }
  await expect(dialog.getByText("2 new")).toBeVisible();
  await dialog.getByRole("button", { name: "Import CSV" }).click();
  await expectToast(page, "Import Successful");
  const people = await system.call(users.list, { query: { q: mark } });
  expect(people.map(({ role, email }) => [role, email])).toEqual([
    ["staff", `bo.${mark}@example.com`],
    ["staff", `ana.${mark}@example.com`],
  ]);
  for (const group of await system.call(groups.list, { query: { q: mark } })) {
    expect(group.userCount).toBe(2);
  }
});

test("imports a property system's rent roll as it is, and lets a manager decide about unclear rows", async ({
  page,
  system,
}) => {
  const mark = token();
  const known = { firstName: "Jon", lastName: mark, email: `${mark}@example.com`, username: mark };
  await system.call(csv.import, { body: [known] });
  const roll = [
    "Property Name,Unit,Resident 1,Resident 1 Email,Resident 1 Mobile Phone #,Resident 2,Status,Role",
    `Elm ${mark},1,"${mark}, John",${mark}@example.com,(415) 555-0111,,Current,Owner`,
    `Elm ${mark},2,Mei ${mark},mei.${mark}@example.com,,"${mark}, Luis",Current,`,
    `Elm ${mark},3,Ana & Bo ${mark},,,,Current,`,
  ].join("\n");
  const dialog = await openWith(page, roll);
  await expect(dialog.getByText("8 of 8 imported")).toBeVisible();
  await expect(dialog.getByText("4 people", { exact: true })).toBeVisible();
  await expect(dialog.getByText("2 new")).toBeVisible();
  await expect(dialog.getByText("2 to be left out")).toBeVisible();
  await expect(dialog.getByText("Unknown role “Owner”. People with this role become tenants.")).toBeVisible();
  await expect(dialog.getByText("Enter one person's first and last name")).toBeVisible();
  const people = dialog.getByRole("table", { name: "First people in the file" });
  await expect(people.getByRole("cell", { name: `Luis ${mark}` })).toBeVisible();
  const undecided = dialog.getByRole("region", { name: "People you need to decide about" });
  await expect(undecided.getByRole("listitem")).toContainText(
    `This email is on file for Jon ${mark}. Is John ${mark} the same person?`,
  );
  await expectAccessible(page);
  await undecided.getByLabel("Decision for row 2").selectOption(`Update Jon ${mark}`);
  await expect(dialog.getByText("1 to update")).toBeVisible();
  await expect(dialog.getByText("3 of 4 people to import")).toBeVisible();
  await dialog.getByRole("button", { name: "Import CSV" }).click();
  await expectToast(page, "Import Incomplete", "3 people imported. 1 row needs fixing.");
  const found = await system.call(users.list, { query: { q: mark, sort: "name" } });
  expect(found.map(({ firstName, username, unit }) => [firstName, unit, username === mark])).toEqual([
    ["John", "1", true],
    ["Luis", "2", false],
    ["Mei", "2", false],
  ]);
});

test("lets a manager decide about all unclear rows at once", async ({ page, system }) => {
  const mark = token();
  // More than a page, and only the first and the last under the same name with another address.
  const people = Array.from({ length: 22 }, (_, n) => ({
    firstName: `Ana${n}`,
    lastName: mark,
    email: `ana${n}.${mark}@example.com`,
    phone: `(415) 555-01${String(n).padStart(2, "0")}`,
  }));
  await system.call(csv.import, { body: people });
  const file = people.map((person, n) => ({
    ...person,
    ...(n === 0 || n === 21 ? { email: `new.${person.email}` } : { lastName: `${mark}-berg` }),
  }));
  const dialog = await openWith(page, `${Papa.unparse(file)}\nDee,${mark}`);
  await expect(dialog.getByText("22 people may already be on file.")).toBeVisible();
  await expect(dialog.getByText("They'll be left out unless you decide.")).toBeVisible();
  const forAll = dialog.getByLabel("Decide for all of them");
  await forAll.selectOption("Update where the name matches (2)");
  await expect(forAll.locator("option:checked")).toHaveText("Update where the name matches (2)");
  await expect(dialog.getByText("2 to update")).toBeVisible();
  await expect(dialog.getByText("20 people will be left out unless you decide.")).toBeVisible();
  await expect(dialog.getByText("Showing 20 of 22 people")).toBeVisible();
  await dialog.getByRole("button", { name: "Next" }).click();
  await expect(dialog.getByLabel("Decision for row 22")).toBeFocused();
  await expect(dialog.getByLabel("Decision for row 23").locator("option:checked")).toHaveText(
    `Update Ana21 ${mark}`,
  );
  await expectAccessible(page);
  await forAll.selectOption("Leave all out");
  await expect(forAll.locator("option:checked")).toHaveText("Leave all out");
  await dialog.getByLabel("Decision for row 22").selectOption(`Update Ana20 ${mark}`);
  await dialog.getByLabel("Decision for row 23").selectOption(`Update Ana21 ${mark}`);
  await expect(forAll.locator("option:checked")).toHaveText("Decide for all…");
  // Until the short row is left out, nothing goes in, and the button leads to the box.
  const box = dialog.getByRole("checkbox", { name: "Leave out 1 row with a different number of cells" });
  await expect(dialog.getByText("0 of 23 rows to import")).toBeVisible();
  await dialog.getByRole("button", { name: "Import CSV" }).click();
  await expect(box).toBeFocused();
  await box.check();
  await expect(dialog.getByText("2 to update")).toBeVisible();
  await system.confirmSessions(11);
  await dialog.getByRole("button", { name: "Import CSV" }).click();
  const question = page.getByRole("dialog", { name: "Confirm it's you" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await expectToast(page, "Nothing was imported", "You didn't enter your password.");
  // What was decided is still there.
  await expect(dialog.getByText("2 to update")).toBeVisible();
  await dialog.getByRole("button", { name: "Import CSV" }).click();
  await question.getByLabel("Current password").fill(system.accounts.admin.password);
  await question.getByRole("button", { name: "Confirm" }).click();
  await expectToast(page, "Import Complete", "2 rows imported, 21 left out as you chose.");
  await expect(dialog.getByText("2 people updated, 21 left out.")).toBeVisible();
  const recorded = await system.call(audit.list, { query: { kind: "people" } });
  expect(recorded.map(({ note }) => note)).toContain("0 added and 2 updated. 21 rows left out.");
  expect(await system.call(users.list, { query: { q: `${mark}-berg` } })).toMatchObject([
    { firstName: "Ana20" },
  ]);
  expect(await system.call(users.list, { query: { q: `new.ana21.${mark}` } })).toHaveLength(1);
});
