import type { Transport } from "../transport.ts";
import { startEmulator, type EmulatedAnswer } from "#emulators/emulator.ts";
import type { Provider } from "./http-peer.ts";

/** Runs a transport against a provider that gives this one answer to every request. */
export async function answered<Result>(
  { adapter, api, channel, settings }: Provider,
  answer: EmulatedAnswer,
  ask: (transport: Transport) => Promise<Result>,
): Promise<Result> {
  const emulator = await startEmulator({ ...api, answer: () => answer });
  const transport = adapter.open(settings, { channel, apiUrl: emulator.url, guard: null });
  try {
    return await ask(transport);
  } finally {
    await transport.close();
    await emulator.close();
  }
}
