import { sql } from "kysely";
import type { places } from "#contract/calls/places.ts";
import type { SuppressionKind } from "#contract/calls/suppressions.ts";
import { type Channel, channels } from "#contract/delivery.ts";
import { type Reason, reasonSentence } from "#contract/delivery-reasons.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { eligibility, isOptOut } from "#server/audience/person.ts";
import type { Db } from "#server/db/database.ts";
import { readHomesOf, readPlaceRow } from "#server/features/places/read-properties.ts";

type Row = {
  personId: number;
  channel: Channel;
  reason: Reason;
  detail: string | null;
  blocked: { address: string; kind: SuppressionKind; optedOut: boolean; words: string | null } | null;
};

/** The homes of a property in which no one can be reached, with why not: the reasons of `eligibility`. Throws not-found. */
export async function readUnreached(db: Db, id: number): Promise<ReplyOf<typeof places.unreached>> {
  await readPlaceRow(db, id);
  const homes = (await readHomesOf(db, sql`h.property_id = ${id}`)).filter(
    ({ people, channels: ways }) => people.length > 0 && ways.length === 0,
  );
  const ids = homes.flatMap(({ people }) => people.map((person) => person.id));
  const { rows } = await sql<Row>`
    SELECT u.id AS "personId", c.channel, j.reason, j.detail,
      CASE WHEN s.address IS NOT NULL THEN jsonb_build_object('address', s.address, 'kind', s.kind,
        'optedOut', ${isOptOut("s")}, 'words', s.words) END AS blocked
    FROM ${eligibility(channels, [])}
    WHERE u.id = ANY(${ids}::bigint[]) AND j.reason IS NOT NULL ORDER BY u.id, c.place`.execute(db);
  const reasonsOf = Map.groupBy(rows, ({ personId }) => personId);
  return homes.map(({ id: homeId, people }) => ({
    homeId,
    people: people.map((person) => ({
      ...person,
      ways: (reasonsOf.get(person.id) ?? []).map(({ channel, reason, detail, blocked }) => ({
        channel,
        reason,
        sentence: reasonSentence(reason, channel, detail),
        blocked,
      })),
    })),
  }));
}
