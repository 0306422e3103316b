import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CurrentUser } from "#contract/calls/auth.ts";
import { errorStatus, type ErrorCode } from "#contract/errors.ts";
import { send } from "#web/api/client.ts";
import { reachability } from "#web/api/reachability.ts";
import {
  loadSession,
  recheckSession,
  sessionStore,
  signedIn,
  signedOut,
  userChanged,
} from "#web/api/session.ts";

const ada: CurrentUser = {
  id: 1,
  username: "ada",
  firstName: "Ada",
  lastName: "Owner",
  email: null,
  role: "admin",
};

const fetched = vi.fn<typeof fetch>();
beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal("fetch", fetched);
  reachability.set(true);
});
afterEach(() => {
  vi.unstubAllGlobals();
  signedOut();
});

// spec 175
test("someone is signed in", async () => {
  fetched.mockResolvedValueOnce(Response.json(ada));
  const loading = loadSession();
  expect(sessionStore.get().state).toBe("loading");
  await loading;
  expect(sessionStore.get()).toMatchObject({ state: "signed-in", user: ada });
  expect(fetched).toHaveBeenCalledOnce();
});

const refusal = (code: ErrorCode, statusText = "") =>
  Response.json({ code, message: "No" }, { status: errorStatus[code], statusText });

// spec 175, 224-226
test.each([
  [401, "signed-out", "Unauthorized", undefined],
  [403, "forbidden", "Forbidden", "Error fetching user: Forbidden"],
  [500, "internal", "Internal Server Error", "Error fetching user: Internal Server Error"],
] as const)(
  "a %d means that no one is signed in, and isn't retried",
  async (_, code, statusText, sentence) => {
    fetched.mockResolvedValueOnce(refusal(code, statusText));
    expect(await loadSession()).toBe(sentence);
    expect(sessionStore.get().state).toBe("signed-out");
    expect(fetched).toHaveBeenCalledOnce();
  },
);

test("silence says nothing about the session", async () => {
  fetched.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  await loadSession();
  expect(sessionStore.get().state).toBe("unreachable");
});

test("neither does an answer that is not the server's", async () => {
  fetched.mockResolvedValueOnce(new Response("<h1>Welcome to the hotel's network</h1>"));
  await loadSession();
  expect(sessionStore.get().state).toBe("unreachable");
});

const page = (status: number, statusText = "") =>
  new Response("<h1>Blocked</h1>", { status, statusText, headers: { "Content-Type": "text/html" } });

test.each([
  [200, "OK", undefined],
  [401, "Unauthorized", undefined],
  [403, "Forbidden", "Error fetching user: Forbidden"],
  [502, "Bad Gateway", "Error fetching user: Bad Gateway"],
])("nor a proxy's %d, which is shown", async (status, statusText, sentence) => {
  fetched.mockResolvedValueOnce(page(status, statusText));
  expect(await loadSession()).toBe(sentence);
  expect(sessionStore.get().state).toBe("unreachable");
});

test.each([200, 401, 403, 404, 407, 429, 502, 511])(
  "a proxy's %d ends no session: the server is out of reach if the session isn't answered either",
  async (status) => {
    signedIn(ada);
    const before = sessionStore.get();
    const heard: boolean[] = [];
    const leave = reachability.subscribe(() => heard.push(reachability.get()));
    const one = { method: "POST", path: "/api/send-notification" } as const;
    fetched.mockResolvedValueOnce(page(status)).mockResolvedValueOnce(Response.json(ada));
    await send(one, one.path).catch(() => undefined);
    await vi.waitFor(() => expect(sessionStore.get()).not.toBe(before));
    // It is not back either: unsent messages would be sent again at once, each time.
    expect(heard).toEqual([]);
    fetched.mockImplementation(async () => page(status));
    await send(one, one.path).catch(() => undefined);
    await vi.waitFor(() => expect(heard).toEqual([false]));
    await recheckSession();
    expect(heard).toEqual([false]);
    leave();
    expect(sessionStore.get()).toMatchObject({ state: "signed-in", user: ada });
  },
);

test("a server without its database stays out of reach until it answers", async () => {
  signedIn(ada);
  const heard: boolean[] = [];
  const leave = reachability.subscribe(() => heard.push(reachability.get()));
  fetched.mockImplementation(async () => refusal("unavailable"));
  for (let times = 0; times < 3; times += 1) await recheckSession();
  expect(heard).toEqual([false]);
  fetched.mockImplementation(async () => Response.json(ada));
  await recheckSession();
  leave();
  expect(heard).toEqual([false, true]);
});

test("each sign-in is a new one, also of the same person", () => {
  signedIn(ada);
  const first = sessionStore.get();
  signedOut();
  signedIn(ada);
  const second = sessionStore.get();
  expect(first.state === "signed-in" && second.state === "signed-in" && second.serial - first.serial).toBe(1);
});

const notices = { method: "GET", path: "/api/notifications" } as const;
const asked = () => fetched.mock.calls.map(([url]) => url);

