import type { Locator } from "@playwright/test";
import { csv } from "#contract/calls/csv.ts";
import { expectAccessible } from "./axe.ts";
import { ComposeDialog } from "./compose-dialog.ts";
import { expect, test } from "./fixtures.ts";
import { token } from "./people.ts";
import { expectToast } from "./toast.ts";

test("a riser bursts: a manager writes to floors 1 to 3 of one building, then to a stack, whoever lives there", async ({
  page,
  system,
}) => {
  const name = `Court ${token()}`;
  const units = ["A-101", "B-101", "B-102", "B-204", "B-304", "B-1004"];
  const rows = units.map((unit) => ({
    username: `${unit}.${name.slice(6)}`.toLowerCase(),
    firstName: unit,
    lastName: name.slice(6),
    email: `${unit}.${name.slice(6)}@example.com`.toLowerCase(),
    phone: "",
    propertyUnit: `${name}, Unit ${unit}`,
  }));
  await system.call(csv.import, { body: rows });

  await page.goto("/");
  const dialog = await new ComposeDialog(page).open();
  await dialog.title.fill(`Water off at ${name}`);
  await dialog.message.fill("Please don't run water until noon.");
  await dialog.choose("Homes");
  // The tree is there at once.
  await expect(dialog.root.getByText("Whoever lives there when it is sent.").last()).toBeVisible();
  const box = (label: string) => dialog.root.getByRole("checkbox", { name: new RegExp(`^${label}\\b`) });
  // The radios below stay where they are seen: nothing is clicked under the footer. The list would cover them.
  await dialog.recipients.press("Escape");
  await dialog.root.getByRole("radio", { name: "Send immediately" }).click({ force: true });
  await dialog.recipients.fill(name);
  // The property that is alone in the list is open.
  await expect(box(name)).toBeVisible();
  await dialog.root.getByRole("button", { name: "Building B" }).click();
  await box("Floor 1").check();
  await box("Floor 3").click({ modifiers: ["Shift"] });
  await expect(box("Floor 2")).toBeChecked();
  await expect(box("Floor 10")).not.toBeChecked();
  await expect(box("Building B")).toBeChecked({ indeterminate: true });
  await expect(box(name)).toBeChecked({ indeterminate: true });
  await expectAccessible(page);
  const chip = `${name}, Building B, floors 1–3`;
  await expect(dialog.root.getByRole("button", { name: `Remove ${chip}` })).toBeVisible();
  await dialog.recipients.press("Escape");
  await expect(box("Floor 1")).toBeHidden();
  await dialog.root.getByText("4 people in 4 homes").click();
  await expect(dialog.root.getByRole("row", { name: "Floor 10" })).toContainText(
    "B-1004, not chosen, 1 person",
  );
  await expect(dialog.root.getByRole("row", { name: "Floor 2" })).toContainText("B-204, chosen, 1 person");
  for (const channel of ["Email", "SMS", "Web Push"] as const) await dialog.channel(channel).check();
  await dialog.counted("4 people");
  await dialog.send.click();
  await expectToast(page, "Notification Sent");
  await page
    .getByRole("link", { name: `Water off at ${name}` })
    .first()
    .click();
  await expect(page.getByText(chip).first()).toBeVisible();
  await expect(page.getByText("B-1004")).toHaveCount(0);

  // With the keyboard: a stack on every floor.
  await new ComposeDialog(page).page.goto("/notifications");
  const again = await new ComposeDialog(page).open();
  await again.choose("Homes");
  await again.recipients.fill(name);
  await again.root.getByRole("button", { name: "Building B" }).press("Enter");
  await again.choose("Stacks");
  await again.root.getByRole("checkbox", { name: /^Stack 04/ }).press("Space");
  await expect(
    again.root.getByRole("button", { name: `Remove ${name}, Building B, stack 04` }),
  ).toBeVisible();
  await again.counted("3 people");
});

