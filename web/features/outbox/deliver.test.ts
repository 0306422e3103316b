import { describe, expect, test } from "vitest";
import { ApiError, OfflineError } from "#web/api/call-errors.ts";
import { deliverWaiting } from "#web/features/outbox/deliver.ts";
import type { PendingCall } from "#web/features/outbox/entry.ts";
import { fakeStorage, pending, tab } from "#web/features/outbox/testing.ts";

/** A server that remembers the client keys it has accepted. `answer` may refuse or fail instead. */
function server(answer: (key: string) => unknown = () => undefined) {
  const calls: string[] = [];
  const taken = new Set<string>();
  const post = async ({ body }: PendingCall) => {
    const key = body.clientKey ?? "";
    calls.push(key);
    const trouble = answer(key);
    if (trouble !== undefined) throw trouble;
    taken.add(key);
    return { id: 1, sandboxOnly: key === "first" };
  };
  return { post, calls, taken };
}

async function outboxWith(...keys: string[]) {
  const outbox = tab();
  for (const key of keys) await outbox.keep(7, pending(key));
  return outbox;
}

describe("a round", () => {
  test("sends the oldest first and removes what the server has accepted", async () => {
    const outbox = await outboxWith("first", "second");
    const { post, calls } = server();
    const round = await deliverWaiting(outbox, 7, post);
    expect(calls).toEqual(["first", "second"]);
    expect(round).toMatchObject({
      delivered: [
        { clientKey: "first", sandboxOnly: true },
        { clientKey: "second", sandboxOnly: false },
      ],
      unfinished: false,
    });
    expect(outbox.entries()).toEqual([]);
    await deliverWaiting(outbox, 7, post);
    expect(calls).toHaveLength(2);
  });

  test.each([
    ["no network", new OfflineError()],
    ["a gateway without its server", new ApiError(502, "Bad Gateway")],
    ["a page in place of the reply", new OfflineError()],
    ["an ended session", new ApiError(401, "Sign in", "signed-out")],
    ["a proxy that wants a password", new ApiError(401, "Authorization Required")],
    ["too many requests", new ApiError(429, "Slow down", "too-many-requests")],
    ["too many requests for a proxy", new ApiError(429, "Too Many Requests")],
    ["a network that wants people to sign in", new ApiError(511, "Network Authentication Required")],
  ])("%s stops it, and everything is kept", async (_, error) => {
    const outbox = await outboxWith("a", "b");
    const { post, calls } = server(() => error);
    const round = await deliverWaiting(outbox, 7, post);
    expect(calls).toEqual(["a"]);
    expect(round).toEqual({ delivered: [], refused: [], unfinished: true });
    expect(outbox.entries().map((one) => one.refusal)).toEqual([null, null]);
  });

  test("keeps a refusal with the server's sentence, doesn't retry it, and continues with the others", async () => {
    const outbox = await outboxWith("bad", "good");
    const { post, calls } = server((key) =>
      key === "bad" ? new ApiError(422, "The time is past.", "date-in-the-past") : undefined,
    );
    const round = await deliverWaiting(outbox, 7, post);
    expect(round).toMatchObject({
      delivered: [{ clientKey: "good" }],
      refused: [{ clientKey: "bad", refusal: "The time is past." }],
      unfinished: false,
    });
    expect(outbox.entries()).toMatchObject([{ clientKey: "bad", refusal: "The time is past." }]);
    await deliverWaiting(outbox, 7, post);
    expect(calls).toEqual(["bad", "good"]);
  });

  test.each([
    ["an error of the server", new ApiError(500, "Something went wrong", "internal")],
    ["a proxy that blocks it", new ApiError(403, "Forbidden")],
    ["a gateway without a route", new ApiError(404, "default backend")],
    ["a maintenance page that nothing can be sent to", new ApiError(405, "Not Allowed")],
  ])("after %s, the entry waits, says why, and the others continue", async (_, error) => {
    const outbox = await outboxWith("a", "b");
    const { post } = server((key) => (key === "a" ? error : undefined));
    const round = await deliverWaiting(outbox, 7, post);
    expect(round).toMatchObject({ delivered: [{ clientKey: "b" }], refused: [], unfinished: true });
    expect(outbox.entries()).toMatchObject([{ clientKey: "a", refusal: null, obstacle: error.message }]);
    const again = server(() => new OfflineError());
    await deliverWaiting(outbox, 7, again.post);
    expect(again.calls).toEqual(["a"]);
    expect(outbox.entries()).toMatchObject([{ clientKey: "a", refusal: null, obstacle: null }]);
  });

  test("what is too large for a proxy waits for a person, because it stays too large", async () => {
    const outbox = await outboxWith("a");
    const { post } = server(() => new ApiError(413, "The proxy doesn't accept this much."));
    await deliverWaiting(outbox, 7, post);
    expect(outbox.entries()).toMatchObject([{ refusal: "The proxy doesn't accept this much." }]);
  });

  test("a lost reply doesn't create a second notification", async () => {
    const outbox = await outboxWith("a");
    const { post, taken } = server();
    const cutOff = async (call: PendingCall): Promise<never> => {
      await post(call);
      throw new OfflineError();
    };
    await deliverWaiting(outbox, 7, cutOff);
    await deliverWaiting(outbox, 7, post);
    expect(taken).toEqual(new Set(["a"]));
    expect(outbox.entries()).toEqual([]);
  });

  test("sends only what this person wrote in this person's session", async () => {
    const outbox = await outboxWith("mine");
    await outbox.keep(8, pending("theirs"));
    const { post, calls } = server();
    await deliverWaiting(outbox, 7, post);
    expect(calls).toEqual(["mine"]);
    expect(outbox.entries().map((one) => one.clientKey)).toEqual(["theirs"]);
  });

  test("an entry being sent can't be discarded in any tab, until sending has failed", async () => {
    const storage = fakeStorage();
    const [here, there] = [tab(storage), tab(storage)];
    await here.keep(7, pending("a"));
    const asked: unknown[] = [];
    const cutOff = async () => {
      there.reload();
      asked.push(there.entries()[0]?.underWay, await there.discard("a"), await here.discard("a"));
      throw new OfflineError();
    };
    await deliverWaiting(here, 7, cutOff);
    expect(asked).toEqual([true, false, false]);
    expect(here.entries()).toMatchObject([{ clientKey: "a", underWay: false }]);
    expect(await there.discard("a")).toBe(true);
    here.reload();
    expect(here.entries()).toEqual([]);
  });

  test.each([
    ["a refusal", new ApiError(422, "No.", "invalid-input")],
    ["a fault of the server", new ApiError(500, "Oops", "internal")],
  ])("after %s nothing is on its way", async (_, error) => {
    const outbox = await outboxWith("a");
    const { post } = server(() => error);
    await deliverWaiting(outbox, 7, post);
    expect(outbox.entries()).toMatchObject([{ clientKey: "a", underWay: false }]);
  });

  test("the next tab sends what a closed tab was sending", async () => {
    const storage = fakeStorage();
    const closed = tab(storage);
    await closed.keep(7, pending("a"));
    await closed.begin("a");
    const { post, calls } = server();
    await deliverWaiting(tab(storage), 7, post);
    expect(calls).toEqual(["a"]);
  });

  test("doesn't send what another tab discards meanwhile", async () => {
    const storage = fakeStorage();
    const [here, there] = [tab(storage), tab(storage)];
    await here.keep(7, pending("first"));
    await here.keep(7, pending("second"));
    const { post, calls } = server();
    await deliverWaiting(here, 7, async (call) => {
      await there.discard("second");
      return post(call);
    });
    expect(calls).toEqual(["first"]);
  });
});
