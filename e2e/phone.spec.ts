import { notifications } from "#contract/calls/notifications.ts";
import { ComposeDialog } from "./compose-dialog.ts";
import { expect, test } from "./fixtures.ts";
import { moveIn, token } from "./people.ts";

const screen = { width: 390, height: 844 };
test.use({ viewport: screen, hasTouch: true, isMobile: true });

// spec 51, 189
test("the sidebar slides in and closes with a link, the overlay, its button or Escape", async ({ page }) => {
  await page.goto("/");
  const navigation = page.getByRole("navigation", { name: "Main navigation" });
  const menu = page.getByRole("button", { name: "Menu", exact: true });
  await expect(navigation).toBeHidden();
  // spec 29
  await menu.tap();
  await expect(navigation).toBeInViewport();
  // spec 52
  await navigation.getByRole("link", { name: "Notifications" }).tap();
  await expect(navigation).toBeHidden();
  await expect(page).toHaveURL("/notifications");

  await menu.tap();
  await expect(navigation).toBeInViewport();
  // spec 53
  await page.touchscreen.tap(screen.width - 20, screen.height / 2);
  await expect(navigation).toBeHidden();
  await expect(page).toHaveURL("/notifications");

  await menu.tap();
  await expect(navigation).toBeInViewport();
  // spec 29
  await page.getByRole("button", { name: "Close menu" }).tap();
  await expect(navigation).toBeHidden();
  await expect(menu).toBeFocused();

  await menu.tap();
  await expect(navigation).toBeInViewport();
  await page.keyboard.press("Escape");
  await expect(navigation).toBeHidden();
  await expect(menu).toBeFocused();
});

test("shows the list as cards with everything a row has", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  const title = `Card ${token()}`;
  await system.call(notifications.create, {
    body: {
      title,
      content: "Words.",
      recipients: [property.group],
      channels: ["email", "sms"],
      status: "Recurring",
      recurrence: "weekly",
      recurringDay: 2,
      recurringTime: "14:00",
    },
  });
  await page.goto(`/notifications?q=${title.split(" ")[1]}`);
  const card = page.getByRole("row").filter({ hasText: title });
  await expect(card).toBeVisible();
  for (const words of [title, property.name, "Recurring", "Every Tuesday, 2:00 PM"]) {
    await expect(card.getByText(words)).toBeVisible();
  }
  await expect(page.getByRole("columnheader", { name: "Recipients" })).not.toBeInViewport();
  await expect.poll(async () => (await card.boundingBox())?.width).toBeGreaterThan(screen.width * 0.85);
  // The page must not scroll sideways.
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(screen.width);
});

test("shows when a new schedule first runs", async ({ page }) => {
  await page.goto("/schedules?open=new");
  const dialog = page.getByRole("dialog", { name: "Create Schedule" });
  await expect(dialog.getByText(/^First run \w+, \w+ \d+, 9:00 AM/)).toBeInViewport();
  const [cancel, create] = await Promise.all(
    ["Cancel", "Create Schedule"].map((name) => dialog.getByRole("button", { name }).boundingBox()),
  );
  expect(cancel?.y).toBe(create?.y);
});

test("the create dialog fills the screen and keeps its buttons in view", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}]);
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  await expect.poll(() => dialog.root.boundingBox()).toMatchObject({ x: 0, y: 0, ...screen });
  await expect(dialog.send).toBeInViewport();
  // At 400 % on a laptop, the heading and the buttons scroll away instead of covering the form.
  await page.setViewportSize({ width: 320, height: 256 });
  await dialog.message.focus();
  await expect(dialog.message).toBeInViewport({ ratio: 0.9 });
  await page.setViewportSize(screen);
  await dialog.write({
    title: `By hand ${token()}`,
    message: "From the stairs.",
    recipients: [property.name],
    channels: ["SMS"],
  });
  await expect.poll(async () => (await dialog.send.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await dialog.send.tap();
  await expect(dialog.root).toBeHidden();
});
