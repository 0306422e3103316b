import type { Channel } from "#contract/delivery.ts";
import type { TransportAdapter } from "../adapter.ts";
import { startEmulator, type EmulatedApi, type Emulator } from "#emulators/emulator.ts";
import type { Behavior, Peer } from "./contract.ts";

export type Provider = {
  adapter: TransportAdapter;
  api: EmulatedApi;
  channel: Channel;
  /** As a person enters them, with the emulator's key. */
  settings: Record<string, unknown>;
  secret: string;
};

/** Starts the emulator of a provider with a web API. */
export async function httpPeer({ adapter, api, channel, settings, secret }: Provider): Promise<Peer> {
  const emulator = await startEmulator(api);
  return {
    ...peerOf(emulator),
    channel,
    secret,
    open: () => adapter.open(settings, { channel, apiUrl: emulator.url, guard: null }),
  };
}

export function peerOf(emulator: Emulator): Pick<Peer, "received" | "behave" | "close"> {
  return {
    received: () => emulator.received,
    behave: (behavior) => behave(emulator, behavior),
    close: () => emulator.close(),
  };
}

function behave({ faults }: Emulator, behavior: Behavior): void {
  switch (behavior.as) {
    case "usual":
      Object.assign(faults, {
        dropAnswers: false,
        delayMs: 0,
        throttleSeconds: null,
        refuseKey: false,
        refused: new Set(),
      });
      break;
    case "drop":
      faults.dropAnswers = true;
      break;
    case "refuse-key":
      faults.refuseKey = true;
      break;
    case "refuse":
      faults.refused.add(behavior.address);
      break;
    case "throttle":
      faults.throttleSeconds = behavior.seconds;
      break;
    case "delay":
      faults.delayMs = behavior.ms;
      break;
    default:
      behavior satisfies never;
  }
}