test("every channel of “Building B, floors 1 to 3” is at most eight clicks from the dashboard", async ({
  page,
  system,
}) => {
  const name = `Mews ${token()}`;
  const rows = ["A-101", "B-101", "B-204", "B-304", "B-1004"].map((unit) => ({
    username: `${unit}.${name.slice(5)}`.toLowerCase(),
    firstName: unit,
    lastName: name.slice(5),
    email: `${unit}.${name.slice(5)}@example.com`.toLowerCase(),
    phone: "",
    propertyUnit: `${name}, Unit ${unit}`,
  }));
  await system.call(csv.import, { body: rows });
  await page.goto("/");
  let clicks = 0;
  const click = async (what: Locator) => {
    clicks += 1;
    await what.click();
  };
  const dialog = new ComposeDialog(page);
  await click(page.getByRole("button", { name: "New Notification" }).first());
  await expect(dialog.title).toBeFocused();
  await page.keyboard.type(`Water off at ${name}`);
  await click(dialog.message);
  await page.keyboard.type("Please don't run water until noon.");
  await click(dialog.root.locator("label", { hasText: /^Homes$/ }));
  await click(dialog.recipients);
  await page.keyboard.type(`${name} building b floors 1-3`);
  const chip = `${name}, Building B, floors 1–3`;
  await click(dialog.root.getByRole("checkbox", { name: chip }));
  // The tree gives way to what is below it.
  await click(dialog.root.getByText("Channels", { exact: true }));
  await click(dialog.root.getByRole("button", { name: "All channels" }));
  await dialog.counted("3 people");
  await click(dialog.send);
  await expectToast(page, "Notification Sent");
  expect(clicks).toBeLessThanOrEqual(8);
  await page
    .getByRole("link", { name: `Water off at ${name}` })
    .first()
    .click();
  await expect(page.getByText(chip).first()).toBeVisible();
});

test("a family gets one message: a leaseholder first, the others are listed as reached through them", async ({
  page,
  system,
}) => {
  const name = `Court ${token()}`;
  const people = ["Ann 1A", "Bob 1A", "Cas 2A"].map((one) => {
    const [firstName = "", unit = ""] = one.split(" ");
    const email = `${firstName}.${name.slice(6)}@example.com`.toLowerCase();
    return {
      username: email,
      firstName,
      lastName: name.slice(6),
      email,
      phone: "",
      propertyUnit: `${name}, Unit ${unit}`,
    };
  });
  await system.call(csv.import, { body: people });

  await page.goto("/");
  const dialog = await new ComposeDialog(page).open();
  await dialog.title.fill(`Water off at ${name}`);
  await dialog.message.fill("Please don't run water until noon.");
  const perHome = dialog.root.getByRole("switch", { name: /^One message per home/ });
  await expect(perHome).toBeHidden();
  await dialog.choose("Homes");
  await dialog.recipients.fill(name);
  await dialog.root.getByRole("checkbox", { name: new RegExp(`^${name}`) }).check();
  await dialog.recipients.press("Escape");
  await dialog.channel("Email").check();
  await dialog.counted("3 people, 3 messages.");
  await perHome.click();
  await dialog.counted("3 people, 2 homes: 2 messages.");
  await dialog.root.getByRole("button", { name: "Who gets what" }).click();
  const listed = page.getByRole("dialog", { name: "Who gets what" });
  await expect(listed.getByText(`Reached through Ann ${name.slice(6)} (same home).`)).toBeVisible();
  await listed.getByRole("button", { name: "Close" }).click();
  await dialog.send.click();
  await expectToast(page, "Notification Sent");
  await page
    .getByRole("link", { name: `Water off at ${name}` })
    .first()
    .click();
  await expect(page.getByText(`to ${name}, one message per home`)).toBeVisible();
  const rows = page.getByRole("table", { name: "Recipients" }).getByRole("row");
  await expect(rows.filter({ hasText: "Bob" })).toContainText("Same home");
  await expectAccessible(page);
});
