import { readFile } from "node:fs/promises";
import { csv } from "#contract/calls/csv.ts";
import { xlsxOf } from "#server/testing/workbooks.ts";
import { expectAccessible } from "./axe.ts";
import { ComposeDialog } from "./compose-dialog.ts";
import { expect, test } from "./fixtures.ts";
import { expectStatus } from "./notification-page.ts";
import { token } from "./people.ts";
import { expectToast } from "./toast.ts";

/** A value for each person of a message, from a file. */

const mimeType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const ROWS = 300;

test("a rent reminder has each person's own amount from a file, whose wrong cells are seen before it goes out", async ({
  page,
  system,
}) => {
  const mark = token();
  const people = Array.from({ length: ROWS }, (_, n) => ({
    username: `rent.${n}.${mark}`,
    firstName: "Ann",
    lastName: `Rent${n}-${mark}`,
    email: `rent.${n}.${mark}@example.com`,
    phone: `+1555${400 + (n % 500)}${String(1000 + n)}`,
    propertyUnit: `Rent ${mark}, Unit ${n + 1}`,
  }));
  await system.call(csv.import, { body: people });
  const rows = people.map(({ lastName, propertyUnit }, n) => [
    `Ann ${lastName}`,
    propertyUnit,
    n === 10 || n === 86 ? null : { value: 1000 + n, format: '"$"#,##0.00' },
    { value: 46357, format: "14" },
  ]);
  rows[198]![1] = "Harbor View C-104";
  const buffer = xlsxOf({
    December: { rows: [["Tenant", "Unit", "Amount", "Due Date"], ...rows] },
  });

  await page.goto("/notifications");
  const compose = await new ComposeDialog(page).open();
  const title = `December rent ${mark}`;
  await compose.title.fill(title);
  await compose.message.fill("Hello {{first_name}}, your rent of {{amount}} is due on {{due_date}}.");
  for (const channel of ["Email", "SMS"] as const) await compose.channel(channel).check();
  await compose.root
    .getByLabel("Values for each person")
    .setInputFiles({ name: "Rent December.xlsx", mimeType, buffer });

  const check = page.getByRole("dialog", { name: "Check the values" });
  await expect(check.getByText("3 things to fix")).toBeVisible();
  await expect(
    check.getByText("Amount is missing in 2 rows · No home is called that in 1 row"),
  ).toBeVisible();
  await expect(check.getByRole("rowheader")).toHaveText(["Row 12", "Row 88", "Row 200"]);
  await expect(check.getByLabel("Amount in row 88")).toHaveAccessibleDescription("Missing");
  await expectAccessible(page);

  await check.getByRole("radio", { name: "Ready 297" }).check();
  await check.getByRole("button", { name: "Show the message of row 3" }).click();
  await expect(check.getByRole("heading", { name: `Row 3, as Ann Rent1-${mark} gets it` })).toBeVisible();
  const received = check.frameLocator("iframe");
  await expect(
    received.getByRole("paragraph").filter({ hasText: "your rent of $1,001.00 is due on December 1, 2026." }),
  ).toBeVisible();
  await check.getByRole("button", { name: "Next row" }).click();
  await expect(
    received.getByRole("paragraph").filter({ hasText: "your rent of $1,002.00 is due on" }),
  ).toBeVisible();
  await expect(check.getByText("3 of 297", { exact: true })).toBeVisible();

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    check.getByRole("button", { name: "Download the 3 rows" }).click(),
  ]);
  const toFix = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
  expect(toFix).toHaveLength(4);
  expect(toFix[1]).toContain("Row 12: Amount: Missing");

  await check.getByRole("button", { name: "Use 297 rows" }).click();
  await expect(compose.root.getByText("297 people, 3 rows to fix")).toBeVisible();
  await expect(compose.root.getByRole("button", { name: "Remove Rent December.xlsx" })).toHaveCount(2);
  await compose.counted("297 people, 594 messages.");
  await compose.counted("297 texts in 297 parts.");
  await expectAccessible(page);
  await compose.send.click();
  await expectToast(page, "Notification Sent");

  await page.getByRole("button", { name: "Open notification" }).click();
  await expectStatus(page, "Delivered");
  await expect(page.getByRole("main").getByText(/^Sent today at .* to Rent December\.xlsx$/)).toBeVisible();
  await page.getByRole("searchbox", { name: "Search people" }).fill(`Rent${ROWS - 1}-${mark}`);
  await expect(page.getByText("Showing 1 of 1 person")).toBeVisible();
  const message = page.getByRole("main").frameLocator("iframe");
  await expect(
    message.getByRole("paragraph").filter({ hasText: "your rent of $1,299.00 is due on December 1, 2026." }),
  ).toBeVisible();
  expect(system.mail.to(people[10]!.email)).toHaveLength(0);

  // The same again is asked about, with what was sent.
  await page
    .getByRole("link", { name: "Copy" })
    .or(page.getByRole("button", { name: "Copy" }))
    .click();
  await compose.counted("297 people, 594 messages.");
  await compose.send.click();
  const question = page.getByRole("alertdialog", { name: "Already sent" });
  await expect(question.getByText(/^297 people already got this message with the same values/)).toBeVisible();
  await expect(question.getByRole("link", { name: "See what was sent" })).toHaveAttribute(
    "href",
    new URL(page.url()).pathname,
  );
  await question.getByRole("button", { name: "Send again anyway" }).click();
  await expectToast(page, "Notification Sent");
});
