import type { Locator, Page } from "@playwright/test";
import { audience } from "#contract/calls/audience.ts";
import { users } from "#contract/calls/users.ts";
import { ComposeDialog } from "./compose-dialog.ts";
import { expect, test } from "./fixtures.ts";
import { flooded, intercept, withoutEvents } from "./intercept.ts";
import { moveIn, type Property } from "./people.ts";

/** Opens "Who gets what" for a message to everyone in the property. */
async function whoGetsWhat(page: Page, { name }: Property): Promise<{ opener: Locator; list: Locator }> {
  await page.goto("/notifications");
  const dialog = await new ComposeDialog(page).open();
  await dialog.write({ title: "Roof", message: "Hello.", recipients: [name], channels: ["Email"] });
  const opener = dialog.root.getByRole("button", { name: "Who gets what" });
  await opener.click();
  return { opener, list: page.getByRole("dialog", { name: "Who gets what" }) };
}

const answers = `**${audience.reachList.path}`;

test("shows the last remaining page when the current one no longer exists", async ({ page, system }) => {
  const property = await moveIn(
    system.call,
    Array.from({ length: 26 }, () => ({})),
  );
  const { list } = await whoGetsWhat(page, property);
  await expect(list.getByText("Showing 25 of 26 entries")).toBeVisible();
  // Two people are deleted while the second page is being loaded.
  await page.route(
    answers,
    async (route) => {
      for (const { id } of property.tenants.slice(0, 2)) await system.call(users.remove, { params: { id } });
      await route.continue();
    },
    { times: 1 },
  );
  await list.getByRole("button", { name: "Next" }).click();
  await expect(list.getByText("Showing 24 of 24 entries")).toBeVisible();
  await expect(list.getByRole("listitem")).toHaveCount(24);
  await expect(list.getByText("No one is in this audience.")).toBeHidden();
});

test("keeps showing the list when refreshing it fails", async ({ page, system }) => {
  const property = await moveIn(system.call, [{}, {}]);
  await withoutEvents(page);
  const { opener, list } = await whoGetsWhat(page, property);
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await page.keyboard.press("Escape");
  const pass = await intercept(page, answers, flooded);
  const failed = page.waitForResponse((response) => response.status() === 500);
  await opener.click();
  await (await failed).finished();
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await expect(list.getByText("We couldn't load the list")).toBeHidden();

  await list.getByRole("searchbox", { name: "Search people" }).fill("Mei");
  await expect(list.getByText("We couldn't load the list")).toBeVisible();
  pass();
  await list.getByRole("button", { name: "Retry" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(1);
});
