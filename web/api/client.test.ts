import * as z from "zod";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { endpoint } from "#contract/endpoint.ts";
import { address, call, callList, whenPasswordRequired, whenInDoubt } from "#web/api/client.ts";
import { reachability } from "#web/api/reachability.ts";
import { ApiError, CancelledError, OfflineError } from "#web/api/call-errors.ts";

const row = z.object({ id: z.number() });
const list = endpoint({
  method: "GET",
  path: "/api/rows",
  access: "console",
  summary: "",
  query: z.object({ q: z.string().optional(), page: z.coerce.number().default(1) }),
  answer: "list",
  reply: z.array(row),
});
const change = endpoint({
  method: "PUT",
  path: "/api/rows/{id}",
  access: "console",
  summary: "",
  params: z.object({ id: z.coerce.number() }),
  body: z.object({ title: z.string() }),
  reply: row,
});
const me = endpoint({ method: "GET", path: "/api/auth/me", access: "signed-in", summary: "", reply: row });

const fetched = vi.fn<typeof fetch>();
const answer = (body: unknown, init?: ResponseInit) =>
  fetched.mockResolvedValueOnce(Response.json(body, init));

const page = (init?: ResponseInit) =>
  new Response("<html>Sign in to the Wi-Fi</html>", { headers: { "Content-Type": "text/html" }, ...init });

beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal("fetch", fetched);
  reachability.set(true);
});
afterEach(() => {
  vi.unstubAllGlobals();
  whenInDoubt(() => {});
});

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.fail("it should have failed"),
    (error: unknown) => error,
  );
}

// spec 217, 218
test("a call sends method, filled path, JSON and cookies", async () => {
  answer({ id: 7 });
  await expect(call(change, { params: { id: 7 }, body: { title: "Rent" } })).resolves.toEqual({ id: 7 });
  const [url, init] = fetched.mock.calls[0] ?? [];
  expect(url).toBe("/api/rows/7");
  expect(init).toMatchObject({ method: "PUT", credentials: "same-origin", body: '{"title":"Rent"}' });
  expect(init?.headers).toMatchObject({ "Content-Type": "application/json" });
});

test("a call without a body names no content type", async () => {
  answer([]);
  await call(list);
  expect(fetched.mock.calls[0]?.[1]?.headers).not.toHaveProperty("Content-Type");
});

test("a list comes with its total", async () => {
  answer([{ id: 1 }], { headers: { "X-Total-Count": "312" } });
  await expect(callList(list, { query: { page: 2 } })).resolves.toEqual({ rows: [{ id: 1 }], total: 312 });
  answer([{ id: 1 }], { headers: { "X-Total-Count": "40000", "X-Total-Estimated": "true" } });
  await expect(callList(list)).resolves.toEqual({ rows: [{ id: 1 }], total: 40_000, about: true });
});

test.each([
  [{ query: { q: "a&b=ü", page: 2 } }, "/api/rows?q=a%26b%3D%C3%BC&page=2"],
  [{ query: { q: "", page: undefined } }, "/api/rows"],
  [{ query: { status: ["Failed", "Draft"] } }, "/api/rows?status=Failed&status=Draft"],
  [{}, "/api/rows"],
])("the address of %o is %s", (input, expected) => expect(address("/api/rows", input)).toBe(expected));

test("a parameter cannot leave its place in the path", () => {
  expect(address("/api/rows/{id}", { params: { id: "../users?x" } })).toBe("/api/rows/..%2Fusers%3Fx");
});

test("a reply that breaks the contract fails while developing", async () => {
  answer({ id: "seven" });
  expect(await failure(call(me))).toBeInstanceOf(z.ZodError);
});

