import { sql } from "kysely";
import type { Reach } from "#contract/audience.ts";
import type { Channel, Reason } from "#contract/delivery.ts";
import { channels as allChannels, reasonSentence } from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";
import type { Audience } from "./audience.ts";
import { inAudience } from "./audience.ts";
import { judged, personName } from "./person.ts";
import { simulatedChannels } from "./providers.ts";

export type ReachQuestion = {
  audience: Audience;
  channels: readonly Channel[];
  /** Fields of persons that the message uses: who lacks one is skipped. */
  fields?: readonly string[];
};

/** Who would get what, as persons, groups and consents stand now. One pass over the persons. */
export async function reach(db: Db, { audience, channels, fields = [] }: ReachQuestion): Promise<Reach> {
  const among = await inAudience(db, audience);
  const chosen = sql`c.channel = ANY(${channels}::text[])`;
  const simulated = await simulatedChannels(db);
  const { rows } = await sql<{
    people: number;
    lost: number;
    by_channel: { channel: Channel; lines: number; addresses: number }[];
    first: number[];
  }>`
    WITH lines AS MATERIALIZED (
      SELECT u.id, c.channel, ${chosen} AS chosen, CASE WHEN j.reason IS NULL THEN a.address END AS address
      FROM ${judged(allChannels, fields)} WHERE ${among}
    ), lost AS MATERIALIZED (
      SELECT id FROM lines GROUP BY id HAVING count(address) FILTER (WHERE chosen) = 0
    )
    SELECT
      (SELECT count(*) FROM lines WHERE channel = 'email') AS people,
      (SELECT count(*) FROM lost) AS lost,
      (SELECT coalesce(jsonb_agg(t), '[]') FROM (
        SELECT channel, sum(lines) AS lines, count(address) AS addresses
        FROM (SELECT channel, address, count(*) AS lines FROM lines GROUP BY channel, address) a
        GROUP BY channel) t) AS by_channel,
      (SELECT coalesce(array_agg(id), '{}') FROM (SELECT id FROM lost ORDER BY id LIMIT 10) t) AS first`.execute(
    db,
  );
  const found = rows[0]!;
  const byChannel = Object.fromEntries(
    allChannels.map((channel) => {
      const counted = found.by_channel.find((line) => line.channel === channel);
      const willGet = counted?.addresses ?? 0;
      return [
        channel,
        { willGet, skipped: (counted?.lines ?? 0) - willGet, simulated: simulated.has(channel) },
      ];
    }),
  ) as Reach["byChannel"];
  return {
    people: found.people,
    reached: found.people - found.lost,
    messages: channels.reduce((sum, channel) => sum + byChannel[channel].willGet, 0),
    byChannel,
    unreachable: { total: found.lost, first: await whyNot(db, found.first, channels, fields) },
  };
}

/** For each of these persons why each of the channels cannot be used. */
async function whyNot(
  db: Db,
  userIds: readonly number[],
  channels: readonly Channel[],
  fields: readonly string[],
): Promise<Reach["unreachable"]["first"]> {
  const { rows } = await sql<{
    userId: number;
    name: string;
    propertyUnit: string | null;
    reasons: { channel: Channel; reason: Reason; detail: string | null }[];
  }>`
    SELECT u.id AS "userId", ${personName} AS name, u.property_unit AS "propertyUnit",
      jsonb_agg(jsonb_build_object('channel', c.channel, 'reason', j.reason, 'detail', j.detail)
        ORDER BY c.place) AS reasons
    FROM ${judged(channels, fields)}
    WHERE u.id = ANY(${userIds}::bigint[])
    GROUP BY u.id ORDER BY u.id`.execute(db);
  return rows.map((row) => ({
    ...row,
    reasons: row.reasons.map(({ channel, reason, detail }) => ({
      channel,
      reason,
      sentence: reasonSentence(reason, detail),
    })),
  }));
}
