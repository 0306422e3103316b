import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Channel } from "#contract/delivery.ts";
import type { Outcome, OutgoingMessage, Transport } from "../transport.ts";
import { referenceOf } from "../webhook.ts";
import { addressOf, message, send } from "./sending.ts";

/**
 * The contract between transports and the engine (`transport.ts`), tested against an emulator of the provider: each kind of
 * outcome, which messages are reported, and the connection test.
 */

/** How the provider behaves from now on. `drop`: it processes requests, but the answer is lost. */
export type Behavior =
  | { as: "usual" | "drop" | "refuse-key" }
  | { as: "refuse"; address: string }
  | { as: "throttle"; seconds: number }
  | { as: "delay"; ms: number };

export type Peer = {
  channel: Channel;
  /** A secret from the account's settings, which must not appear anywhere. */
  secret: string;
  /** Received messages, in order of arrival. */
  received(): readonly { to: string; text: string }[];
  behave(behavior: Behavior): void;
  open(): Transport;
  /** Stops the provider. Further connections are refused. */
  close(): Promise<void>;
};

type Exceptions = {
  /** A throttling answer doesn't say for how long. */
  throttledFor?: "unknown";
  /** It never refuses a recipient. */
  acceptsEveryone?: true;
  /** Its keys are generated here, so the connection test can't find them wrong. */
  generatedKey?: true;
  /** Every answer is about one recipient, so a wrong key only shows after several in a row. */
  answersPerRecipient?: true;
  /** Its emulator has no delay; the transport's other tests cover slow answers. */
  answersImmediately?: true;
};

