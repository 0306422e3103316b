import { groups } from "#contract/calls/groups.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { moveIn, token } from "./people.ts";

test("people: with rows, with a menu, with no matches, with an error", async ({ page, system }) => {
  const house = await moveIn(system.call, [{}, { email: "", phone: "" }, {}]);
  await page.goto(`/users?property=${encodeURIComponent(house.name)}`);
  await expect(page.getByText("Showing 3 of 3 users")).toBeVisible();
  await expectAccessible(page);
  await page
    .getByRole("button", { name: /^Actions for/ })
    .first()
    .click();
  await expect(page.getByRole("menuitem", { name: "View Details" })).toBeVisible();
  await expectAccessible(page);
  await page.goto("/users?q=nothing-like-it-at-all");
  await expect(page.getByText("No matching users found")).toBeVisible();
  await expectAccessible(page);
  await page.route("**/api/users?**", (route) =>
    route.fulfill({ status: 500, body: "The cellar is flooded" }),
  );
  await page.goto("/users");
  await expect(page.getByText("Error loading users")).toBeVisible();
  await expectAccessible(page);
});

test("one person: details, credentials, the edit dialog, the delete confirmation", async ({
  page,
  system,
}) => {
  const house = await moveIn(system.call, [{}]);
  await system.call(notifications.send, {
    body: { title: "Roof", message: "Hello.", recipients: [house.group], channels: ["email", "push"] },
  });
  await page.goto(`/users?person=${house.tenants[0]?.id}`);
  await expect(page.getByRole("link", { name: "Roof" }).first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Send credentials" }).click();
  await expect(page.getByRole("button", { name: "Send link" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Edit User" });
  await dialog.getByRole("button", { name: "Correct" }).click();
  await dialog.getByLabel("First name").fill("");
  await dialog.getByRole("button", { name: "Save Changes" }).click();
  await expect(dialog.getByText("First name is required")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await expectAccessible(page);
});

test("groups: list, members, hand-picked, rule-based", async ({ page, system }) => {
  const house = await moveIn(system.call, [{}, {}]);
  const name = `Group ${token()}`;
  await system.call(groups.create, { body: { name, userIds: house.tenants.map(({ id }) => id) } });
  await page.goto("/users?tab=groups");
  await expect(page.getByText(/^Showing \d+ of \d+ groups/)).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/users?tab=groups&q=${encodeURIComponent(name)}`);
  await page.getByRole("link", { name }).click();
  await expect(page.getByText("Showing 2 of 2 members")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Edit Group" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Group" });
  await dialog
    .getByRole("button", { name: /^Remove / })
    .first()
    .click();
  await expectAccessible(page);
  await dialog.getByRole("radio", { name: "By rule" }).check({ force: true });
  await expect(dialog.getByText(/^Matches/)).toBeVisible();
  await expectAccessible(page);
});
