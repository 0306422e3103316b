import { groups } from "#contract/calls/groups.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { expect, test } from "./fixtures.ts";
import { moveIn, token } from "./people.ts";
import { expectToast } from "./toast.ts";

test("moves someone out and another one in, with the history", async ({ page, system }) => {
  const house = await moveIn(system.call, [{}, {}]);
  const [leaving, coming] = house.tenants;
  const nameOf = (tenant = leaving) => `${tenant?.firstName} ${tenant?.lastName}`;
  const living = async () => (await system.call(groups.list, { query: { q: house.name } }))[0]?.userCount;

  await page.goto("/");
  await page.getByRole("link", { name: "Properties" }).click();
  await page.getByRole("searchbox", { name: "Search properties" }).fill(house.name);
  await expect(page).toHaveURL(/[?&]q=/);
  await page.getByRole("link", { name: house.name }).click();
  await expect(page.getByRole("heading", { name: house.name, level: 1 })).toBeVisible();
  await page.getByRole("button", { name: /^1A/ }).click();
  const home = page.getByRole("dialog", { name: "Home 1A" });
  await home.getByRole("button", { name: `Actions for ${nameOf()}` }).click();
  await page.getByRole("menuitem", { name: "Move out" }).click();
  const out = page.getByRole("dialog", { name: `${nameOf()} moves out` });
  await out.getByLabel("Last day").fill("11/01/2026");
  await out.getByRole("button", { name: "Move out" }).click();
  await expect(home.getByText("No one lives here now.")).toBeVisible();
  await expect(home.getByText("Moved out Sun, Nov 1, 2026")).toBeVisible();
  expect(await living()).toBe(1);

  // Who lived there on a day is known for good.
  await home.getByLabel("Who lived here on").fill("10/15/2026");
  await expect(home.getByRole("status").getByText(nameOf())).toBeVisible();

  await home.getByRole("button", { name: "Move in" }).click();
  const into = page.getByRole("dialog", { name: "Move into 1A" });
  await into.getByRole("combobox", { name: "Person" }).fill(nameOf(coming));
  await page.getByRole("option", { name: nameOf(coming) }).click();
  await into.getByRole("button", { name: "Move in" }).click();
  await expectToast(page, "Moved in");
  await expect(home.getByRole("link", { name: nameOf(coming) })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText("2 homes · 1 person", { exact: false })).toBeVisible();
});

test("asks what another home means, and the move can be undone on the person's page", async ({
  page,
  system,
}) => {
  const house = await moveIn(system.call, [{}]);
  const [person] = house.tenants;
  const other = `Oak ${token()} 204`;
  await page.goto(`/users?edit=${person?.id}`);
  const dialog = page.getByRole("dialog", { name: "Edit User" });
  await dialog.getByLabel("Property/Unit").fill(other);
  await expect(dialog.getByText("From today they live here. The old home keeps its history.")).toBeVisible();
  await dialog.getByRole("button", { name: /^Update User|^Save/ }).click();
  await expect(dialog).toBeHidden();
  await page.goto(`/users?person=${person?.id}`);
  const panel = page.getByRole("dialog");
  await expect(panel.getByRole("link", { name: other })).toBeVisible();
  await panel.getByRole("button", { name: "Undo the last move" }).click();
  await expectToast(page, "Move undone");
  await expect(panel.getByRole("link", { name: other })).toBeHidden();
  await expect(panel.getByRole("link", { name: `${house.name} 1A` })).toBeVisible();
});

test("selects a floor and corrects it for all of its homes, with the keyboard alone", async ({ page }) => {
  const property = `Tower ${token()}`;
  await page.goto("/properties?open=new");
  const dialog = page.getByRole("dialog", { name: "Add Property" });
  await dialog.getByLabel("Name").fill(property);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: property, level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "Add homes" }).press("Enter");
  const adding = page.getByRole("dialog", { name: "Add homes" });
  await adding.getByLabel("Names").fill("101, 102, 201");
  await adding.getByRole("button", { name: "Add homes" }).press("Enter");
  await expectToast(page, "3 homes added");
  await page.getByRole("button", { name: "Select floor 1" }).press("Enter");
  await expect(page.getByText("2 homes · 0 people")).toBeVisible();
  await page.getByRole("button", { name: "Correct floors" }).press("Enter");
  const correcting = page.getByRole("dialog", { name: "Correct 2 homes" });
  await correcting.getByLabel("Floor").selectOption("Ground floor (0)");
  await correcting.getByRole("button", { name: "Save" }).press("Enter");
  await expectToast(page, "Homes corrected");
  await expect(page.getByRole("button", { name: "Select ground floor" })).toBeVisible();
});

test("what went to a home is on its record, and a home that can't be reached is put right in its row", async ({
  page,
  system,
}) => {
  const house = await moveIn(system.call, [{}, { email: "", phone: "" }]);
  const [reached, missed] = house.tenants;
  const nameOf = (tenant = reached) => `${tenant?.firstName} ${tenant?.lastName}`;
  const body = { title: "Water off", message: "No water", recipients: [house.group], channels: ["email"] };
  await system.call(notifications.send, { body });

  await page.goto(`/properties?q=${encodeURIComponent(house.name)}`);
  await expect(page.getByText("2 homes · 2 people · 1 of 2 occupied homes can be reached")).toBeVisible();
  await page.getByRole("link", { name: "Review 1 home" }).click();
  const row = page.getByRole("row", { name: nameOf(missed) });
  await expect(row.getByText("No email address on file.")).toBeVisible();
  await row.getByRole("link", { name: `Add email address for ${nameOf(missed)}` }).click();
  const form = page.getByRole("dialog", { name: "Edit User" });
  await expect(form.getByLabel("Email", { exact: true }).first()).toBeFocused();
  await page.keyboard.type(`${house.tenants[1]?.lastName}@example.com`);
  await page.keyboard.press("Enter");
  await expect(form).toBeHidden();
  await expect(page.getByText("Every occupied home can be reached")).toBeVisible();

  await page.getByRole("button", { name: "Show all homes" }).click();
  await page.getByRole("button", { name: /^1A/ }).click();
  const home = page.getByRole("dialog", { name: "Home 1A" });
  const saved = page.waitForEvent("download");
  await home.getByRole("button", { name: "Export all notices (CSV)" }).click();
  expect((await saved).suggestedFilename()).toBe(`${house.name} 1A notices.csv`);
  await expect(home.getByRole("link", { name: "Water off" })).toBeVisible();
  await expect(home.getByText(/· Reached/)).toBeVisible();
  await home.getByRole("link", { name: /^Email Sent/ }).click();
  await expect(page).toHaveURL(/\/notifications\/\d+\?delivery=\d+/);
  await expect(page.getByText(nameOf()).first()).toBeVisible();
});
