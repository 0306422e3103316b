import { shell } from "#contract/calls/shell.ts";
import { users } from "#contract/calls/users.ts";
import { expect, test } from "./fixtures.ts";
import { moveIn, token } from "./people.ts";
import { expectToast } from "./toast.ts";

test("keeps a balance of each person", async ({ page, system }) => {
  const house = await moveIn(system.call, [{}, {}]);
  const [owing] = house.tenants;
  const name = `Balance ${token()}`;
  const field = name.toLowerCase().replaceAll(" ", "_");

  await page.goto("/users");
  await page.getByRole("button", { name: "Details" }).click();
  const kept = page.getByRole("dialog", { name: "Details" });
  await kept.getByLabel("New detail").fill(name);
  await expect(kept.getByText(`{{${field}}} in messages`)).toBeVisible();
  await kept.getByLabel("Kind").selectOption("Amount of money");
  await kept.getByRole("button", { name: "Add" }).click();
  await expect(kept.getByText(`Amount of money · {{${field}}} · no one has it`)).toBeVisible();
  await page.keyboard.press("Escape");

  await page.goto(`/users?edit=${owing?.id}`);
  const form = page.getByRole("dialog", { name: "Edit User" });
  await form.getByLabel(name).fill("1.234,56");
  await form.getByRole("button", { name: "Save Changes" }).click();
  await expect(form.getByText(`${name} must be an amount like $1,234.50`)).toBeVisible();
  await form.getByLabel(name).fill("$1,234.5");
  await form.getByRole("button", { name: "Save Changes" }).click();
  await expectToast(page, "User updated");
  expect((await system.call(users.detail, { params: { id: owing!.id } })).details[field]).toBe("1234.50");
  await page.goto(`/users?person=${owing?.id}`);
  await expect(page.getByRole("dialog").getByText("$1,234.50")).toBeVisible();

  // However late the page learns what is kept of people.
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(`**${shell.state.path}`, async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  await expect(page.getByRole("dialog").getByText(`${owing?.email}`)).toBeVisible();
  release();
  await expect(page.getByRole("dialog").getByText("$1,234.50")).toBeVisible();
});
