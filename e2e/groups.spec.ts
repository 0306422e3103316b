import { groups } from "#contract/calls/groups.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { ComposeDialog } from "./compose-dialog.ts";
import { expect, test } from "./fixtures.ts";
import { flooded, hold } from "./intercept.ts";
import { moveIn, token } from "./people.ts";
import { expectToast } from "./toast.ts";

test("creates a rule-based group and sends to everyone who matches", async ({ page, system }) => {
  const mark = token();
  const name = `Rule ${mark}`;
  const house = await moveIn(system.call, [{}, { phone: "" }, {}]);
  await page.goto("/users?tab=groups");
  await page.getByRole("button", { name: "New Group" }).click();
  const dialog = page.getByRole("dialog", { name: "New Group" });
  await dialog.getByRole("button", { name: "Create Group" }).click();
  // spec 421
  await expect(dialog.getByText("Group name must be at least 2 characters")).toBeVisible();
  await dialog.getByLabel("Group name").fill(name);
  await dialog.getByRole("radio", { name: "By rule" }).check({ force: true });
  await dialog.getByRole("checkbox", { name: "Tenant" }).check();
  await dialog.getByRole("combobox", { name: "Property" }).fill(house.name);
  await expect(dialog.getByText("Matches 3 people")).toBeVisible();
  await dialog.getByLabel("Floors").fill("1*");
  await expect(dialog.getByText("Correct the rule to see who matches.")).toBeVisible();
  await dialog.getByLabel("Floors").fill("1-3");
  await expect(dialog.getByText(`Tenants at ${house.name}, floors 1–3`)).toBeVisible();
  await expect(dialog.getByText("Matches 3 people")).toBeVisible();
  await dialog.getByRole("combobox", { name: "Reachable by" }).selectOption("SMS");
  await expect(dialog.getByText("Matches 2 people")).toBeVisible();
  await dialog.getByRole("button", { name: "Create Group" }).click();
  // spec 485
  await expectToast(page, "User group created", `“${name}” has 2 people.`);

  await page.goto("/notifications");
  const compose = await new ComposeDialog(page).open();
  await compose.write({
    title: `To ${name}`,
    message: "Hello {{first_name}}.",
    recipients: [name],
    channels: ["Email"],
  });
  await expect(compose.send).toContainText("Send Notification");
  await expect(compose.root.getByText(/2 people/).first()).toBeVisible();
  await compose.send.click();
  await expectToast(page, "Notification Sent");
  for (const [place, mails] of [1, 0, 1].entries()) {
    const address = house.tenants[place]?.email ?? "";
    await expect.poll(() => system.mail.to(address)).toHaveLength(mails);
  }
});

test("opens the page of the list that has the new group", async ({ page, system }) => {
  const mark = token();
  const others = Array.from({ length: 25 }, (_, place) => `Aa ${mark} ${place}`);
  for (const name of others) await system.call(groups.create, { body: { name } });
  const name = `Zz ${mark}`;
  await page.goto("/users?tab=groups");
  await page.getByRole("button", { name: "New Group" }).click();
  const dialog = page.getByRole("dialog", { name: "New Group" });
  await dialog.getByLabel("Group name").fill(name);
  await dialog.getByRole("button", { name: "Create Group" }).click();
  await expectToast(page, "User group created");
  await expect(page.getByRole("link", { name })).toBeInViewport();
  await expect(page).toHaveURL(/page=\d/);
});

