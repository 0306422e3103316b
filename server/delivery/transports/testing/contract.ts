import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Channel } from "#contract/delivery.ts";
import type { Outcome, OutgoingMessage, Transport } from "../transport.ts";
import { referenceOf } from "../webhook.ts";
import { addressOf, message, send } from "./sending.ts";

/**
 * What every transport owes the engine (`transport.ts`), asked of it against an emulator of its provider: each class of
 * outcome, which messages are reported, and what a test of the connection says.
 */

/** How the provider behaves from now on. `drop`: it does what it is asked and the answer is lost. */
export type Behavior =
  | { as: "usual" | "drop" | "refuse-key" }
  | { as: "refuse"; address: string }
  | { as: "throttle"; seconds: number }
  | { as: "delay"; ms: number };

export type Peer = {
  channel: Channel;
  /** What stands in the account's settings and must show nowhere. */
  secret: string;
  /** Whose address arrived with which text, in the order in which they came. */
  received(): readonly { to: string; text: string }[];
  behave(behavior: Behavior): void;
  open(): Transport;
  /** From then on no one is there. */
  close(): Promise<void>;
};

export type Exceptions = {
  /** What its provider says on throttling does not tell how long. */
  throttledFor?: "unknown";
  /** It says of no recipient that it won't take it. */
  refusesNoOne?: true;
  /** It made its key itself, so no test of the connection can find it wrong. */
  keyOfItsOwn?: true;
  /** Whatever it answers is about one recipient: a wrong key shows by several in a row. */
  answersForOne?: true;
  /** Its emulator cannot wait; other tests of the transport show that it does. */
  answersAtOnce?: true;
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

    test("a message that lacks a value is refused, and does not reach the provider", async () => {
      const [one, two] = letters(2);
      const { begun, outcomes } = await send(transport, [{ ...one!, values: {} }, two!]);
      expect(outcomes.get(1)).toMatchObject({ kind: "refused", of: "message" });
      expect(outcomes.get(2)).toMatchObject({ kind: "accepted" });
      expect(begun).toEqual([2]);
      expect(arrived()).toEqual([address(2)]);
    });

    test.skipIf(exceptions.refusesNoOne)("refused for a recipient: everyone else gets it, once", async () => {
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
    });

    test.skipIf(exceptions.answersForOne)(
      "refused for the account: nothing arrives, the rest is left alone, and no secret shows",
      async () => {
        peer.behave({ as: "refuse-key" });
        const { outcomes } = await send(transport, letters(transport.concurrency + 3));
        expect(new Set(kinds(outcomes))).toEqual(new Set(["misconfigured"]));
        expect(outcomes.size).toBeLessThanOrEqual(transport.concurrency);
        expect(arrived()).toEqual([]);
        expect(JSON.stringify([...outcomes.values()])).not.toContain(peer.secret);
      },
    );

    test.skipIf(exceptions.answersForOne)(
      "throttled: nothing arrives, the rest is left alone, and it says for how long",
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

    test("temporary: no one is there, which costs no message a try", async () => {
      await peer.close();
      closed = true;
      const { outcomes } = await send(transport, letters(transport.concurrency + 3));
      for (const outcome of outcomes.values()) {
        expect(outcome).toMatchObject({ kind: "unavailable", account: true });
      }
      expect(outcomes.size).toBeGreaterThan(0);
      expect(await transport.check()).toMatchObject({ ok: false, of: "unavailable" });
    });

    test("unconfirmed: it arrived and the answer is lost, so no one can say", async () => {
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

    test.skipIf(exceptions.answersAtOnce)("a slow answer is waited for", async () => {
      peer.behave({ as: "delay", ms: 300 });
      const { outcomes } = await send(transport, letters(2));
      expect(kinds(outcomes)).toEqual(["accepted", "accepted"]);
    });

    test("what is not ours to send anymore does not go out", async () => {
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

    test("a test of the connection says that it works, and sends nothing", async () => {
      expect(await transport.check()).toEqual({ ok: true, detail: expect.stringMatching(/\S/) });
      expect(arrived()).toEqual([]);
    });

    test.skipIf(exceptions.keyOfItsOwn)(
      "a test of the connection gives the provider's reason, and no secret",
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
