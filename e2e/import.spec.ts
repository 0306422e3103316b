import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import Papa from "papaparse";
import { csv } from "#contract/csv.ts";
import { groups } from "#contract/groups.ts";
import { users } from "#contract/users.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { moveIn, token } from "./people.ts";
import { expectToast } from "./toast.ts";

async function openWith(page: Page, text: string): Promise<Locator> {
  await page.goto("/");
  await page.getByRole("button", { name: "Import CSV" }).click();
  const dialog = page.getByRole("dialog", { name: "Import/Export CSV" });
  await choose(dialog, text);
  return dialog;
}

async function choose(dialog: Locator, text: string): Promise<void> {
  await dialog
    .locator('input[type="file"]')
    .setInputFiles({ name: "residents.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
}

/** Says what each column is, quicker than the worker that reads the rows can answer. */
async function chooseAtOnce(dialog: Locator, meanings: string[]): Promise<void> {
  await dialog.getByLabel(/^What Column/).evaluateAll(async (selects, values) => {
    for (const [place, select] of selects.entries()) {
      (select as HTMLSelectElement).value = values[place] ?? "";
      select.dispatchEvent(new Event("change", { bubbles: true }));
      // React draws before this goes on; the worker's answer comes later.
      await Promise.resolve();
    }
  }, meanings);
}

test("a messy file from another program: columns are named, rows are fixed, everybody comes in", async ({
  page,
  system,
}) => {
  const mark = token();
  const board = await system.call(groups.create, { body: { name: `Board ${mark}` } });
  const before = (await moveIn(system.call, [{ phone: "+14155550177" }])).tenants[0];
  if (!before) throw new Error("Nobody moved in");
  // No username, role or property; three headers that nobody knows; BOM, semicolons, CRLF, breaks inside quotes.
  const messy = [
    `\ufeffVorname;Surname;E-Mail Address;Handy;Apt;Remarks`,
    `Mei;Tanaka-${mark};mei.${mark}@example.com;(415) 555-0101;Elm ${mark} 4B;"Two cats,\r\none ""old"" dog"`,
    `Luis;Ortega-${mark};luis.${mark}@example.com;12;Elm ${mark} 5;`,
    `Mei;Tanaka-${mark};mei.${mark}@example.com;(415) 555-0101;Elm ${mark} 4B;twice`,
    `${before.firstName};${before.lastName};${before.email};(415) 555-0199;${before.propertyUnit};`,
    `;Silva-${mark};not-an-address;call me;;`,
  ].join("\r\n");
  const dialog = await openWith(page, messy);
  await expect(dialog.getByText(/The header firstName is missing/)).toBeVisible();
  await dialog.getByLabel("What Vorname is").selectOption("First name");
  await dialog.getByLabel("What Handy is").selectOption("Phone");
  await expect(dialog.getByText("5 of 6 imported; not Remarks")).toBeVisible();

  await dialog.getByRole("button", { name: /^Options/ }).click();
  await dialog.getByLabel("Known by").selectOption("Email address");
  await dialog.getByLabel("Add everybody to groups").fill(mark);
  await dialog.getByRole("option", { name: `Board ${mark}` }).click();
  await expect(dialog.getByText("1 person of this file exists already.")).toBeVisible();
  await expect(dialog.getByText("1 to update")).toBeVisible();
  await expect(dialog.getByText("3 to be left out")).toBeVisible();
  await expect(dialog.getByText("Phone number is too short. It needs its area code.")).toBeVisible();
  await dialog.getByText("Leave as they are").click();
  await expect(dialog.getByText("1 left as they are")).toBeVisible();
  await expectAccessible(page);
  expect(await system.call(users.list, { query: { q: `${mark}@example.com` } })).toHaveLength(0);

  await dialog.getByRole("button", { name: "Import CSV" }).click();
  await expectToast(page, "Import Incomplete", "2 rows went in, 3 left out.");
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("button", { name: "Download the rows left out" }).click(),
  ]);
  const text = await readFile(await download.path(), "utf8");
  const left = Papa.parse<Record<string, string>>(text, { header: true }).data;
  expect(left.map((row) => row["Surname"])).toEqual([`Ortega-${mark}`, `Tanaka-${mark}`, `Silva-${mark}`]);
  expect(left[0]?.["reason"]).toBe("Handy: Phone number is too short. It needs its area code.");
  expect(Object.keys(left[0] ?? {}).at(-1)).toBe("reason");

  // The choices of columns are remembered: nothing but the rows is to be fixed.
  const fixed = left
    .filter((_, place) => place !== 1)
    .map((row) => ({
      ...row,
      Vorname: row["Vorname"] || "Ana",
      "E-Mail Address": row["E-Mail Address"]?.replace("not-an-address", `ana.${mark}@example.com`),
      Handy: "(415) 555-0103",
    }));
  await dialog.getByRole("button", { name: "Import another file" }).click();
  await choose(dialog, Papa.unparse(fixed));
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

test("a file without a header loses nobody, and several groups and a role hold for all of it", async ({
  page,
  system,
}) => {
  const mark = token();
  const names = [`Pool ${mark}`, `Gate ${mark}`];
  for (const name of names) await system.call(groups.create, { body: { name } });
  const dialog = await openWith(
    page,
    `Ana\tSilva-${mark}\tana.${mark}@example.com\nBo\tAbel-${mark}\tbo.${mark}@example.com`,
  );
  await expect(dialog.getByLabel("What Column 1 is")).toBeVisible();
  await chooseAtOnce(dialog, ["firstName", "lastName", "email"]);
  await dialog.getByRole("button", { name: /^Options/ }).click();
  await dialog.getByLabel("Default role").selectOption("Staff");
  for (const name of names) {
    await dialog.getByLabel("Add everybody to groups").fill(name);
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

test("a first name that is another one is asked about: left out until somebody says that it is the same person", async ({
  page,
  system,
}) => {
  const mark = token();
  const known = { firstName: "Jon", lastName: mark, email: `${mark}@example.com`, username: mark };
  await system.call(csv.import, { body: [known] });
  const dialog = await openWith(page, `firstName,lastName,email\nJohn,${mark},${mark}@example.com`);
  await expect(dialog.getByText("known by name and contact")).toBeVisible();
  await dialog.getByRole("button", { name: /^Options/ }).click();
  await dialog.getByLabel("Known by").selectOption("Email address");

  const question = dialog.getByRole("region", { name: "Rows that would rename somebody" });
  await expect(question.getByRole("listitem")).toHaveText(`Row 2Jon ${mark} becomes John ${mark}`);
  await expect(question.getByRole("radio", { name: "Leave it out" })).toBeChecked();
  await expect(dialog.getByText("1 to be left out")).toBeVisible();
  const update = question.getByRole("radio", { name: "Update" });
  await question.getByText("Update", { exact: true }).click();
  await expect(dialog.getByText("1 to update")).toBeVisible();
  await expect(update).toBeChecked();

  // The answer was about those rows; of others it is asked anew.
  await dialog
    .getByRole("textbox", { name: "CSV Data" })
    .fill(`firstName,lastName,email\nJonathan,${mark},${mark}@example.com`);
  await expect(dialog.getByText("1 to be left out")).toBeVisible();
  await expect(update).not.toBeChecked();
  await question.getByText("Update", { exact: true }).click();
  await expect(dialog.getByText("1 to update")).toBeVisible();
  await dialog.getByRole("button", { name: "Import CSV" }).click();
  await expectToast(page, "Import Successful");
  expect(await system.call(users.list, { query: { q: mark } })).toMatchObject([{ firstName: "Jonathan" }]);
});