// spec 4
test("adds members by search, removes them, and lists and searches them", async ({ page, system }) => {
  const house = await moveIn(system.call, [{}, {}, {}]);
  const [first, second, third] = house.tenants;
  const name = `Hand ${token()}`;
  await system.call(groups.create, { body: { name, userIds: [first?.id, second?.id] } });
  await page.goto(`/users?tab=groups&q=${encodeURIComponent(name)}`);
  // spec 347
  await expect(page.getByText("Showing 1 of 1 group")).toBeVisible();
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Edit Group" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Group" });
  await expect(dialog.getByLabel("Group name")).toHaveValue(name);
  await page.goBack();
  await expect(dialog).toBeHidden();
  await page.goForward();
  await page.reload();
  await dialog.getByRole("button", { name: `Remove ${first?.firstName} ${first?.lastName}` }).click();
  const picker = dialog.getByRole("combobox", { name: "Add people" });
  await picker.fill(third?.lastName ?? "");
  await dialog.getByRole("option").first().click();
  await expect(dialog.getByText("2 people in the group once it is saved.")).toBeVisible();
  await dialog.getByRole("button", { name: "Save Changes" }).click();
  // spec 485
  await expectToast(page, "User group updated", `“${name}” has 2 people.`);
  await page.getByRole("link", { name }).click();
  const members = page.getByRole("dialog", { name });
  await expect(members.getByRole("listitem")).toHaveCount(2);
  await expect(page).toHaveURL(/members=\d+/);
  const search = members.getByRole("searchbox", { name: "Search members" });
  await search.fill(second?.lastName ?? "");
  await expect(members.getByText("Showing 1 of 1 member")).toBeVisible();
  await search.press("Escape");
  await expect(members.getByText("Showing 2 of 2 members")).toBeVisible();
  await members.getByRole("link", { name: new RegExp(second?.lastName ?? "") }).click();
  await expect(page).toHaveURL(new RegExp(`/users\\?person=${second?.id}$`));
});

test("deleting a group in use names what is scheduled and asks again", async ({ page, system }) => {
  const house = await moveIn(system.call, [{}]);
  const name = `Used ${token()}`;
  const { id } = await system.call(groups.create, { body: { name, userIds: [house.tenants[0]?.id] } });
  const planned = await system.call(notifications.create, {
    body: {
      title: `Planned for ${name}`,
      content: "Hello.",
      recipients: [{ type: "group", id }],
      channels: ["email"],
      status: "Scheduled",
      scheduled_time: new Date(Date.now() + 86_400_000).toISOString(),
    },
  });
  await page.goto(`/users?tab=groups&q=${encodeURIComponent(name)}`);
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Delete Group" }).click();
  await expect(
    // spec 348, 399, 491
    page.getByText(`Are you sure you want to delete ${name}? This action cannot be undone.`),
  ).toBeVisible();
  const release = await hold(page, `**/api/usergroups/${id}?*`);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("button", { name: "Delete", exact: true })).toBeDisabled();
  // The answer is another question, which needs the dialog.
  await page.keyboard.press("Escape");
  release();
  await expect(page.getByRole("link", { name: `Planned for ${name}` })).toBeVisible();
  await expect(page.getByRole("button", { name: "Cancel" })).toBeFocused();
  // The second click of a double click on Delete is no answer to the second question.
  await page.getByRole("button", { name: "Delete anyway" }).hover();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await expect(page.getByRole("button", { name: "Delete anyway" })).toBeEnabled();
  await expect(page.getByRole("link", { name: `Planned for ${name}` })).toBeVisible();
  expect((await system.call(groups.list, { query: { q: name } })).length).toBe(1);
  await page.getByRole("button", { name: "Delete anyway" }).click();
  // spec 485
  await expectToast(page, "User group deleted");
  // spec 349
  await expect(page.getByText("No user groups found")).toBeVisible();
  expect(await system.call(notifications.detail, { params: { id: planned.id } })).toMatchObject({
    status: "Draft",
  });
});

test("says why built-in groups can't be deleted, what a sync changed, and what failed", async ({ page }) => {
  await page.goto("/users?tab=groups&q=All+Tenants");
  await page.getByRole("button", { name: "Actions for All Tenants" }).click();
  await expect(page.getByRole("menuitem", { name: "Edit Group" })).toHaveAttribute("aria-disabled", "true");
  await expect(page.getByText(/^Built-in group/)).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Sync User Groups" }).click();
  // spec 346, 486
  await expectToast(page, "Groups synchronized");
  let asked = 0;
  await page.route("**/api/users/sync-groups", (route) => {
    asked += 1;
    return flooded(route);
  });
  await page.getByRole("button", { name: "Sync User Groups" }).click();
  await expectToast(
    page,
    // spec 480
    "Synchronization failed",
    "Failed to synchronize groups: 500: The cellar is flooded",
  );
  // spec 267
  expect(asked).toBe(1);
  await page.route("**/api/usergroups?*", flooded);
  await page.goto("/users?tab=groups");
  // spec 350
  await expect(page.getByText("Error loading user groups")).toBeVisible();
});
