import { afterEach, beforeEach } from "vitest";
import type { Channel } from "#contract/delivery.ts";
import type { TransportAdapter } from "../adapter.ts";
import { startEmulator, type EmulatedAnswer, type EmulatedApi, type Emulator } from "#emulators/emulator.ts";
import type { Check, Outcome, OutgoingMessage, Transport } from "../transport.ts";
import { message, send } from "./sending.ts";

type Provider = { adapter: TransportAdapter; api: EmulatedApi; channel: Channel };

/** Sets up a provider's tests with a fresh emulator for each. */
export function withEmulator({ adapter, api, channel }: Provider) {
  let emulator: Emulator;
  const opened: Transport[] = [];

  beforeEach(async () => {
    emulator = await startEmulator(api);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((transport) => transport.close()));
    await emulator.close();
  });

  const open = (changes: object = {}, webhookUrl?: string): Transport => {
    const context = { channel, apiUrl: emulator.url, guard: null, webhookUrl };
    const transport = adapter.open({ ...api.settings, ...changes }, context);
    opened.push(transport);
    return transport;
  };
  const sendOne = async (
    overrides: Partial<OutgoingMessage> = {},
    transport = open(),
  ): Promise<Outcome | undefined> =>
    (await send(transport, [message(1, overrides, channel)])).outcomes.get(1);

  return {
    open,
    sendOne,
    /** Tests the connection with changed settings. */
    check: (changes: object = {}): Promise<Check> => open(changes).check(),
    /** Answers every request like this from now on. */
    answers: async (answer: EmulatedAnswer): Promise<void> => {
      await emulator.close();
      emulator = await startEmulator({ ...api, answer: () => answer });
    },
    received: () => emulator.received,
    requests: () => emulator.requests,
  };
}
