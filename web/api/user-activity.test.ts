import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchForActivity } from "#web/api/user-activity.ts";
import { send } from "#web/api/client.ts";

const fetched = vi.fn<typeof fetch>();
const leaves: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  fetched.mockReset();
  fetched.mockImplementation(() => Promise.resolve(Response.json([])));
  vi.stubGlobal("fetch", fetched);
});
afterEach(() => {
  for (const leave of leaves.splice(0)) leave();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Whether a call made now is marked as no one's doing. */
async function marked(): Promise<boolean> {
  await send({ method: "GET", path: "/api/notifications" }, "/api/notifications");
  return new Headers(fetched.mock.lastCall?.[1]?.headers).get("X-Porchlight-Unattended") === "1";
}

test.each(["pointerdown", "keydown", "wheel", "click", "input"])(
  "what the page asks a minute after the last %s is marked as asked by nobody",
  async (sign) => {
    const page = new EventTarget();
    leaves.push(watchForActivity(page));
    page.dispatchEvent(new Event(sign));
    vi.advanceTimersByTime(59_000);
    expect(await marked()).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(await marked()).toBe(true);
    page.dispatchEvent(new Event(sign));
    expect(await marked()).toBe(false);
  },
);
