import { describe, expect, test } from "vitest";
import type { EmulatedCall } from "../http/emulator.ts";
import type { TransportAdapter } from "../adapter.ts";
import type { ProviderEvent, WebhookCall } from "../webhook.ts";

/** A provider's call, as our webhook sees it. */
export function webhookCall({ url, headers, body }: EmulatedCall, receivedAt = new Date()): WebhookCall {
  return { url, headers, body: Buffer.from(body), receivedAt };
}

type Calls = {
  adapter: TransportAdapter;
  settings: Record<string, unknown>;
  /** A genuine one, made now. */
  genuine: () => EmulatedCall;
  /**
   * The same with another key, at another address, with other content under the first signature; `unsigned` where the
   * signature is in no header.
   */
  forged: () => Record<string, EmulatedCall>;
  /** The same, genuine and made too long ago; left out where the provider dates no call. */
  old?: () => EmulatedCall;
  /** What genuine calls tell: by name, the call and its events. */
  tells: Record<string, [call: () => EmulatedCall, events: readonly object[]]>;
};

/** What the webhook of every provider owes: only genuine calls are heard, and each event is read. */
export function webhookContract(
  name: string,
  { adapter, settings, genuine, forged, old, tells }: Calls,
): void {
  describe(`the webhook of ${name}`, () => {
    const webhook = adapter.webhook!;
    const apiUrl = adapter.api?.url ?? "";
    const isGenuine = (call: EmulatedCall) => webhook.isGenuine(webhookCall(call), settings, apiUrl);

    test("takes a genuine call", async () => {
      expect(await isGenuine(genuine())).toBe(true);
    });

    test("refuses forged and altered ones, and one without a signature", async () => {
      for (const [how, call] of Object.entries({ unsigned: { ...genuine(), headers: {} }, ...forged() })) {
        expect([how, await isGenuine(call)]).toEqual([how, false]);
      }
    });

    test.skipIf(!old)("refuses one that is made again later", async () => {
      expect(await isGenuine(old!())).toBe(false);
    });

    test.each(Object.entries(tells))("reads %s", async (_, [call, events]) => {
      expect(await isGenuine(call())).toBe(true);
      expect(webhook.read(webhookCall(call()))).toEqual(
        events.map((event) => expect.objectContaining(event)),
      );
    });

    test("refuses to read what it does not know", () => {
      const read = (body: string): ProviderEvent[] => webhook.read(webhookCall({ ...genuine(), body }));
      for (const body of ["", "[]", "null", "x=1"]) expect(() => read(body)).toThrow(/\S/);
    });
  });
}
