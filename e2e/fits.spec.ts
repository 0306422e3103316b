import { notifications } from "#contract/calls/notifications.ts";
import { schedules } from "#contract/calls/schedules.ts";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { moveIn, token } from "./people.ts";

/** Names as long as people make them, some without a place to break. */
const longName = `Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh ${token()}`;
const longTitle = `Donaudampfschifffahrtsgesellschaftskapitänskajüte maintenance ${token()} ${"in every building ".repeat(6)}`;
const stalled = "waiting for smtp-relay-of-the-property-managers.mail.example.com, which refuses us";

/** Shows runs that don't move, which a test can't wait for. */
async function stall(page: Page): Promise<void> {
  await page.route(/\/api\/notifications(\?|\/\d+$)/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as unknown;
    const still = (one: unknown) => {
      const row = one as { progress?: object | null };
      return row.progress
        ? { ...row, status: "Sending", progress: { ...row.progress, state: "sending", stalled } }
        : one;
    };
    await route.fulfill({ response, json: Array.isArray(body) ? body.map(still) : still(body) });
  });
}

/** What lies outside of the window or of its own card, a date or a time on two lines, and text a few letters wide. */
function misfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const visible = (element: Element) => element.checkVisibility({ visibilityProperty: true });
    const say = (what: string, element: Element) =>
      found.push(`${what}: ${element.tagName} “${(element.textContent ?? "").trim().slice(0, 60)}”`);
    const { clientWidth } = document.documentElement;
    if (document.documentElement.scrollWidth > clientWidth)
      found.push(`the page scrolls sideways at ${clientWidth}`);
    for (const frame of document.querySelectorAll(
      "main section, main table, main li, main td, [role=dialog]",
    )) {
      const around = frame.closest("main, [role=dialog]")?.getBoundingClientRect();
      const own = frame.getBoundingClientRect();
      if (!around || !visible(frame) || own.width < 2) continue;
      if (own.right > around.right + 1 || own.left < around.left - 1) say("outside", frame);
    }
    const linesOf = (node: Node, from: number, to: number) => {
      const range = document.createRange();
      range.setStart(node, from);
      range.setEnd(node, to);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    };
    // A line may end between a date and its time, but not inside of either.
    const moments =
      /\b(\w{3},? )?(\d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w*|(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w* \d{1,2})\b(,? \d{4}\b)?|\b\d{1,2}:\d\d(:\d\d)?\s[AP]M\b(\s[A-Z]{2,4}\b)?/g;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = (node.textContent ?? "").trim();
      const parent = node.parentElement;
      if (!parent || !visible(parent) || parent.closest(".sr-only")) continue;
      for (const { 0: moment, index } of (node.textContent ?? "").matchAll(moments))
        if (linesOf(node, index, index + moment.length) > 1) say(`“${moment}” on two lines`, parent);
      if (text.length < 12) continue;
      const lines = linesOf(node, 0, node.textContent?.length ?? 0);
      if (lines > 1 && text.length / lines < 4) say(`${lines} lines of ${text.length} letters`, parent);
    }
    return found;
  });
}

test("lists and cards stay inside at every common width, and on paper with a person open", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [
    { firstName: "Maximiliana-Theodora", lastName: longName },
    { phone: "" },
  ]);
  const shared = { recipients: [property.group], channels: ["email", "sms"] as const };
  const sent = await system.call(notifications.send, {
    body: { ...shared, channels: [...shared.channels], title: longTitle.trim(), message: "Hello." },
  });
  await system.call(notifications.create, {
    body: {
      ...shared,
      channels: [...shared.channels],
      title: longTitle.trim(),
      content: "Hello.",
      status: "Scheduled",
      scheduled_time: "2027-09-28T23:59:00Z",
    },
  });
  const { id: scheduleId } = await system.call(schedules.create, {
    body: {
      name: longTitle.trim(),
      notificationId: sent.id,
      recurrence: "weekly",
      dayOfWeek: 3,
      time: "23:30",
      recipients: [property.group],
    },
  });
  const deliveries = async () =>
    (await page.request.get(`/api/notifications/${sent.id}/deliveries`)).json() as Promise<{ id: number }[]>;
  await expect.poll(async () => (await deliveries()).length).toBeGreaterThan(0);
  const [delivery] = await deliveries();
  const [tenant] = property.tenants;
  const person = `/notifications/${sent.id}?delivery=${delivery?.id}`;
  const screens = [
    "/",
    "/notifications",
    "/notifications?time=ahead",
    `/notifications/${sent.id}`,
    person,
    "/templates",
    "/schedules",
    `/schedules?schedule=${scheduleId}`,
    `/schedules?edit=${scheduleId}`,
    "/schedules?view=month",
    `/users?q=${longName.split(" ")[1]}`,
    `/users?person=${tenant?.id}`,
    "/properties",
    "/users?tab=groups",
    "/integrations",
    "/settings",
    "/settings/audit",
    "/profile",
    "/help",
  ];
  await stall(page);
  const wrong: string[] = [];
  for (const path of screens) {
    await page.emulateMedia({ media: "screen" });
    await page.setViewportSize({ width: 1366, height: 900 });
    await page.goto(path);
    await expect(page.getByRole("heading").first()).toBeVisible();
    await expect(page.locator("[aria-busy=true], .animate-pulse")).toHaveCount(0);
    for (const width of [1366, 1280, 1200, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      wrong.push(...(await misfits(page)).map((what) => `${path} at ${width}: ${what}`));
    }
    await page.emulateMedia({ media: "print" });
    // US Letter without its margins, and a sheet as wide as the window.
    for (const width of [725, 1280]) {
      await page.setViewportSize({ width, height: 950 });
      wrong.push(...(await misfits(page)).map((what) => `${path} printed at ${width}: ${what}`));
    }
  }
  expect(wrong).toEqual([]);
});
