import type { Reach } from "#contract/audience.ts";
import { channels } from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";
import { reach, type ReachQuestion } from "#server/audience/reach.ts";
import { simulatedChannels } from "#server/delivery/accounts.ts";

/** Who would get what now, and which channels would only be simulated. */
export async function reachNow(db: Db, question: ReachQuestion): Promise<Reach> {
  const counts = await reach(db, question);
  const simulated = await simulatedChannels(db);
  const byChannel = Object.fromEntries(
    channels.map((channel) => [channel, { ...counts.byChannel[channel], simulated: simulated.has(channel) }]),
  ) as Reach["byChannel"];
  return { ...counts, byChannel };
}
