import type { Channel } from "#contract/delivery.ts";
import { shell } from "#contract/shell.ts";
import { useRead } from "#web/api/use-read.ts";

const none: Channel[] = [];

/** Channels whose provider takes nothing at the moment, as the frame around the page knows it. */
export function usePausedChannels(): Channel[] {
  const providers = useRead(shell.state).data?.providers;
  return providers?.filter(({ state }) => state === "Error").map(({ channel }) => channel) ?? none;
}
