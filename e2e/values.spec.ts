import { readFile } from "node:fs/promises";
import { csv } from "#contract/calls/csv.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { xlsxOf } from "#server/testing/workbooks.ts";
import { expectAccessible } from "./axe.ts";
import { ComposeDialog } from "./compose-dialog.ts";
import { expect, test } from "./fixtures.ts";
import { expectStatus, openEditor } from "./notification-page.ts";
import { moveIn, token } from "./people.ts";
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

test("cells are corrected in place, a row finds who it is for, and a saved message keeps its file or loses it", async ({
  page,
  system,
}) => {
  const { name, tenants } = await moveIn(system.call, [{}, {}, {}]);
  const [mei, luis, dana] = tenants;
  const rows = [
    [mei?.email, "1,200"],
    [luis?.email, "soon"],
    [luis?.email, "1,300"],
    [`nobody.${name.slice(-6)}@example.com`, "1,400"],
  ];
  const csvText = ["Email,Amount", ...rows.map(([email, amount]) => `${email},"${amount}"`)].join("\r\n");
  await page.goto("/notifications");
  const compose = await new ComposeDialog(page).open();
  const title = `Balance ${token()}`;
  await compose.title.fill(title);
  await compose.message.fill("You owe {{amount}}.");
  await compose.channel("Email").check();
  await compose.root
    .getByLabel("Values for each person")
    .setInputFiles({ name: "Owed.csv", mimeType: "text/csv", buffer: Buffer.from(csvText) });

  const check = page.getByRole("dialog", { name: "Check the values" });
  await expect(check.getByText("3 things to fix")).toBeVisible();
  await check.getByRole("button", { name: "Change columns" }).click();
  await expect(check.getByLabel("How Amount is written")).toHaveValue("amount");
  await expectAccessible(page);
  await check.getByRole("button", { name: "Done" }).click();
  // Enter saves and goes to the next cell.
  await check.getByLabel("Amount in row 3").fill("1,250.5");
  await page.keyboard.press("Enter");
  await expect(check.getByLabel("Email in row 4")).toBeFocused();
  await expect(check.getByText("2 things to fix")).toBeVisible();
  await check.getByLabel("Email in row 5").fill(dana?.email ?? "");
  await check.getByRole("heading", { name: "Check the values" }).click();
  await expect(check.getByText("1 thing to fix")).toBeVisible();
  await check.getByRole("button", { name: "Leave out row 4" }).click();
  await expect(check.getByText("Nothing to fix")).toBeVisible();
  await expect(check.getByText("3 rows can be sent. You left out 1 row.")).toBeVisible();
  await check.getByRole("button", { name: "Use 3 rows" }).click();
  await compose.counted("3 people, 3 messages.");

  // A file is for one message.
  await compose.choose("Recurring");
  await expect(compose.root.getByText(/^A file’s values are for one message/)).toBeVisible();
  await compose.choose("Send immediately");
  await compose.root.getByRole("button", { name: "More options" }).click();
  await page.getByRole("menuitem", { name: "Save as draft" }).click();
  await expectToast(page, "Draft Saved");

  const [draft] = await system.call(notifications.list, { query: { q: title } });
  const edit = await openEditor(page, draft!.id);
  await edit.getByRole("button", { name: "View", exact: true }).click();
  await expect(check.getByText(/^A message has these values/)).toBeVisible();
  await expectAccessible(page);
  await check.getByRole("button", { name: "Back to message" }).click();
  await edit.getByRole("button", { name: "Remove Owed.csv" }).first().click();
  await expect(edit.getByText("These details are the same for everyone.")).toBeVisible();
  await expect(edit.getByRole("button", { name: "Remove Owed.csv" })).toHaveCount(0);
  await edit.getByRole("button", { name: "Save Changes" }).click();
  await expectToast(page, "Notification updated");
  const saved = await system.call(notifications.detail, { params: { id: draft!.id } });
  expect(saved).toMatchObject({ values: null, audience: [] });
});
