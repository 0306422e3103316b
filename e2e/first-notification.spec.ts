import { readFile } from "node:fs/promises";
import Papa from "papaparse";
import { expectAccessible } from "./axe.ts";
import { ComposeDialog } from "./compose-dialog.ts";
import { pdf, png } from "./files.ts";
import { expect, freshTest as test } from "./fixtures.ts";
import { flooded, intercept } from "./intercept.ts";
import type { Mail } from "./mail-sink.ts";
import { expectToast } from "./toast.ts";

const people = `username,email,firstName,lastName,phone,role,propertyUnit
mei.tanaka,mei@example.com,Mei,Tanaka,(415) 555-0101,tenant,Maple Court 4B
luis.ortega,luis@example.com,"Luis ""Lucho""",Ortega,+1 415 555 0102,tenant,"Maple Court, Unit 5"
dana.whitfield,,Dana,Whitfield,,tenant,Maple Court 14
bad.address,not-an-address,Bo,Adair,,tenant,Maple Court 15
zoe.muller,zoe@example.com,Zoë,Müller-Østergård,,tenant,Harbor House 2
`;

const plan = png("pipe plan.png");
const rules = pdf("Wasser & Wärme.pdf", "House rules");
const title = "Water shut-off on Thursday – bitte beachten";
const message = "Hello {{first_name}},\n\nthe water in {{property_name}} is off from 9 to 11 AM.";

test.use({ timezoneId: "America/Los_Angeles" });

