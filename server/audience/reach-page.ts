import { sql } from "kysely";
import type { audience, LeftOut, ReachLine } from "#contract/calls/audience.ts";
import { reasonSentence } from "#contract/delivery-reasons.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import type { Db } from "#server/db/database.ts";
import { inAudience } from "./audience.ts";
import { eligibility, nameOf } from "./person.ts";
import { identity, matching } from "./person-search.ts";
import type { ReachQuestion } from "./reach.ts";

/**
 * `q`: words of a name, address or home. `only`: `skipped` lists lines without a message, `unreachable` people who get
 * nothing at all.
 */
type ReachPageQuestion = ReachQuestion &
  Pick<BodyOf<typeof audience.reachList>, "q" | "only" | "page" | "pageSize">;

/** Of several people with one address, the first gets the message. */
const holder = sql`CASE WHEN j.reason IS NULL THEN min(u.id) OVER (PARTITION BY c.channel, a.address, j.reason) END`;

/** How many people each channel leaves out, by reason. Those who turned it off come last. */
export async function leftOutByReason(
  db: Db,
  { audience, channels, fields = [] }: ReachQuestion,
): Promise<LeftOut[]> {
  const among = await inAudience(db, audience);
  const { rows } = await sql<Omit<LeftOut, "sentence"> & { detail: string | null }>`
    WITH lines AS (
      SELECT u.id, c.channel, c.place, coalesce(j.reason, 'same-address') AS reason,
        CASE j.reason WHEN 'missing-field' THEN j.detail END AS detail, ${holder} AS holder
      FROM ${eligibility(channels, fields)} WHERE ${among}
    )
    SELECT channel, reason, detail, count(*) AS people FROM lines WHERE coalesce(holder <> id, true)
    GROUP BY channel, place, reason, detail
    ORDER BY place, reason = 'opted-out', people DESC, reason, detail`.execute(db);
  return rows.map(({ detail, ...row }) => ({
    ...row,
    sentence: reasonSentence(row.reason, row.channel, detail),
  }));
}

/** Who gets what, by person and channel, sorted by name. `total` counts the lines. */
export async function reachPage(
  db: Db,
  { audience, channels, fields = [], q, only, page, pageSize }: ReachPageQuestion,
): Promise<{ total: number; rows: ReachLine[] }> {
  const among = await inAudience(db, audience);
  const shown = {
    all: sql`true`,
    skipped: sql`coalesce(holder <> id, true)`,
    unreachable: sql`ways = 0`,
  }[only];
  const found = matching(q ?? "", identity("l"));
  const { rows } = await sql<Partial<Omit<ReachLine, "sentence">> & { detail: string | null; total: number }>`
    WITH lines AS (
      SELECT u.id, u.folded, u.other_contacts, u.name_key,
        u.property_unit, c.channel, c.place, a.address, j.reason, j.detail,
        count(*) FILTER (WHERE j.reason IS NULL) OVER (PARTITION BY u.id) AS ways, ${holder} AS holder
      FROM ${eligibility(channels, fields)} WHERE ${among}
    ), matches AS MATERIALIZED (
      SELECT l.* FROM lines l WHERE ${shown} AND ${found}
    ), shown AS (
      SELECT * FROM matches ORDER BY name_key, id, place
      LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}
    )
    SELECT t.total, u.id AS "userId", ${nameOf("u")} AS name, m.property_unit AS "propertyUnit", m.channel, m.address,
      CASE WHEN m.holder <> m.id THEN 'same-address' ELSE m.reason END AS reason,
      CASE WHEN m.holder <> m.id THEN (SELECT ${nameOf("u")} FROM users u WHERE u.id = m.holder)
        ELSE m.detail END AS detail
    FROM (SELECT count(*) AS total FROM matches) t
    LEFT JOIN (shown m JOIN users u ON u.id = m.id) ON true
    ORDER BY m.name_key, m.id, m.place`.execute(db);
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.filter(isLine).map(({ userId, name, propertyUnit, channel, address, reason, detail }) => ({
      userId,
      name,
      propertyUnit,
      channel,
      address,
      reason,
      sentence: reason === null ? null : reasonSentence(reason, channel, detail),
    })),
  };
}

function isLine<T extends { userId?: number | null }>(
  row: T,
): row is T & Required<Omit<ReachLine, "sentence">> {
  return typeof row.userId === "number";
}
