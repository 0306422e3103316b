import type { Page } from "@playwright/test";
import { groups } from "#contract/calls/groups.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { schedules } from "#contract/calls/schedules.ts";
import { findFaintInDark } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { moveIn } from "./people.ts";

/** Bytes of script over the network, and how many files, before a screen is complete. */
const budget = { bytes: 230_000, files: 20 };
/** What Chromium calls a layout shift score: the moved part of the window times how far it moved. */
const SHIFT_MAX = 0.02;
/** 320 px is 1280 px at 400 %, and 640 px at 200 %. */
const narrow = [640, 320];

// What other tests sent or planned could change on the screen, and move it.
test.use({ alone: "screens" });

test("every screen loads within its budget, without moving, can be read in the dark, and never scrolls sideways", async ({
  page,
  system,
}) => {
  const long = "Wolfeschlegelsteinhausenbergerdorff";
  const property = await moveIn(system.call, [
    { lastName: long, email: `${long}@example.com` },
    { phone: "" },
  ]);
  const [person] = property.tenants;
  const group = await system.call(groups.create, {
    body: { name: `${long} & ${long}`, userIds: [person?.id ?? 0] },
  });
  const recipients = [property.group, { type: "group", id: group.id }];
  const { id } = await system.call(notifications.send, {
    body: { title: `For ${long}`, message: `Dear ${long},`, recipients, channels: ["email", "sms"] },
  });
  // As many as the dashboard shows, like the lines that stand there while they are loading.
  for (const title of ["Gate", "Roof", "Pool"]) {
    await system.call(notifications.create, { body: { title, content: "Hello.", status: "Draft" } });
  }
  const schedule = await system.call(schedules.create, {
    body: { name: `Every day ${long}`, notificationId: id, recipients, recurrence: "daily", time: "09:00" },
  });
  await expect
    .poll(async () => (await system.call(notifications.detail, { params: { id } })).status, {
      timeout: 120_000,
    })
    .not.toBe("Sending");
  // Otherwise, the screen's code could not be told from all the rest, which is loaded while the page is idle.
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0;
    const request = window.fetch;
    const asked: string[] = [];
    window.fetch = (input, options) => {
      if (typeof input === "string") asked.push(new URL(input, location.href).href);
      return request(input, options);
    };
    Object.assign(window, { asked });
  });

  const problems: string[] = [];
  for (const path of [
    "/",
    `/?write=group:${group.id}`,
    "/notifications",
    `/notifications/${id}`,
    `/notifications/${id}?edit=schedule`,
    "/templates",
    "/schedules",
    `/schedules?schedule=${schedule.id}`,
    `/schedules?edit=${schedule.id}`,
    "/schedules?view=month",
    "/schedules?view=week",
    "/properties",
    "/users",
    `/users?person=${person?.id}`,
    "/users?tab=groups",
    `/users?tab=groups&members=${group.id}`,
    "/users?tab=blocked",
    "/settings",
    "/settings?tab=notifications",
    "/settings?tab=security",
    "/settings/audit",
    "/integrations",
    "/integrations?tab=email",
    "/integrations?tab=sms",
    "/help",
    "/profile",
    "/welcome",
    "/attic",
  ]) {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(path);
    await complete(page);
    const { bytes, files, shifts } = await measure(page);
    // A dialog that the address opens comes on top.
    if (!path.includes("?")) {
      if (bytes > budget.bytes || files > budget.files)
        problems.push(`${path}: ${bytes} bytes, ${files} files`);
      for (const text of await findFaintInDark(page)) problems.push(`${path} in the dark: ${text}`);
    }
    for (const text of await outsideItsTab(page)) problems.push(`${path}: "${text}" is wider than its tab`);
    for (const call of await neverAsked(page)) problems.push(`${path}: ${call} is preloaded for nothing`);
    for (const { score, moved } of shifts)
      if (score > SHIFT_MAX) problems.push(`${path}: ${score} by ${moved}`);
    for (const width of narrow) {
      await page.setViewportSize({ width, height: 640 });
      const wide = await staysTooWide(page);
      if (wide) problems.push(`${path} at ${width} px: ${wide}`);
    }
  }
  expect(problems).toEqual([]);
});

/** Waits until nothing on the page says that it is loading. */
async function complete(page: Page): Promise<void> {
  await expect(
    page.getByRole("main").getByRole("heading").or(page.getByRole("dialog")).first(),
  ).toBeVisible();
  await expect(page.locator(".animate-pulse, .animate-spin")).toHaveCount(0);
}

function outsideItsTab(page: Page): Promise<string[]> {
  return page
    .getByRole("tab")
    .evaluateAll((tabs) =>
      tabs.filter((tab) => tab.scrollWidth > tab.clientWidth).map((tab) => tab.textContent ?? ""),
    );
}

/** The calls that the server names in the page's head (http/page.ts) and that the screen doesn't make. */
function neverAsked(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { asked } = window as unknown as { asked: string[] };
    const named = [...document.querySelectorAll<HTMLLinkElement>('link[as="fetch"][href^="/api/"]')];
    return named.map(({ href }) => href).filter((href) => !asked.includes(href));
  });
}

/** What the page has loaded so far, and what moved meanwhile. */
function measure(page: Page) {
  return page.evaluate(async () => {
    const resources = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    const sizes = new Map<string, number>();
    for (const { name, encodedBodySize } of resources) {
      if (name.endsWith(".js")) sizes.set(name, Math.max(encodedBodySize, sizes.get(name) ?? 0));
    }
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node?: Node }[] };
    const entries = await new Promise<Shift[]>((resolve) => {
      const seen: Shift[] = [];
      new PerformanceObserver((list) => seen.push(...(list.getEntries() as Shift[]))).observe({
        type: "layout-shift",
        buffered: true,
      });
      setTimeout(() => resolve(seen), 100);
    });
    const describe = ({ node }: { node?: Node }) =>
      node instanceof Element ? `${node.localName}.${node.className} ${node.textContent.slice(0, 30)}` : "";
    const shifts = entries
      .filter(({ hadRecentInput }) => !hadRecentInput)
      .map(({ value, sources }) => ({ score: value, moved: sources.map(describe).join(" | ") }));
    return { bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0), files: sizes.size, shifts };
  });
}

/** The same once the page has taken its new shape, which may take a busy machine a moment. */
async function staysTooWide(page: Page): Promise<string | undefined> {
  let wide = await tooWide(page);
  for (let tries = 0; wide !== undefined && tries < 20; tries++) {
    await page.waitForTimeout(100);
    wide = await tooWide(page);
  }
  return wide;
}

/** What sticks out of the window, if it can be scrolled sideways. */
function tooWide(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const outer = [...document.querySelectorAll("[role=dialog]")].find(
      (box) => box.scrollWidth > box.clientWidth,
    );
    if (scrollWidth <= clientWidth && !outer) return undefined;
    const boxes = [...document.querySelectorAll("main *, header *, [role=dialog] *")];
    const out = boxes.findLast((box) => box.getBoundingClientRect().right > clientWidth + 1);
    return `${scrollWidth} px wide: ${out?.outerHTML.slice(0, 200)}`;
  });
}
