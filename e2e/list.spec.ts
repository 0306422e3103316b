import { notifications } from "#contract/calls/notifications.ts";
import { ComposeDialog } from "./compose-dialog.ts";
import { expect, test } from "./fixtures.ts";
import { flooded, intercept, withoutEvents } from "./intercept.ts";
import { expectStatus } from "./notification-page.ts";
import { moveIn, token } from "./people.ts";
import { expectToast } from "./toast.ts";

test("searches and pages through thirty notifications, and Back returns to the same page", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}]);
  const mark = token();
  for (let number = 1; number <= 30; number += 1) {
    await system.call(notifications.create, {
      body: {
        title: `Notice ${mark} ${number}`,
        content: "Words.",
        recipients: [property.group],
        channels: ["email"],
        status: "Draft",
      },
    });
  }
  await page.goto("/notifications");
  const search = page.getByRole("searchbox", { name: "Search notifications" });
  const rows = page
    .getByRole("table", { name: "Notifications" })
    .getByRole("row")
    .filter({ hasText: "Notice" });
  await expect(search).toBeVisible();
  await page.keyboard.press("/");
  await expect(search).toBeFocused();
  await search.fill(`notice ${mark.toUpperCase()}`);
  // spec 104, 109
  await expect(page.getByText("Showing 25 of 30 notifications")).toBeVisible();
  await expect(rows).toHaveCount(25);
  await expect(page).toHaveURL(/[?&]q=notice/);
  await expect(page.getByRole("button", { name: "Previous" })).toBeDisabled();
  await expect(rows.first()).toContainText(`${mark} 30`);

  // spec 110
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page.getByText("Showing 5 of 30 notifications")).toBeVisible();
  await expect(rows).toHaveCount(5);
  await expect(page).toHaveURL(/[?&]page=2/);
  await expect(page.getByRole("button", { name: "Next" })).toBeDisabled();

  await rows
    .last()
    .getByRole("link", { name: `Notice ${mark} 1`, exact: true })
    .click();
  await expect(page).toHaveURL(/\/notifications\/\d+$/);
  await expect(page.getByRole("heading", { name: `Notice ${mark} 1`, exact: true, level: 1 })).toBeVisible();
  await page.goBack();
  await expect(page.getByText("Showing 5 of 30 notifications")).toBeVisible();
  await page.goBack();
  await expect(page.getByText("Showing 25 of 30 notifications")).toBeVisible();

  // What someone gives who never got a text.
  const [tenant] = property.tenants;
  await search.fill(tenant?.phone.replace(/^\+1(\d{3})/, "($1) ") ?? "");
  await expect(page.getByRole("status").filter({ hasText: "1 person has this number" })).toBeVisible();
  await page.getByRole("link", { name: "see what they were sent" }).click();
  await expect(page.getByRole("dialog", { name: tenant?.lastName ?? "" })).toBeVisible();
  await page.goBack();

  await search.fill(`${mark} nothing like it`);
  // spec 113
  await expect(page.getByText("No matching notifications found")).toBeVisible();
  await page.getByRole("button", { name: "Clear search and filters" }).click();
  await expect(search).toHaveValue("");
  await expect(page.getByText("No matching notifications found")).toBeHidden();
});

test("says when the list can't be loaded, Retry loads it, and filters narrow it", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}]);
  const body = { content: "Words.", recipients: [property.group], status: "Draft" };
  await system.call(notifications.create, { body: { ...body, title: "By mail", channels: ["email"] } });
  await system.call(notifications.create, { body: { ...body, title: "By text", channels: ["sms"] } });
  await withoutEvents(page);
  const pass = await intercept(page, "**/api/notifications?**", flooded);
  await page.goto(`/notifications?q=${encodeURIComponent(property.name)}`);
  // spec 112
  await expect(page.getByText("Error loading notifications")).toBeVisible();
  pass();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("Error loading notifications")).toBeHidden();
  await expect(page.getByText("Showing 2 of 2 notifications")).toBeVisible();
  await page.getByRole("button", { name: "Channel" }).click();
  await page.getByRole("menuitemradio", { name: "SMS" }).click();
  await expect(page.getByText("Showing 1 of 1 notification")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "By text" })).toBeVisible();
  await page.getByRole("button", { name: "Channel: SMS" }).click();
  await page.getByRole("menuitemradio", { name: "Any channel" }).click();
  await page.getByRole("button", { name: "Status" }).click();
  await page.getByRole("menuitemradio", { name: "Failed", exact: true }).click();
  await expect(page.getByText("No matching notifications found")).toBeVisible();
  await page.goBack();
  await expect(page.getByText("Showing 2 of 2 notifications")).toBeVisible();

  // An estimated total says that it is approximate.
  await page.route("**/api/notifications?*recent=true*", async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), "x-total-count": "40000", "x-total-estimated": "true" };
    await route.fulfill({ response, headers });
  });
  await page.reload();
  await expect(page.getByText("Showing 2 of about 40,000 notifications")).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "Page 1 of about 1,600" })).toBeVisible();
});

