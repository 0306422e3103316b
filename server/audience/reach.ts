import { sql, type RawBuilder } from "kysely";
import type { Reach } from "#contract/calls/audience.ts";
import { channels as allChannels, forEachChannel, type Channel } from "#contract/delivery.ts";
import { reasonSentence, type Reason } from "#contract/delivery-reasons.ts";
import type { DetailCondition } from "#contract/calls/detail-conditions.ts";
import type { Db } from "#server/db/database.ts";
import { inAudience, type Audience } from "./audience.ts";
import type { NeededField } from "./details.ts";
import { meets } from "./detail-conditions.ts";
import { joinHome } from "./per-home.ts";
import {
  address as addressOn,
  eligibility,
  missingField,
  nameOf,
  reachable,
  refuses,
  turnedOff,
} from "./person.ts";

export type ReachQuestion = {
  audience: Audience;
  channels: readonly Channel[];
  /** The fields the message uses. A person who lacks one is skipped. */
  fields?: readonly NeededField[];
  /** Each home gets one message on each channel. */
  perHome?: boolean | undefined;
  /** Who is left out on purpose, and not counted at all. */
  skipIf?: DetailCondition | null | undefined;
  /** It has been sent, maybe for residents' dates. */
  notificationId?: number | undefined;
};

type ReachCounts = Omit<Reach, "byChannel"> & {
  byChannel: Record<Channel, Omit<Reach["byChannel"][Channel], "simulated">>;
};

/** Who would get what, based on current people, groups and consents. One pass over the people. */
export async function reach(
  db: Db,
  { audience, channels, fields = [], perHome = false, skipIf, notificationId }: ReachQuestion,
): Promise<ReachCounts> {
  const all = await inAudience(db, audience);
  const among = without(all, skipIf);
  const goesTo = allChannels.map(
    (channel) =>
      sql`CASE WHEN ${gets(channel, fields, notificationId)} THEN ${addressOn[channel]} END AS ${sql.ref(channel)}`,
  );
  // Of several people with one address, one gets the message. DISTINCT hashes what count(DISTINCT) would sort.
  const addresses = allChannels.map((channel) => {
    const address = sql.ref(channel);
    return sql`${sql.lit(channel)}, (SELECT count(*) FROM (SELECT DISTINCT ${address} FROM ${perHome ? sql`homes` : sql`persons`}
      WHERE ${address} IS NOT NULL) a)`;
  });
  const lost = sql`coalesce(${sql.join([sql`NULL`, ...channels.map((channel) => sql.ref(channel))])}) IS NULL`;
  const persons = sql`SELECT u.id, ${sql.join(goesTo)} FROM users u WHERE ${among}`;
  const { rows } = await sql<{
    people: number;
    settled: number;
    lost: number;
    addresses: Record<Channel, number>;
    first: number[];
    homes: number | null;
  }>`
    WITH ${perHome ? inHomes(goesTo, among) : sql`persons AS MATERIALIZED (${persons})`}
    SELECT ${perHome ? sql`(SELECT count(*) FROM homes WHERE home IS NOT NULL)` : sql`NULL::int`} AS homes,
      (SELECT count(*) FROM persons) AS people,
      ${skipIf ? sql`(SELECT count(*) FROM users u WHERE ${all} AND ${meets(skipIf)})` : sql`0`} AS settled,
      (SELECT count(*) FROM persons WHERE ${lost}) AS lost,
      jsonb_build_object(${sql.join(addresses)}) AS addresses,
      (SELECT coalesce(array_agg(id), '{}')
        FROM (SELECT id FROM persons WHERE ${lost} ORDER BY id LIMIT 10) t) AS first`.execute(db);
  const found = rows[0]!;
  const byChannel = forEachChannel((channel) => {
    const willGet = found.addresses[channel];
    return { willGet, skipped: found.people - willGet };
  });
  return {
    people: found.people,
    settled: found.settled,
    homes: found.homes,
    reached: found.people - found.lost,
    messages: channels.reduce((sum, channel) => sum + byChannel[channel].willGet, 0),
    byChannel,
    unreachable: {
      total: found.lost,
      first: await whyNot(db, found.first, { channels, fields, notificationId }),
    },
  };
}

