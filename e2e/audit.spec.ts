import { readFile } from "node:fs/promises";
import Papa from "papaparse";
import { auth } from "#contract/calls/auth.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { templates } from "#contract/calls/templates.ts";
import { users } from "#contract/calls/users.ts";
import { expectAccessible } from "./axe.ts";
import { request } from "./caller.ts";
import { expect, test } from "./fixtures.ts";
import { flooded } from "./intercept.ts";
import { moveIn, token } from "./people.ts";
import { expectToast } from "./toast.ts";

test("what people did reads in sentences, is filtered, and exported as filtered", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}]);
  const tenant = property.tenants[0]!;
  const name = `${tenant.firstName} ${tenant.lastName}`;
  await system.call(users.update, {
    params: { id: tenant.id },
    body: { ...tenant, role: "staff", receiveSms: false },
  });
  const draft = { recipients: [property.group], channels: ["email"], content: "Hello.", status: "Draft" };
  await system.call(notifications.create, { body: { ...draft, title: `Roof ${name}` } });
  const wrong = {
    username: `${tenant.firstName}.0.${tenant.lastName.split("-")[1]}`,
    password: "not this one",
  };
  await request(system.server.url, auth.login, { body: wrong }).catch(() => undefined);

  await page.goto("/settings");
  await page.getByRole("link", { name: "Audit Log" }).click();
  await page.getByRole("searchbox", { name: "Search the audit log" }).fill(tenant.lastName);
  const event = (text: string) => page.getByRole("listitem").filter({ hasText: text });
  const kind = page.getByRole("group", { name: "Kind of action" });
  await expect(page.getByText("Showing 4 of 4 events")).toBeVisible();
  await expect(event(`Someone failed to sign in as ${name}.`)).toContainText("Refused");
  await expect(event(`saved the draft Roof ${name}.`)).toBeVisible();
  await expect(event(`changed the notification preferences of ${name}.`)).toContainText("SMS from On to Off");
  const changed = event(`changed the role of ${name}.`);
  await expect(changed).toContainText("Role from Tenant to Staff");
  await expect(changed).toContainText("127.0.0.1");
  await expectAccessible(page);

  await kind.getByText("People", { exact: true }).click();
  await expect(page).toHaveURL(/kind=people/);
  await expect(page.getByText("Showing 2 of 2 events")).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV (2)" }).click(),
  ]);
  const text = (await readFile(await download.path(), "utf8")).replace("\uFEFF", "");
  const lines = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data;
  expect(lines.map((line) => line["Changes"])).toEqual(["Role: Tenant → Staff", "SMS: On → Off"]);
  await kind.getByText("Exports", { exact: true }).click();
  await page.getByRole("searchbox").fill("");
  await expect(event("exported the audit log.").first()).toBeVisible();

  await page.getByRole("searchbox").fill("nothing like it at all");
  await expect(page.getByText("No matching events found")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Clear search and filters" }).click();
  await page.getByRole("button", { name: "Person", exact: true }).click();
  await page.getByRole("combobox", { name: "Search people" }).fill(tenant.lastName);
  await page.getByRole("option", { name }).click();
  await expect(page.getByText("No matching events found")).toBeVisible();
  await page.goto(`/settings/audit?kind=people&q=${encodeURIComponent(tenant.lastName)}`);
  await changed.getByRole("link", { name }).click();
  await expect(page.getByRole("dialog", { name })).toBeVisible();

  const old = { name: `Gate code ${token()}`, type: "SMS", content: "Hello." } as const;
  const { id } = await system.call(templates.create, { body: old });
  await system.call(templates.archive, { params: { id }, body: { archived: true } });
  await page.goto(`/settings/audit?q=${encodeURIComponent(old.name)}`);
  await event(`archived the template ${old.name}.`).getByRole("link", { name: old.name }).click();
  await expect(page.getByRole("dialog").getByLabel("Template name")).toHaveValue(old.name);

  await page.route("**/api/audit?**", flooded);
  await page.goto("/settings/audit");
  await expect(page.getByText("Error loading the audit log")).toBeVisible();
  await expectAccessible(page);
});

test("an address is blocked, found, and unblocked, and each is on record", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  const tenant = property.tenants[0]!;
  const name = `${tenant.firstName} ${tenant.lastName}`;
  await page.goto("/users?tab=blocked");
  await page.getByRole("button", { name: "Block Address" }).click();
  const dialog = page.getByRole("dialog", { name: "Block Address" });
  await dialog.getByLabel("Email address").fill("nowhere");
  await dialog.getByRole("button", { name: "Block Address" }).click();
  await expect(dialog.getByText("Invalid email address")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel("Email address").fill(tenant.email.toUpperCase());
  await dialog.getByLabel("Reason").fill("Asked by phone");
  await dialog.getByRole("button", { name: "Block Address" }).click();
  await expectToast(page, "Address blocked", `We won't use ${tenant.email} anymore.`);

  await page.getByRole("searchbox", { name: "Search blocked addresses" }).fill(name);
  await expect(page).toHaveURL(/tab=blocked.*q=/);
  const row = page.getByRole("row").filter({ hasText: tenant.email });
  await expect(row).toContainText("Blocked by hand");
  await expect(row).toContainText("Asked by phone");
  await expect(row.getByRole("link", { name })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Reason", exact: true }).click();
  await page.getByRole("menuitemradio", { name: "Bounced" }).click();
  await expect(page.getByText("No matching addresses found")).toBeVisible();
  await page.getByRole("button", { name: "Clear search and filters" }).click();
  await row.getByRole("button", { name: `Unblock ${tenant.email}` }).click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("We'll send to this address again.");
  await question.getByRole("button", { name: "Unblock" }).click();
  await expectToast(page, "Address unblocked", `We'll use ${tenant.email} again.`);
  await expect(row).toBeHidden();

  await page.goto(`/settings/audit?q=${encodeURIComponent(tenant.email)}`);
  const events = page.getByRole("main").getByRole("listitem");
  await expect(events).toHaveCount(2);
  await expect(events.first()).toContainText(`Ada Owner unblocked ${tenant.email} of ${name}.`);
  await expect(events.last()).toContainText(`Ada Owner blocked ${tenant.email} of ${name}.`);
  await expect(events.last()).toContainText("“Asked by phone.”");
  // Two people may have the same name.
  await expect(events.last()).toContainText(/ada\.owner · Administrator · About /);
});

test.describe("staff", () => {
  test.use({ as: "staff" });

  test("do not see the audit log", async ({ page }) => {
    await page.goto("/settings/audit");
    await expect(page.getByRole("heading", { name: "Access Denied" })).toBeVisible();
    await expect(page.getByText("This area requires admin privileges.")).toBeVisible();
  });
});