export function transportContract(
  name: string,
  start: () => Promise<Peer>,
  exceptions: Exceptions = {},
): void {
  describe(`${name} keeps the contract`, () => {
    let peer: Peer;
    let transport: Transport;
    let closed = false;

    beforeEach(async () => {
      closed = false;
      peer = await start();
      transport = peer.open();
    });
    afterEach(async () => {
      await transport.close();
      if (!closed) await peer.close();
    });

    const letters = (count: number) =>
      Array.from({ length: count }, (_, index) => message(index + 1, {}, peer.channel));
    const arrived = () => peer.received().map(({ to }) => to);
    const address = (id: number) => addressOf(id, peer.channel);
    const kinds = (outcomes: ReadonlyMap<number, Outcome>) => [...outcomes.values()].map(({ kind }) => kind);

    test("accepted: each message arrives once, with its recipient's own text, and is reported once", async () => {
      const names = ["Ann", "Łukasz", "=HYPERLINK(1)", "{{first_name}}", "O’Neil\n& <b>Sons</b>"];
      const messages = letters(5).map((one, index) => ({ ...one, values: { first_name: names[index]! } }));
      const { begun, outcomes } = await send(transport, messages);
      expect(new Set(begun)).toEqual(new Set([1, 2, 3, 4, 5]));
      expect(kinds(outcomes)).toEqual(Array(5).fill("accepted"));
      expect(arrived().toSorted()).toEqual([1, 2, 3, 4, 5].map(address).toSorted());
      for (const [index, name] of names.entries()) {
        const { text } = peer.received().find(({ to }) => to === address(index + 1))!;
        expect(text).toContain(`Hello ${name}`);
      }
    });

    test("a message with a missing value is refused, and does not reach the provider", async () => {
      const [one, two] = letters(2);
      const { begun, outcomes } = await send(transport, [{ ...one!, values: {} }, two!]);
      expect(outcomes.get(1)).toMatchObject({ kind: "refused", of: "message" });
      expect(outcomes.get(2)).toMatchObject({ kind: "accepted" });
      expect(begun).toEqual([2]);
      expect(arrived()).toEqual([address(2)]);
    });

    test.skipIf(exceptions.acceptsEveryone)(
      "refused for a recipient: everyone else gets it, once",
      async () => {
        peer.behave({ as: "refuse", address: address(2) });
        const { outcomes } = await send(transport, letters(4));
        expect(outcomes.get(2)).toMatchObject({
          kind: "refused",
          of: "recipient",
          code: expect.stringMatching(/\S/),
          detail: expect.stringMatching(/\S/),
        });
        expect([1, 3, 4].map((id) => outcomes.get(id)?.kind)).toEqual(Array(3).fill("accepted"));
        expect(arrived().toSorted()).toEqual([1, 3, 4].map(address).toSorted());
      },
    );

    test.skipIf(exceptions.answersPerRecipient)(
      "refused for the account: nothing arrives, the rest is skipped, and no secret is revealed",
      async () => {
        peer.behave({ as: "refuse-key" });
        const { outcomes } = await send(transport, letters(transport.concurrency + 3));
        expect(new Set(kinds(outcomes))).toEqual(new Set(["misconfigured"]));
        expect(outcomes.size).toBeLessThanOrEqual(transport.concurrency);
        expect(arrived()).toEqual([]);
        expect(JSON.stringify([...outcomes.values()])).not.toContain(peer.secret);
      },
    );

    test.skipIf(exceptions.answersPerRecipient)(
      "throttled: nothing arrives, the rest is skipped, and it says for how long",
      async () => {
        peer.behave({ as: "throttle", seconds: 7 });
        const { outcomes } = await send(transport, letters(transport.concurrency + 3));
        expect(new Set(kinds(outcomes))).toEqual(new Set(["throttled"]));
        if (exceptions.throttledFor !== "unknown") {
          expect([...outcomes.values()][0]).toMatchObject({ retryAfterMs: 7000 });
        }
        expect(arrived()).toEqual([]);
      },
    );

    test("temporary: the provider is unreachable, which costs no attempt", async () => {
      await peer.close();
      closed = true;
      const { outcomes } = await send(transport, letters(transport.concurrency + 3));
      for (const outcome of outcomes.values()) {
        expect(outcome).toMatchObject({ kind: "unavailable", account: true });
      }
      expect(outcomes.size).toBeGreaterThan(0);
      expect(await transport.check()).toMatchObject({ ok: false, of: "unavailable" });
    });

    test("unconfirmed: it arrived and the answer was lost", async () => {
      peer.behave({ as: "drop" });
      const { outcomes } = await send(transport, letters(1));
      expect(outcomes.get(1)).toMatchObject({ kind: "uncertain" });
      expect(arrived()).toEqual([address(1)]);
      if (!transport.lookUp) return;
      const [known, unknown] = letters(2).map(referenceOf);
      expect(await transport.lookUp(known!)).toEqual({ unanswered: expect.stringMatching(/\S/) });
      peer.behave({ as: "usual" });
      expect(await transport.lookUp(known!)).toEqual({ found: true, messageId: expect.stringMatching(/\S/) });
      expect(await transport.lookUp(unknown!)).toEqual({ found: false });
      peer.behave({ as: "refuse-key" });
      expect(await transport.lookUp(known!)).toEqual({ unanswered: expect.stringMatching(/\S/) });
    });

    test.skipIf(exceptions.answersImmediately)("waits for a slow answer", async () => {
      peer.behave({ as: "delay", ms: 300 });
      const { outcomes } = await send(transport, letters(2));
      expect(kinds(outcomes)).toEqual(["accepted", "accepted"]);
    });

    test("a message that was cancelled in the meantime is not sent", async () => {
      const settled: number[] = [];
      await transport.send(
        letters(3),
        {
          begun: ({ deliveryId }: OutgoingMessage) => deliveryId !== 2,
          settled: ({ deliveryId }) => void settled.push(deliveryId),
        },
        new AbortController().signal,
      );
      expect(new Set(settled)).toEqual(new Set([1, 3]));
      expect(arrived().toSorted()).toEqual([1, 3].map(address).toSorted());
    });

    test("after an abort nothing more begins, and the call ends", async () => {
      const ended = await send(transport, letters(3), AbortSignal.abort());
      expect(ended.begun).toEqual([]);
      expect(arrived()).toEqual([]);
    });

    test("the connection test succeeds and sends nothing", async () => {
      expect(await transport.check()).toEqual({ ok: true, detail: expect.stringMatching(/\S/) });
      expect(arrived()).toEqual([]);
    });

    test.skipIf(exceptions.generatedKey)(
      "the connection test gives the provider's reason, and no secret",
      async () => {
        peer.behave({ as: "refuse-key" });
        const check = await transport.check();
        expect(check).toMatchObject({
          ok: false,
          of: "misconfigured",
          detail: expect.stringMatching(/\S \S/),
        });
        expect(JSON.stringify(check)).not.toContain(peer.secret);
      },
    );
  });
}
