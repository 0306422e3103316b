import type { Page } from "@playwright/test";
import { csv } from "#contract/calls/csv.ts";
import { groups } from "#contract/calls/groups.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { schedules } from "#contract/calls/schedules.ts";
import { templates } from "#contract/calls/templates.ts";
import { users } from "#contract/calls/users.ts";
import { expect, test } from "./fixtures.ts";
import { token } from "./people.ts";

/** Hebrew letters, so that tests can share a server. */
const mark = () => Array.from({ length: 6 }, () => "אבגדהוזחטיכ"[Math.floor(Math.random() * 11)]).join("");

/** Names from the right that share a line or a label with something else and aren't kept apart from it. `values` may stand alone. */
function turned(page: Page, values: readonly string[]): Promise<string[]> {
  return page.evaluate((own) => {
    const fromRight = /[\u0590-\u05ff]/;
    const apart = (text: string) => text.replaceAll(/\u2068[^\u2069]*\u2069/g, "");
    const mixed = (text: string) => fromRight.test(text) && /[A-Za-z0-9]/.test(text);
    const found = new Set<string>();
    for (const element of document.querySelectorAll("[aria-label], [title], [alt], [placeholder]"))
      for (const name of ["aria-label", "title", "alt", "placeholder"]) {
        const text = apart(element.getAttribute(name) ?? "");
        if (mixed(text) && !own.includes(text)) found.add(`${name}: ${text}`);
      }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!parent || !fromRight.test(apart(node.textContent ?? ""))) continue;
      if (parent.closest("bdi, [dir], script, textarea, [contenteditable]")) continue;
      let block = parent;
      while (getComputedStyle(block).display === "inline" && block.parentElement) block = block.parentElement;
      const line = block.cloneNode(true) as Element;
      for (const own of line.querySelectorAll("bdi, [dir]")) own.remove();
      if (mixed(apart(line.textContent ?? ""))) found.add(`${block.tagName}: ${line.textContent}`);
    }
    return [...found];
  }, values);
}

test("a name from the right turns nothing around it, on screens, in labels and in toasts", async ({
  page,
  system,
}) => {
  const [street, first, title] = [`רחוב ${mark()}`, `סלמה ${mark()}`, `הודעה ${mark()}`];
  const homes = [`${street}, Unit 4B`, `${street}, Unit 5B`];
  const row = { role: "tenant", receiveEmail: "true" };
  await system.call(csv.import, {
    body: [
      {
        ...row,
        username: token(),
        firstName: first,
        lastName: "כהן",
        propertyUnit: `${street}, Unit 4B`,
        email: `${token()}@example.com`,
      },
      {
        ...row,
        username: token(),
        firstName: "נועם",
        lastName: "כהן",
        propertyUnit: `${street}, Unit 5B`,
        email: `${token()}@example.com`,
      },
    ],
  });
  const [person] = await system.call(users.list, { query: { q: first } });
  const [group] = await system.call(groups.list, { query: { q: street } });
  const recipients = [{ type: "group" as const, id: group?.id ?? 0 }];
  const own = await system.call(groups.create, { body: { name: `ועד ${mark()}`, userIds: [] } });
  const template = await system.call(templates.create, {
    body: { name: `תבנית ${mark()}`, type: "Email", subject: title, content: "Hi" },
  });
  const shared = { title, recipients, channels: ["email"] };
  const sent = await system.call(notifications.send, { body: { ...shared, message: "Hello." } });
  const draft = await system.call(notifications.create, {
    body: { ...shared, content: "Hello.", status: "Draft" },
  });
  await system.call(notifications.create, {
    body: { ...shared, content: "Hi.", status: "Scheduled", scheduled_time: "2031-09-28T23:59:00Z" },
  });
  const schedule = await system.call(schedules.create, {
    body: { name: title, templateId: template.id, recurrence: "daily", time: "23:58", recipients },
  });
  const wrong: string[] = [];
  const look = async (what: string) =>
    wrong.push(...(await turned(page, homes)).map((one) => `${what}: ${one}`));
  const q = encodeURIComponent(title);
  for (const path of [
    "/",
    `/notifications?q=${q}`,
    `/notifications/${sent.id}`,
    `/notifications/${draft.id}`,
    `/templates?q=${encodeURIComponent(template.name)}`,
    `/schedules?tab=all&q=${q}`,
    `/schedules?schedule=${schedule.id}`,
    "/schedules?view=month",
    `/schedules?edit=${schedule.id}`,
    `/users?q=${encodeURIComponent(first)}`,
    `/users?person=${person?.id}`,
    `/users?edit=${person?.id}`,
    `/users?tab=groups&q=${encodeURIComponent(own.name)}`,
    `/users?tab=groups&members=${group?.id}`,
    `/notifications?write=group:${group?.id}`,
    "/settings/audit",
  ]) {
    await page.goto(path);
    await expect(page.getByRole("heading").first()).toBeVisible();
    await expect(page.locator("[aria-busy=true], .animate-pulse")).toHaveCount(0);
    await look(path);
  }

  const toast = page.getByRole("region", { name: "Notifications (F8)" }).getByRole("listitem");
  await page.goto(`/users?tab=groups&q=${encodeURIComponent(own.name)}`);
  await page.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Delete Group" }).click();
  await look("the question before a group is deleted");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(toast).toBeVisible();
  await look("a deleted group");
  await page.goto(`/notifications/${draft.id}`);
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(toast).toBeVisible();
  await look("a deleted draft");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill(title);
  await expect(page.getByRole("option").filter({ hasText: title }).first()).toBeVisible();
  await look("the palette");
  expect(wrong).toEqual([]);
});
