import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ServerEvent } from "#contract/calls/shell.ts";
import { reachability } from "#web/api/reachability.ts";
import { listen } from "#web/api/events.ts";
import { sessionStore, signedIn, signedOut } from "#web/api/session.ts";

/** The browser's stream, driven by hand. */
class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static opened: Stream[] = [];
  readyState = 1;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
    Stream.opened.push(this);
  }
  close() {
    this.readyState = Stream.CLOSED;
  }
  open() {
    this.dispatchEvent(new Event("open"));
  }
  say(event: ServerEvent) {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(event) }));
  }
  cut() {
    this.dispatchEvent(new Event("error"));
  }
  refuse() {
    this.readyState = Stream.CLOSED;
    this.cut();
  }
}

/** The page, which someone sees or not. */
class Page extends EventTarget {
  hidden = false;
  show(seen: boolean) {
    this.hidden = !seen;
    this.dispatchEvent(new Event("visibilitychange"));
  }
}
let page: Page;

const latest = () => Stream.opened.at(-1) ?? expect.fail("no stream was opened");
const leaves: (() => void)[] = [];
function hear() {
  const heard: ServerEvent[] = [];
  const leave = listen((event) => heard.push(event));
  leaves.push(leave);
  return { heard, leave };
}

beforeEach(() => {
  Stream.opened = [];
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", Stream);
  page = new Page();
  vi.stubGlobal("document", page);
});
afterEach(() => {
  for (const leave of leaves.splice(0)) leave();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  reachability.set(true);
});

test("one stream serves all listeners and ends with the last", () => {
  const one = hear();
  const other = hear();
  expect(Stream.opened).toHaveLength(1);
  expect(latest().url).toMatch(/^\/api\/events\?since=\d+$/);
  const event: ServerEvent = { type: "run", notificationId: 7, progress: null };
  latest().say(event);
  expect(one.heard).toEqual([event]);
  expect(other.heard).toEqual(one.heard);
  one.leave();
  expect(latest().readyState).not.toBe(Stream.CLOSED);
  other.leave();
  expect(latest().readyState).toBe(Stream.CLOSED);
});

test("a cut tells the page, and coming back tells the listeners that they may have missed something", () => {
  const { heard } = hear();
  latest().open();
  expect(heard).toEqual([]);
  latest().cut();
  expect(reachability.get()).toBe(false);
  latest().open();
  expect(reachability.get()).toBe(true);
  expect(heard).toEqual([{ type: "reconnected" }]);
});

/** How much of the past a stream asks the server to repeat, in milliseconds. */
const since = () => Number(new URL(latest().url, "http://porchlight.example").searchParams.get("since"));

test("the first stream asks for what has happened since the page was requested, a later one says that all may have changed", () => {
  vi.spyOn(performance, "now").mockReturnValue(5000);
  const { heard } = hear();
  expect(since()).toBe(7000);
  latest().open();
  expect(heard).toEqual([]);
  latest().refuse();
  vi.advanceTimersByTime(1000);
  expect(since()).toBe(0);
  latest().open();
  expect(heard).toEqual([{ type: "reconnected" }]);
});

test("a page that was requested long ago asks for as much as the server keeps", () => {
  vi.spyOn(performance, "now").mockReturnValue(600_000);
  hear();
  expect(since()).toBe(60_000);
});

test("a stream that takes long to open may have missed something", () => {
  const { heard } = hear();
  vi.advanceTimersByTime(2001);
  latest().open();
  expect(heard).toEqual([{ type: "reconnected" }]);
});

test("after a refusal it asks again, each time later, and at once counts as back", () => {
  hear();
  latest().open();
  const waits = [1000, 2000, 4000];
  for (const wait of waits) {
    latest().refuse();
    const before = Stream.opened.length;
    vi.advanceTimersByTime(wait - 1);
    expect(Stream.opened).toHaveLength(before);
    vi.advanceTimersByTime(1);
    expect(Stream.opened).toHaveLength(before + 1);
  }
  latest().open();
  latest().refuse();
  vi.advanceTimersByTime(1000);
  expect(Stream.opened).toHaveLength(waits.length + 2);
});

test("a stream that is refused because the session is over waits for its person, and does not call the server away", async () => {
  signedIn({ id: 1, username: "ada", firstName: "Ada", lastName: "Owner", email: null, role: "staff" });
  vi.stubGlobal("fetch", () =>
    Promise.resolve(Response.json({ code: "signed-out", message: "Please sign in" }, { status: 401 })),
  );
  hear();
  latest().open();
  latest().refuse();
  await vi.waitFor(() => expect(sessionStore.get()).toHaveProperty("ended", expect.any(String)));
  expect(reachability.get()).toBe(true);
  signedOut();
});

test("a tab that no one sees holds no connection, and reads again when it is seen", () => {
  const { heard, leave } = hear();
  latest().open();
  page.show(false);
  expect(Stream.opened.map(({ readyState }) => readyState)).toEqual([Stream.CLOSED]);
  vi.advanceTimersByTime(60_000);
  expect(Stream.opened).toHaveLength(1);
  page.show(true);
  expect(Stream.opened).toHaveLength(2);
  expect(heard).toEqual([]);
  latest().open();
  expect(heard).toEqual([{ type: "reconnected" }]);
  leave();
  page.show(true);
  expect(Stream.opened).toHaveLength(2);
});

test("a tab that was opened unseen reads again at the first look", () => {
  page.hidden = true;
  const { heard } = hear();
  expect(Stream.opened).toEqual([]);
  page.show(true);
  latest().open();
  expect(heard).toEqual([{ type: "reconnected" }]);
});

test("no one left, nothing asked again", () => {
  const { leave } = hear();
  latest().refuse();
  leave();
  vi.advanceTimersByTime(60_000);
  expect(Stream.opened).toHaveLength(1);
});
