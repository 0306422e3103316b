import { describe, expect, test } from "vitest";
import { compile } from "#server/delivery/content/compile.ts";
import type { Channel } from "#contract/delivery.ts";
import type { Outcome, OutgoingMessage } from "../transport.ts";
import { sandbox } from "./adapter.ts";

const compiled = compile(
  {
    title: "Hi",
    subject: "",
    content: "Hello {{first_name}}",
    answers: {},
    channels: ["email", "sms", "push"],
    attachments: [],
  },
  { siteName: "Maple Court", smsPrefix: "", emailSignature: "", emailFooter: "" },
  { key: "run", today: "November 25, 2026" },
);

const context = (channel: Channel) => ({ channel, apiUrl: "", guard: null });

function message(overrides: Partial<OutgoingMessage>): OutgoingMessage {
  return {
    deliveryId: 1,
    attempt: 1,
    address: "ann@example.com",
    name: "Ann",
    content: { compiled, attachments: [] },
    values: { first_name: "Ann" },
    links: { unsubscribe: "https://m.example/u/1", preferences: "https://m.example/p/1" },
    expiresAt: new Date(Date.now() + 3_600_000),
    urgent: false,
    ...overrides,
  };
}

async function outcome(channel: Channel, overrides: Partial<OutgoingMessage>): Promise<Outcome | undefined> {
  let result: Outcome | undefined;
  const settled = (_message: OutgoingMessage, outcome: Outcome) => {
    result = outcome;
  };
  await sandbox
    .open({}, context(channel))
    .send([message(overrides)], { settled }, new AbortController().signal);
  return result;
}

/** Accepted messages skip `begun`; failing ones behave like a real provider's. */
const DOWN = "+12015550003";

describe("the Sandbox", () => {
  test.each(["email", "sms", "push"] as const)(
    "delivers %s at once and says that it is simulated",
    async (kind) => {
      expect(await outcome(kind, { address: kind === "sms" ? "+12015550101" : "ann@example.com" })).toEqual({
        kind: "accepted",
        delivered: true,
      });
      expect(sandbox.simulated).toBe(true);
      expect(await sandbox.open({}, context(kind)).check()).toMatchObject({ ok: true });
    },
  );

  test.each([
    ["email", "Bounce@example.com", 1, { kind: "refused", of: "recipient", suppress: true }],
    ["email", "bounce+4b@example.com", 1, { kind: "refused" }],
    ["email", "bouncer@example.com", 1, { kind: "accepted" }],
    ["sms", "+12015550001", 1, { kind: "refused", of: "recipient", suppress: true }],
    ["email", "busy@example.com", 1, { kind: "unavailable" }],
    ["email", "busy@example.com", 2, { kind: "accepted" }],
    ["sms", "+12015550002", 2, { kind: "accepted" }],
    ["email", "down@example.com", 9, { kind: "unavailable" }],
    ["sms", "+12015550004", 1, { kind: "uncertain" }],
  ] as const)("%s to %s, try %i: %j", async (kind, address, attempt, expected) => {
    expect(await outcome(kind, { address, attempt })).toMatchObject(expected);
  });

  test("refuses a message with a missing field, and names the field", async () => {
    expect(await outcome("sms", { values: {} })).toEqual({
      kind: "refused",
      of: "message",
      code: "unfilled_fields",
      detail: "No value for {{first_name}}.",
    });
  });

  test("after an abort, begins no further message", async () => {
    const abort = new AbortController();
    const seen: number[] = [];
    const progress = {
      begun: () => abort.abort(),
      settled: ({ deliveryId }: OutgoingMessage) => void seen.push(deliveryId),
    };
    await sandbox.open({}, context("sms")).send(
      [1, 2].map((deliveryId) => message({ deliveryId, address: DOWN })),
      progress,
      abort.signal,
    );
    expect(seen).toEqual([1]);
  });

  test("sends many concurrently, and none that was cancelled", async () => {
    const waiting: (() => void)[] = [];
    const settled: number[] = [];
    const progress = {
      begun: ({ deliveryId }: OutgoingMessage) =>
        new Promise<boolean>((resolve) => waiting.push(() => resolve(deliveryId !== 2))),
      settled: ({ deliveryId }: OutgoingMessage) => void settled.push(deliveryId),
    };
    const batch = [1, 2, 3].map((deliveryId) => message({ deliveryId, address: DOWN }));
    const sending = sandbox.open({}, context("sms")).send(batch, progress, new AbortController().signal);
    expect(waiting).toHaveLength(3);
    for (const answer of waiting) answer();
    await sending;
    expect(settled).toEqual([1, 3]);
  });
});