test("from an empty machine to a delivered notification", async ({ page, system }) => {
  // spec 71
  await test.step("the first account becomes the administrator", async () => {
    await page.goto("/");
    await expect(page.getByRole("heading", { name: "Set up Porchlight" })).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel("First name").fill("Ada");
    await page.getByLabel("Last name").fill("Owner");
    await page.getByLabel("Username").fill("ada.owner");
    await page.getByLabel("Email").fill("ada.owner@example.com");
    await page.getByLabel("Password", { exact: true }).fill("password");
    await page.getByLabel("Confirm password").fill("password");
    await page.getByRole("button", { name: "Create Account" }).click();
    await expect(
      page.getByText(/Password must contain at least one special character|commonly used/),
    ).toBeVisible();
    await page.getByLabel("Password", { exact: true }).fill("porch-light-at-dusk");
    await page.getByLabel("Confirm password").fill("porch-light-at-dusk");
    await page.getByRole("button", { name: "Create Account" }).click();
    await expectToast(page, "Account created", "Welcome, Ada. You're the administrator now.");
  });

  await test.step("three questions have proposed answers, and wait on the dashboard if they are skipped", async () => {
    await expect(page.getByRole("heading", { name: "Welcome, Ada" })).toBeVisible();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Ada Owner");
    await expect(page.getByLabel("Country")).toHaveValue("US");
    await expect(page.getByLabel("Time zone")).toHaveValue("America/Los Angeles");
    await expect(page.getByLabel("Reply address")).toHaveValue("ada.owner@example.com");
    await page.getByRole("link", { name: "Skip for now" }).click();
    await expect(page.getByRole("heading", { name: "Dashboard" })).toBeVisible();
    // The mail server is set up already.
    await expect(page.getByText("3 of 4 to go")).toBeVisible();
    await expect(page.getByRole("link", { name: "Add a person" })).toHaveAttribute("href", "/users?open=new");
    // On a new system there is nothing to count or to list.
    await expect(page.getByText("Active Templates")).toBeHidden();
    await expect(page.getByText("No notifications found")).toBeHidden();
    await expectAccessible(page);

    await page.getByRole("link", { name: "Answer three questions" }).click();
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("");
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByText("Name is required")).toBeVisible();
    await expect(name).toBeFocused();
    const seen = page.getByRole("region", { name: "What tenants will see" });
    const letter = page.frameLocator('iframe[title="Sample email: Elevator maintenance on Friday"]');
    await expect(letter.getByText("Hello Luis,", { exact: true })).toBeVisible();
    await name.fill("Oak Court");
    await expect(letter.getByText("Your team at Oak Court")).toBeVisible();
    await expect(seen.getByText("Oak Court: The elevator in Building A is out of service")).toBeVisible();
    await page.getByLabel("Add a logo").setInputFiles(png("logo.png"));
    await expect(letter.locator("img")).toHaveAttribute("src", /^data:image\/png/);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Continue" }).click();
    await expectToast(page, "Settings Updated", "Tenants know you as Oak Court.");
    await expect(page.getByText("2 of 4 to go")).toBeVisible();
    await expect(page.getByRole("link", { name: "Oak Court, dashboard" })).toBeVisible();
    await page.goto("/welcome");
    // Once is enough.
    await expect(page.getByRole("heading", { name: "Dashboard" })).toBeVisible();
    await page.goto("/settings");
    await expect(page.getByLabel("Time zone")).toHaveValue("America/Los Angeles");
    await page.getByRole("link", { name: "Dashboard", exact: true }).click();

    const pass = await intercept(page, "**/api/dashboard/first-steps/close", flooded);
    await page.getByRole("button", { name: "Dismiss", exact: true }).click();
    await expectToast(page, "Error", "The cellar is flooded");
    pass();
    await page.goto("/notifications");
    // spec 114
    await expect(page.getByText("No notifications found")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Dashboard", exact: true }).click();
  });

  await test.step("people come in, pasted from a file, and a bad row is named and handed back", async () => {
    await page.getByRole("button", { name: "Import CSV" }).click();
    const dialog = page.getByRole("dialog", { name: "Import/Export CSV" });
    await dialog.getByRole("textbox", { name: "CSV Data" }).fill(people);
    await expect(dialog.getByText("4 new")).toBeVisible();
    await expect(dialog.getByText("1 to be left out")).toBeVisible();
    await dialog.getByRole("button", { name: "Import CSV" }).click();
    await expectToast(page, "Import Incomplete", "4 rows imported. 1 row needs fixing.");
    const fault = dialog.getByRole("row").filter({ hasText: "not-an-address" });
    await expect(fault).toContainText("5");
    await expect(fault).toContainText("email");
    await expect(fault).toContainText("Invalid email address");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Download the rows left out" }).click(),
    ]);
    const handedBack = Papa.parse<Record<string, string>>(await textOf(download), { header: true }).data;
    expect(handedBack).toHaveLength(1);
    expect(handedBack[0]).toMatchObject({
      username: "bad.address",
      email: "not-an-address",
      lastName: "Adair",
    });
    await dialog.getByRole("button", { name: "Done" }).click();
    // spec 91
    await expect(page.getByText("No notifications found")).toBeVisible();
  });

  // spec 1, 135
  await test.step("a notification with files goes to all tenants", async () => {
    const dialog = await new ComposeDialog(page).open();
    await dialog.write({ title, message, recipients: ["All Tenants"], channels: ["Email", "SMS"] });
    await dialog.attach(plan, rules);
    await expect(dialog.root.getByRole("button", { name: `Remove ${plan.name}` })).toBeVisible();
    await expect(dialog.root.getByRole("button", { name: `Remove ${rules.name}` })).toBeVisible();
    await expect(dialog.root).toContainText("3 people, 5 messages. 1 person won't get this message.");
    await expect(dialog.root).toContainText("Dana Whitfield, Maple Court 14: no email, no phone number");
    await expect(dialog.root).toContainText("SMS goes to the Sandbox. No one receives it.");
    // A reload would remove this mark, so the rest must happen without one.
    await page.evaluate(() => document.body.setAttribute("data-loaded", "once"));
    await dialog.send.click();
    // spec 257
    await expectToast(page, "Notification Sent", "Your notification has been sent successfully.");
    await expect(dialog.root).toBeHidden();
    const row = page.getByRole("row").filter({ hasText: title });
    // Dana has no address.
    // spec 248
    await expect(row.getByText("Partially Delivered", { exact: true })).toBeVisible();
    await expect(page.locator("body")).toHaveAttribute("data-loaded", "once");
  });

  await test.step("its page says for every person what happened", async () => {
    await page.getByRole("link", { name: title, exact: true }).click();
    await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
    const rows = page.getByRole("table", { name: "Recipients" }).getByRole("row");
    for (const name of ["Mei Tanaka", 'Luis "Lucho" Ortega', "Zoë Müller-Østergård", "Dana Whitfield"]) {
      await expect(rows.filter({ hasText: name })).toHaveCount(1);
    }
    const dana = rows.filter({ hasText: "Dana Whitfield" });
    await expect(dana).toContainText("No email address or phone number on file.");
    // spec 286
    await expect(page.getByRole("link", { name: plan.name })).toBeVisible();
    await expect(page.getByRole("main").getByText(/^Sent .*\d:\d\d [AP]M by Ada/)).toBeVisible();

    await rows.filter({ hasText: "Mei Tanaka" }).getByRole("link", { name: /^SMS/ }).click();
    const panel = page.getByRole("region", { name: "Mei Tanaka" });
    await expect(panel.getByText("SIMULATED")).toBeVisible();
    await expect(panel.getByText(/the water in Maple Court is off from 9 to 11 AM\./)).toBeVisible();
    await expect(panel.getByText(/Hello Mei,/)).toBeVisible();
  });

  let unsubscribe = "";
  await test.step("each person's mail is correct", async () => {
    const mail = onlyMail(system.mail.to("zoe@example.com"));
    expect(mail.subject).toBe(title);
    expect(mail.from).toEqual({ name: "Oak Court", address: "notices@example.com" });
    expect(mail.to).toEqual([{ name: "Zoë Müller-Østergård", address: "zoe@example.com" }]);
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain("Hello Zoë");
      expect(part).toContain("the water in Harbor House is off from 9 to 11 AM.");
      expect(part).not.toContain("{{");
    }
    expect(mail.messageId).toMatch(/^<[^@\s<>]+@[^@\s<>]+>$/);
    expect(mail.attachments).toHaveLength(2);
    for (const { name, mimeType, buffer } of [plan, rules]) {
      const part = mail.attachments.find(({ filename }) => filename === name);
      expect(part).toMatchObject({ mimeType, disposition: "attachment" });
      expect(Buffer.from(part?.content as ArrayBuffer)).toEqual(buffer);
    }
    // RFC 8058 allows one-click unsubscribe only over https, which this server does not use.
    expect(header(mail, "list-unsubscribe-post")).toBe("");
    unsubscribe = /<(http[^>]+)>/.exec(header(mail, "list-unsubscribe"))?.[1] ?? "";
    expect(unsubscribe).toMatch(new RegExp(`^${system.server.url}/u/[\\w-]{20,}$`));
    expect(onlyMail(system.mail.to("mei@example.com")).text).toContain("Hello Mei");
    expect(onlyMail(system.mail.to("luis@example.com")).text).toContain('Hello Luis "Lucho"');
  });

  await test.step("who unsubscribes with one click gets no more mail, and the sender learns why", async () => {
    const answer = await fetch(unsubscribe, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "List-Unsubscribe=One-Click",
    });
    expect(answer.status).toBe(200);
    await page.goto(unsubscribe);
    await expect(page.getByText("You don't get notices by email.")).toBeVisible();

    await page.goto("/notifications");
    const dialog = await new ComposeDialog(page).open();
    await dialog.write({
      title: "Water is back",
      message: "Hello!",
      recipients: ["All Tenants"],
      channels: ["Email"],
    });
    await expect(dialog.root).toContainText("2 people, 2 messages. 2 people won't get this message.");
    await expect(dialog.root).toContainText("Zoë Müller-Østergård, Harbor House 2: Email turned off");
    await dialog.send.click();
    await expect(dialog.root).toBeHidden();
    const row = page.getByRole("row").filter({ hasText: "Water is back" });
    // Dana has no address.
    await expect(row.getByText("Partially Delivered", { exact: true })).toBeVisible();
    await row.getByRole("link", { name: "Water is back", exact: true }).click();
    await expect(page.getByRole("row").filter({ hasText: "Zoë" })).toContainText(
      "They unsubscribed with the link in an email.",
    );
    expect(system.mail.to("mei@example.com")).toHaveLength(2);
    expect(system.mail.to("zoe@example.com")).toHaveLength(1);
    await page.getByRole("link", { name: "Dashboard", exact: true }).click();
    await expect(page.getByRole("link", { name: "Notifications Sent" })).toBeVisible();
    await expect(page.getByText("First steps")).toBeHidden();
  });
});

function onlyMail(mails: readonly Mail[]): Mail {
  const [mail, ...more] = mails;
  if (!mail || more.length > 0) throw new Error(`${mails.length} mails came instead of one`);
  return mail;
}

function header(mail: Mail, key: string): string {
  return mail.headers.find((one) => one.key === key)?.value ?? "";
}

async function textOf(download: { path: () => Promise<string> }): Promise<string> {
  return readFile(await download.path(), "utf8");
}