describe("a refusal", () => {
  // spec 219
  test("carries status, code, fields, and the text “status: message”", async () => {
    answer(
      { code: "invalid-input", message: "Please check", fields: { title: "Title is required" } },
      { status: 400 },
    );
    const error = await failure(call(change, { params: { id: 1 }, body: { title: "" } }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 400,
      code: "invalid-input",
      message: "400: Please check",
      reason: "Please check",
      fields: { title: "Title is required" },
    });
  });

  // spec 220
  test("by something that is not ours keeps its text, or the status text when there is none", async () => {
    fetched.mockResolvedValueOnce(new Response("upstream gone", { status: 502 }));
    expect(await failure(call(list))).toMatchObject({
      message: "502: upstream gone",
      code: undefined,
      fields: {},
    });
    fetched.mockResolvedValueOnce(new Response("", { status: 503, statusText: "Service Unavailable" }));
    expect(await failure(call(list))).toMatchObject({ message: "503: Service Unavailable" });
  });

  test.each([
    [403, "Forbidden", "403: Forbidden. A proxy or Wi-Fi sign-in page answered instead of Porchlight."],
    // HTTP/2 has no status text.
    [429, "", "429: A proxy or Wi-Fi sign-in page answered instead of Porchlight."],
    [
      413,
      "Payload Too Large",
      expect.stringMatching(/^413: A proxy in front of Porchlight doesn't accept this much at once\./),
    ],
  ])(
    "by a proxy's page with %d %s is shown as a sentence, not as HTML",
    async (status, statusText, sentence) => {
      fetched.mockResolvedValueOnce(page({ status, statusText }));
      expect(await failure(call(list))).toMatchObject({ message: sentence });
    },
  );

  test("by a gateway that names a code of its own has none of ours", async () => {
    answer({ code: 7001, message: "Not allowed from here" }, { status: 403 });
    expect(await failure(call(list))).toMatchObject({
      message: "403: Not allowed from here",
      code: undefined,
    });
  });

  // spec 222
  test("with 401 asks who is signed in, except where it is the answer", async () => {
    const doubt = vi.fn<() => void>();
    whenInDoubt(doubt);
    answer({ code: "signed-out", message: "Please sign in" }, { status: 401 });
    await failure(call(me));
    expect(doubt).not.toHaveBeenCalled();
    answer({ code: "signed-out", message: "Please sign in" }, { status: 401 });
    await failure(call(list));
    expect(doubt).toHaveBeenCalledOnce();
  });
});

describe("no answer", () => {
  test.each([200, 401, 403, 404, 407, 413, 429, 502, 511])(
    "a proxy's page with %d says nothing about the server, so the session is asked",
    async (status) => {
      const doubt = vi.fn<() => void>();
      whenInDoubt(doubt);
      for (const reached of [true, false]) {
        reachability.set(reached);
        fetched.mockResolvedValueOnce(page({ status }));
        await failure(call(list));
        expect(reachability.get()).toBe(reached);
      }
      expect(doubt).toHaveBeenCalledTimes(2);
      fetched.mockResolvedValueOnce(page({ status }));
      await failure(call(me));
      expect(doubt).toHaveBeenCalledTimes(2);
    },
  );

  test("is not what the server says of its database or of a provider", async () => {
    const doubt = vi.fn<() => void>();
    whenInDoubt(doubt);
    answer({ code: "unavailable", message: "The provider is away." }, { status: 503 });
    await failure(call(list));
    expect([reachability.get(), doubt.mock.calls]).toEqual([true, []]);
  });

  test("a page in place of the reply is an OfflineError", async () => {
    fetched.mockResolvedValueOnce(page());
    expect(await failure(call(list))).toBeInstanceOf(OfflineError);
  });

  test("is an OfflineError, and the page knows until the next answer", async () => {
    fetched.mockRejectedValueOnce(new TypeError("Failed to fetch"));
    expect(await failure(call(list))).toBeInstanceOf(OfflineError);
    expect(reachability.get()).toBe(false);
    answer([]);
    await call(list);
    expect(reachability.get()).toBe(true);
  });

  test("because the caller gave up is no outage", async () => {
    const abort = new AbortController();
    abort.abort();
    fetched.mockRejectedValueOnce(abort.signal.reason);
    expect(await failure(call(list, {}, { signal: abort.signal }))).toBe(abort.signal.reason);
    expect(reachability.get()).toBe(true);
  });
});

test("a call that needs the password again is repeated with it, and cancelled without", async () => {
  const refused = () => answer({ message: "Enter it", code: "password-required" }, { status: 403 });
  refused();
  expect(await failure(call(change, { params: { id: 7 }, body: { title: "Rent" } }))).toBeInstanceOf(
    ApiError,
  );
  const ask = vi.fn<() => Promise<boolean>>();
  const stop = whenPasswordRequired(ask);
  refused();
  ask.mockResolvedValueOnce(false);
  const cancelled = await failure(call(change, { params: { id: 7 }, body: { title: "Rent" } }));
  expect(cancelled).toBeInstanceOf(CancelledError);
  refused();
  answer({ id: 7 });
  ask.mockResolvedValueOnce(true);
  await expect(call(change, { params: { id: 7 }, body: { title: "Rent" } })).resolves.toEqual({ id: 7 });
  stop();
});
