import type { Reach } from "#contract/calls/audience.ts";
import { channels } from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";
import { reach, type ReachQuestion } from "#server/audience/reach.ts";
import { simulatedChannels } from "#server/delivery/accounts/accounts.ts";
import { sql } from "kysely";
import type { Audience } from "#server/audience/audience.ts";
import { countAudiences } from "#server/audience/count-audiences.ts";

/** Who would get what now, and which channels would only be simulated. */
export async function reachNow(db: Db, question: ReachQuestion): Promise<Reach> {
  const counts = await reach(db, question);
  const simulated = await simulatedChannels(db);
  const byChannel = Object.fromEntries(
    channels.map((channel) => [channel, { ...counts.byChannel[channel], simulated: simulated.has(channel) }]),
  ) as Reach["byChannel"];
  return { ...counts, byChannel };
}

/** How many people are in the audience of each of these that have not gone out. */
export async function plannedPeople(
  db: Db,
  notificationIds: readonly number[],
): Promise<{ notificationId: number; people: number }[]> {
  const { rows } = await sql<{ audience: Audience; ids: number[] }>`
    SELECT audience, array_agg(id) AS ids FROM notifications
    WHERE id = ANY(${notificationIds}::bigint[]) AND status IN ('Draft', 'Scheduled', 'Recurring')
      AND audience <> '[]'
    GROUP BY audience`.execute(db);
  const counted = await countAudiences(db, rows);
  return counted.map(({ id, people }) => ({ notificationId: id, people }));
}
