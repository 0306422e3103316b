import { describe, expect, test } from "vitest";
import type { EmulatedCall } from "#emulators/emulator.ts";
import type { TransportAdapter } from "../adapter.ts";
import type { ProviderEvent, WebhookCall } from "../webhook.ts";

/** Converts an emulated call to what our webhook receives. */
export function webhookCall({ url, headers, body }: EmulatedCall, receivedAt = new Date()): WebhookCall {
  return { url, headers, body: Buffer.from(body), receivedAt };
}

const bodies = ["", "[]", "{}", "[{}]", "null", "x=1", "[null]", JSON.stringify({ ping: true })];

type Calls = {
  adapter: TransportAdapter;
  settings: Record<string, unknown>;
  /** A valid call, made now. */
  genuine: () => EmulatedCall;
  /**
   * The same call signed with another key, sent to another URL, or with altered content; also `unsigned`, if the signature
   * isn't in a header.
   */
  forged: () => Record<string, EmulatedCall>;
  /** A valid call from too long ago. Omitted if the provider's calls have no timestamp. */
  old?: () => EmulatedCall;
  /** Valid calls and their events, by what they report. */
  tells: Record<string, [call: () => EmulatedCall, events: readonly object[]]>;
};

/** The contract of every provider's webhook: only valid calls are accepted, and each event is parsed. */
export function webhookContract(
  name: string,
  { adapter, settings, genuine, forged, old, tells }: Calls,
): void {
  describe(`the webhook of ${name}`, () => {
    const webhook = adapter.webhook!;
    const apiUrl = adapter.api?.url ?? "";
    const isGenuine = (call: EmulatedCall) => webhook.isGenuine(webhookCall(call), settings, apiUrl);

    test("accepts a valid call", async () => {
      expect(await isGenuine(genuine())).toBe(true);
    });

    test("refuses forged, altered and unsigned calls", async () => {
      for (const [how, call] of Object.entries({ unsigned: { ...genuine(), headers: {} }, ...forged() })) {
        expect([how, await isGenuine(call)]).toEqual([how, false]);
      }
    });

    test.skipIf(!old)("refuses a replayed call", async () => {
      expect(await isGenuine(old!())).toBe(false);
    });

    test.each(Object.entries(tells))("reads %s", async (_, [call, events]) => {
      expect(await isGenuine(call())).toBe(true);
      expect(webhook.read(webhookCall(call()))).toEqual(
        events.map((event) => expect.objectContaining(event)),
      );
    });

    test("ignores what isn't about a message", () => {
      const read = (body: string): ProviderEvent[] => webhook.read(webhookCall({ ...genuine(), body }));
      for (const body of bodies) expect([body, read(body)]).toEqual([body, []]);
    });
  });
}