test("the dashboard shows four notifications per page and links to everything else", async ({
  page,
  system,
}) => {
  for (let number = 1; number <= 5; number += 1) {
    await system.call(notifications.create, { body: { title: `Thought ${number}`, status: "Draft" } });
  }
  await page.goto("/");
  // spec 74
  await expect(page.getByText("Overview of your notification system")).toBeVisible();
  const rows = page
    .getByRole("table", { name: "Recent notifications" })
    .getByRole("row")
    .filter({ hasText: "Details" });
  // spec 282
  await expect(rows).toHaveCount(4);
  // spec 87, 88
  await expect(page.getByText(/^Showing 4 of \d+ notifications/)).toBeVisible();
  // On a small screen, the list is below the stat cards and longer than the screen.
  await page.setViewportSize({ width: 390, height: 500 });
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page).toHaveURL("/?page=2");
  await expect(page.getByRole("button", { name: "Previous" })).toBeEnabled();
  await expect(rows.first()).toBeInViewport();
  await page.setViewportSize({ width: 1280, height: 900 });
  // spec 86
  await page.getByRole("link", { name: "View all", exact: true }).click();
  await expect(page).toHaveURL("/notifications");
  await page.goto("/");
  for (const [name, path] of [
    // spec 97
    ["Manage Users", "/users"],
    // spec 98
    ["Manage Templates", "/templates"],
    // spec 99
    ["OneSignal Settings", "/integrations"],
  ] as const) {
    await expect(page.getByRole("link", { name })).toHaveAttribute("href", path);
  }
  for (const [region, name, search] of [
    ["Channel mix", "SMS", "channel=sms"],
    ["Delivery trend", "Failed", "status=Failures"],
  ] as const) {
    await expect(
      page.getByRole("region", { name: region }).getByRole("link", { name, exact: true }),
    ).toHaveAttribute("href", `/notifications?${search}&time=30-days`);
  }
});

test("saves a draft with only a title, completes it later, and deletes drafts from every screen", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}]);
  const title = `Thought ${token()}`;
  const row = page.getByRole("row").filter({ hasText: title });
  const confirm = async () => {
    const question = page.getByRole("alertdialog");
    await expect(question).toContainText(`Are you sure you want to delete ${title}`);
    await question.getByRole("button", { name: "Delete" }).click();
    await expectToast(page, "Draft deleted");
    await expect(page.getByRole("heading", { name: "Notifications", level: 1 })).toBeVisible();
    await expect(row).toHaveCount(0);
  };
  const keep = async (write = (dialog: ComposeDialog) => dialog.title.fill(title)) => {
    const dialog = await new ComposeDialog(page).open();
    await write(dialog);
    await dialog.root.getByRole("button", { name: "More options" }).click();
    await page.getByRole("menuitem", { name: "Save as draft" }).click();
    await expect(dialog.root).toBeHidden();
    await expect(row.getByText("Draft", { exact: true })).toBeVisible();
  };
  await page.goto("/notifications");
  await keep();
  await row.getByRole("button", { name: `Delete ${title}` }).click();
  await confirm();

  await keep((dialog) =>
    dialog.write({ title, message: "Not yet.", recipients: [property.name], channels: ["Email"] }),
  );
  await row.getByRole("link", { name: title, exact: true }).click();
  await expect(page.getByRole("main").getByText("Not yet.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send now" })).toBeEnabled();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await confirm();

  await keep();
  await row.getByRole("link", { name: title, exact: true }).click();
  const edit = page.getByRole("dialog", { name: "Edit Notification" });
  await page.getByRole("button", { name: "Edit Notification" }).click();
  await edit.getByLabel("Content").fill("Typed, and not saved.");
  await edit.getByRole("button", { name: "Delete", exact: true }).click();
  await confirm();

  await keep();
  await row.getByRole("link", { name: title, exact: true }).click();
  await page.getByRole("button", { name: "Edit Notification" }).click();
  await edit.getByLabel("Content").fill("Now it says something.");
  await edit.getByRole("button", { name: "Save Changes" }).click();
  await expectToast(page, "Notification updated");
  await expect(edit).toBeHidden();
  await page.getByRole("button", { name: "Edit Notification" }).click();
  await edit.getByRole("combobox", { name: "Recipients" }).fill(property.name);
  await edit
    .getByRole("option")
    .filter({ has: page.getByText(property.name, { exact: true }) })
    .click();
  await edit.getByRole("checkbox", { name: "SMS" }).check();
  await edit.getByRole("button", { name: "Save Changes" }).click();
  await expect(edit).toBeHidden();
  await page.getByRole("button", { name: "Send now" }).click();
  await page.getByRole("button", { name: "Send to 1 person" }).click();
  await expectToast(page, "Notification Sent", "Sent to the Sandbox. No one received it.");
  await expectStatus(page, "Delivered");
});

test("what makes no sense in an address is left out of it", async ({ page }) => {
  for (const [address, understood] of [
    ["/schedules?edit=abc", "/schedules"],
    ["/users?tab=groups&edit=x", "/users?tab=groups"],
    ["/notifications?page=x&status=Draft&utm_source=mail", "/notifications?status=Draft"],
  ] as const) {
    await page.goto(address);
    await expect(page).toHaveURL(understood);
    await expect(page.getByText(/^Showing \d+ of|^No .+ found/).first()).toBeVisible();
    await expect(page.getByRole("dialog")).toBeHidden();
  }
});