test("calls that find the session over wait for its person, and are then made once more", async () => {
  signedIn(ada);
  const before = sessionStore.get();
  const watch = vi.fn<() => void>();
  const leave = sessionStore.subscribe(watch);
  fetched.mockImplementation(async () => refusal("session-expired"));
  const calls = [send(notices, notices.path), send(notices, notices.path)];
  await vi.waitFor(() => expect(sessionStore.get()).toEqual({ ...before, ended: "No" }));
  leave();
  expect(watch).toHaveBeenCalledOnce();
  expect(asked()).toEqual([notices.path, notices.path, "/api/auth/me"]);
  // Another one waits from the start, and one in someone's name fails.
  calls.push(send(notices, notices.path));
  await expect(send(notices, notices.path, { as: ada.id })).rejects.toThrow("401");
  fetched.mockReset();
  fetched.mockImplementation(async () => Response.json([]));
  // With an expired password nothing works yet.
  signedIn({ ...ada, passwordExpired: true });
  expect(asked()).toEqual([]);
  fetched.mockResolvedValueOnce(Response.json(ada));
  await recheckSession();
  for (const response of await Promise.all(calls)) expect(response.status).toBe(200);
  expect(asked()).toEqual(["/api/auth/me", notices.path, notices.path, notices.path]);
  expect(sessionStore.get()).toEqual(before);
});

test("someone else who signs in starts afresh, and what the first person left is not done", async () => {
  signedIn(ada);
  fetched.mockImplementation(async () => refusal("signed-out"));
  const left = vi.fn<() => void>();
  void send(notices, notices.path).finally(left);
  await vi.waitFor(() => expect(sessionStore.get()).toHaveProperty("ended", expect.any(String)));
  const before = sessionStore.get();
  fetched.mockReset();
  fetched.mockImplementation(async () => Response.json([]));
  signedIn({ ...ada, id: 2 });
  signedIn(ada);
  await send(notices, notices.path);
  expect(asked()).toEqual([notices.path]);
  expect(left).not.toHaveBeenCalled();
  const now = sessionStore.get();
  expect(before.state === "signed-in" && now.state === "signed-in" && now.serial - before.serial).toBe(2);
});

test.each([
  ["signed out here", "signed-out", { left: true }, undefined],
  ["signed out from elsewhere", "session-ended", {}, "No"],
] as const)("a page of someone who has %s is not kept", async (_, code, how, why) => {
  signedIn(ada);
  fetched.mockResolvedValueOnce(refusal(code));
  await recheckSession(how);
  expect(sessionStore.get()).toEqual({ state: "signed-out", ...(why && { why }) });
});

test("a call whose session can't be checked fails as it did", async () => {
  signedIn(ada);
  fetched.mockResolvedValueOnce(refusal("signed-out"));
  fetched.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  await expect(send(notices, notices.path)).rejects.toThrow("401");
  expect(sessionStore.get()).not.toHaveProperty("ended");
});

test("who changes their own name stays signed in as before, and no one else's change is taken for theirs", () => {
  signedIn(ada);
  const before = sessionStore.get();
  userChanged({ ...ada, id: 2, firstName: "Eve" });
  expect(sessionStore.get()).toBe(before);
  userChanged({ ...ada, firstName: "Augusta" });
  expect(sessionStore.get()).toEqual({ ...before, user: { ...ada, firstName: "Augusta" } });
});

test("asked again, a session that is over ends, a new role holds at once, and silence changes nothing", async () => {
  signedIn(ada);
  const before = sessionStore.get();
  fetched.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  await recheckSession();
  expect(sessionStore.get()).toBe(before);
  expect(reachability.get()).toBe(false);
  fetched.mockResolvedValueOnce(new Response("", { status: 502 }));
  await recheckSession();
  expect(sessionStore.get()).toBe(before);
  expect(reachability.get()).toBe(false);
  fetched.mockResolvedValueOnce(Response.json({ ...ada, role: "tenant" }));
  await recheckSession();
  expect(sessionStore.get()).toEqual({ ...before, user: { ...ada, role: "tenant" } });
  expect(reachability.get()).toBe(true);
  fetched.mockResolvedValueOnce(refusal("signed-out"));
  await recheckSession();
  expect(sessionStore.get()).toHaveProperty("ended", "Your session has ended. Please sign in.");
});

test.each([
  ["the session is gone", () => refusal("signed-out")],
  ["it is still the person before", () => Response.json(ada)],
])("who has signed in since stays signed in when a late answer says that %s", async (_, late) => {
  const eve = { ...ada, id: 2, username: "eve" };
  const answer = Promise.withResolvers<Response>();
  signedIn(ada);
  fetched.mockReturnValueOnce(answer.promise);
  const rechecked = recheckSession();
  signedOut();
  signedIn(eve);
  answer.resolve(late());
  await rechecked;
  expect(sessionStore.get()).toMatchObject({ state: "signed-in", user: eve });
});

test("calls say whose they are, and the page becomes theirs who has signed in in another tab", async () => {
  const eve = { ...ada, id: 2, username: "eve" };
  const one = { method: "GET", path: "/api/notifications" } as const;
  const named = () =>
    fetched.mock.calls.map(([, init]) => new Headers(init?.headers).get("X-Porchlight-User"));
  signedIn(ada);
  fetched.mockResolvedValueOnce(refusal("signed-out"));
  fetched.mockResolvedValueOnce(Response.json(eve));
  void send(one, one.path);
  await vi.waitFor(() =>
    expect(sessionStore.get()).toMatchObject({ state: "signed-in", user: eve, elsewhere: true }),
  );
  fetched.mockImplementation(() => Promise.resolve(Response.json([])));
  await send(one, one.path);
  await send(one, one.path, { as: ada.id });
  signedOut();
  await send(one, one.path);
  // Who is signed in is asked in no one's name.
  expect(named()).toEqual(["1", null, "2", "1", null]);
});
