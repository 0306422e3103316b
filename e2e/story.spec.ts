import { groups } from "#contract/calls/groups.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { users } from "#contract/calls/users.ts";
import { caller } from "./caller.ts";
import { expect, test } from "./fixtures.ts";
import { moveIn, token } from "./people.ts";

/** What the line under a notification's title says: who created it, who edited it, who or what sent it. */

test("a draft names its author and last editor, and a sent notification its sender", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}]);
  const body = {
    title: `Told ${token()}`,
    content: "x",
    recipients: [property.group],
    channels: ["email"] as const,
  };
  const { id } = await system.call(notifications.create, { body: { ...body, status: "Draft" } });
  await page.goto(`/notifications/${id}`);
  const main = page.getByRole("main");
  await expect(main.getByText(`To ${property.name} · created just now by Ada Owner`)).toBeVisible();
  const sam = caller(system.server.url, system.cookies.staff);
  await sam(notifications.update, { params: { id }, body: { ...body, content: "y" } });
  await expect(main.getByText("created by Ada Owner · edited just now by Sam Okafor")).toBeVisible();
  await sam(notifications.sendNow, { params: { id } });
  await expect(
    main.getByText(/^Sent today at .* by Sam Okafor to Court \w+ · created by Ada Owner$/),
  ).toBeVisible();
});

test("a draft that lost its recipients doesn't name any", async ({ page, system }) => {
  const name = `Gone ${token()}`;
  const group = await system.call(groups.create, { body: { name, description: "", userIds: [] } });
  const { id } = await system.call(notifications.create, {
    body: {
      title: "For nobody",
      content: "x",
      recipients: [{ type: "group", id: group.id }],
      channels: ["email"],
      status: "Scheduled",
      scheduled_time: "2099-01-01T09:00:00Z",
    },
  });
  await system.call(groups.remove, { params: { id: group.id }, query: { detach: "true" } });
  await page.goto(`/notifications/${id}`);
  await expect(page.getByText(/^Created just now by Ada Owner$/)).toBeVisible();
  await expect(page.getByText("No recipients yet.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send now" })).toHaveCount(0);
});

test("a one-time link shows its status and sender, and can't be edited or copied", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}]);
  const { id = 0 } = property.tenants[0] ?? {};
  await system.call(users.sendCredentials, { body: { userId: id, channels: ["email"] } });
  const read = async () => (await system.call(users.deliveries, { params: { id } }))[0];
  await expect.poll(async () => (await read())?.status).toBe("accepted");
  const sent = await read();
  await page.goto(`/notifications/${sent?.notificationId}?delivery=${sent?.id}`);
  await expect(page.getByRole("button", { name: "Download Report" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Edit Notification" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Copy to new notification" })).toHaveCount(0);
  await expect(page.getByText("Oak Court <notices@example.com>")).toBeVisible();
});
