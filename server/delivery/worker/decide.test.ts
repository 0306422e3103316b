import { describe, expect, test } from "vitest";
import type { Outcome } from "#server/delivery/transports/transport.ts";
import { backoffMs, decide, mayRepeat } from "./decide.ts";

const fresh = { channel: "email", priority: 2, failures: 0, unconfirmed: 0 } as const;
const never = () => 0;
const always = () => 1;
const unavailable: Outcome = { kind: "unavailable", code: "timeout", detail: "no answer" };
const uncertain: Outcome = { kind: "uncertain", code: "lost", detail: "no answer" };

describe("the wait before another try", () => {
  test("grows threefold from two seconds to a quarter of an hour", () => {
    expect([0, 1, 2, 3, 4, 5, 6, 11].map((failures) => backoffMs(failures, always) / 1000)).toEqual([
      2, 6, 18, 54, 162, 486, 900, 900,
    ]);
  });
  test("is at least half of that", () => {
    expect(backoffMs(0, never)).toBe(1000);
    expect(backoffMs(3, () => 0.5)).toBe(40_500);
  });
});

describe("an outcome decides", () => {
  test("however often it did not get through, only the message's own time ends it", () => {
    expect(decide(unavailable, { ...fresh, failures: 1000 }, "blind", always)).toMatchObject({
      status: "queued",
      reason: "retrying",
      delayMs: 900_000,
    });
  });

  test("what lengthens the next pause and what does not", () => {
    const lengthens = (outcome: Outcome) => decide(outcome, fresh, "blind", never).failure;
    expect(lengthens(unavailable)).toBe(true);
    expect(lengthens({ kind: "throttled", code: "421", detail: "" })).toBe(false);
    expect(lengthens({ kind: "misconfigured", code: "535", detail: "" })).toBe(false);
  });

  test("an unanswered try waits ten minutes once, then counts as lost", () => {
    expect(decide(uncertain, fresh, "blind", never)).toMatchObject({
      status: "uncertain",
      delayMs: 600_000,
      unconfirmed: true,
    });
    expect(decide(uncertain, { ...fresh, unconfirmed: 1 }, "blind", never)).toMatchObject({
      status: "failed",
      reason: "unconfirmed",
    });
    expect(decide(uncertain, fresh, "keyed", never)).toMatchObject({
      status: "queued",
      reason: "retrying",
      failure: true,
    });
  });

  test.each([
    ["unsubscribed", "unsubscribed"],
    ["complained", "refused"],
    ["suppressed", "refused"],
    ["550 5.1.1", "no-such-address"],
  ])(
    "a refusal because the address is on the provider's list (%s) is shown as %s, and no more is sent there",
    (code, reason) => {
      const outcome = { kind: "refused", of: "recipient", code, detail: "", suppress: true } as const;
      expect(decide(outcome, fresh, "blind", never)).toMatchObject({
        status: "failed",
        reason,
        bounced: true,
      });
    },
  );

  test("an acceptance is sent, and delivered only where the channel itself is the receipt", () => {
    expect(decide({ kind: "accepted" }, fresh, "blind", never).status).toBe("accepted");
    expect(decide({ kind: "accepted", delivered: true }, fresh, "blind", never).status).toBe("delivered");
  });
});

test("an unanswered email may be repeated, a text message only in an emergency", () => {
  expect(mayRepeat({ channel: "email", priority: 2 })).toBe(true);
  expect(mayRepeat({ channel: "sms", priority: 2 })).toBe(false);
  expect(mayRepeat({ channel: "sms", priority: 0 })).toBe(true);
});