/** The people of an audience of `users u` whom no run leaves out on purpose. */
export const without = (
  among: RawBuilder<boolean>,
  skipIf: DetailCondition | null | undefined,
): RawBuilder<boolean> => (skipIf ? sql<boolean>`(${among} AND NOT ${meets(skipIf)})` : among);

/**
 * The CTEs `persons` and, for one message per home, `homes`, which has a row for each home and each person without one.
 * A person has the address that their home's message goes to, unless they want none.
 */
function inHomes(goesTo: RawBuilder<unknown>[], among: RawBuilder<boolean>): RawBuilder<unknown> {
  const each = (column: (channel: Channel, name: RawBuilder<unknown>) => RawBuilder<unknown>) =>
    sql.join(allChannels.map((channel) => sql`${column(channel, sql.ref(channel))} AS ${sql.ref(channel)}`));
  const refused = allChannels.map((channel) => sql`${refuses[channel]} AS ${sql.ref(`no_${channel}`)}`);
  return sql`housed AS MATERIALIZED (
      SELECT u.id, m.home, m.leases, CASE WHEN m.home IS NULL THEN u.id END AS alone, ${sql.join(goesTo)},
        ${sql.join(refused)} FROM users u ${joinHome} WHERE ${among}
    ), homes AS MATERIALIZED (
      SELECT home, alone, ${each(
        (_, own) => sql`(array_agg(${own} ORDER BY NOT leases, id) FILTER (WHERE ${own} IS NOT NULL))[1]`,
      )}
      FROM housed GROUP BY home, alone
    ), persons AS MATERIALIZED (
      SELECT p.id, ${each(
        (channel) =>
          sql`CASE WHEN NOT p.${sql.ref(`no_${channel}`)} THEN coalesce(h.${sql.ref(channel)}, p.${sql.ref(channel)}) END`,
      )}
      FROM housed p LEFT JOIN homes h ON h.home = p.home
    )`;
}

/** Whether the message would reach anyone. Stops at the first person, where `reach` counts them all. */
export async function reachesAnybody(
  db: Db,
  { audience, channels, fields = [], skipIf, notificationId }: ReachQuestion,
): Promise<boolean> {
  const among = without(await inAudience(db, audience), skipIf);
  const ways = [sql`false`, ...channels.map((channel) => gets(channel, fields, notificationId))];
  const found =
    await sql`SELECT FROM users u WHERE ${among} AND (${sql.join(ways, sql` OR `)}) LIMIT 1`.execute(db);
  return found.rows.length > 0;
}

/** The same verdict as `eligibility` without its reasons, from columns and few lookups. */
export function gets(
  channel: Channel,
  fields: readonly NeededField[],
  notificationId?: number,
): RawBuilder<boolean> {
  const missing = missingField(fields, notificationId);
  return sql<boolean>`(NOT ${turnedOff[channel]} AND ${reachable(channel)} AND ${missing} IS NULL)`;
}

/** For each of these people, why each channel cannot be used. */
async function whyNot(
  db: Db,
  userIds: readonly number[],
  { channels, fields = [], notificationId }: Omit<ReachQuestion, "audience">,
): Promise<Reach["unreachable"]["first"]> {
  const { rows } = await sql<{
    userId: number;
    name: string;
    propertyUnit: string | null;
    reasons: { channel: Channel; reason: Reason; detail: string | null }[];
  }>`
    SELECT u.id AS "userId", ${nameOf("u")} AS name, u.property_unit AS "propertyUnit",
      jsonb_agg(jsonb_build_object('channel', c.channel, 'reason', j.reason, 'detail', j.detail)
        ORDER BY c.place) AS reasons
    FROM ${eligibility(channels, fields, { notificationId })}
    WHERE u.id = ANY(${userIds}::bigint[])
    GROUP BY u.id ORDER BY u.id`.execute(db);
  return rows.map((row) => ({
    ...row,
    reasons: row.reasons.map(({ channel, reason, detail }) => ({
      channel,
      reason,
      sentence: reasonSentence(reason, channel, detail),
    })),
  }));
}
