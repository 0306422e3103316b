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

let place = 0;
/** An event of this type; the pointer is at another place each time. */
function moved(type: string): Event {
  place += 1;
  return Object.assign(new Event(type), { screenX: place, screenY: 0 });
}

/** Whether a call made now is marked as no one's doing. */
async function marked(): Promise<boolean> {
  await send({ method: "GET", path: "/api/notifications" }, "/api/notifications");
  return new Headers(fetched.mock.lastCall?.[1]?.headers).get("X-Porchlight-Unattended") === "1";
}

test.each(["pointerdown", "pointermove", "keydown", "wheel", "click", "input"])(
  "what the page asks a minute after the last %s is marked as asked by nobody",
  async (sign) => {
    const page = new EventTarget();
    leaves.push(watchForActivity(page));
    page.dispatchEvent(moved(sign));
    vi.advanceTimersByTime(59_000);
    expect(await marked()).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(await marked()).toBe(true);
    page.dispatchEvent(moved(sign));
    expect(await marked()).toBe(false);
  },
);

test("a page that moves under a resting pointer is no activity", async () => {
  const page = new EventTarget();
  leaves.push(watchForActivity(page));
  const resting = moved("pointermove");
  page.dispatchEvent(resting);
  vi.advanceTimersByTime(60_000);
  page.dispatchEvent(resting);
  expect(await marked()).toBe(true);
});

test("the server hears at most once a minute of someone whose page asks for nothing", async () => {
  const page = new EventTarget();
  const tell = vi.fn<() => void>();
  leaves.push(watchForActivity(page, tell));
  page.dispatchEvent(new Event("keydown"));
  await marked();
  for (let seconds = 0; seconds < 120; seconds += 1) {
    vi.advanceTimersByTime(1000);
    page.dispatchEvent(new Event("keydown"));
  }
  expect(tell).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(600_000);
  expect(tell).toHaveBeenCalledTimes(2);
});
