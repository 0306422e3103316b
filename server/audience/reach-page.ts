import { type RawBuilder, sql } from "kysely";
import type { audience, LeftOut, ReachLine } from "#contract/calls/audience.ts";
import { reasonSentence } from "#contract/delivery-reasons.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import type { Db } from "#server/db/database.ts";
import { inAudience } from "./audience.ts";
import { columnsOfHome, heads, joinHome } from "./per-home.ts";
import { eligibility, nameOf } from "./person.ts";
import { identity, matching } from "./person-search.ts";
import { type ReachQuestion, without } from "./reach.ts";

/**
 * `q`: words of a name, address or home. `only`: `skipped` lists lines without a message, `unreachable` people who get
 * nothing at all.
 */
type ReachPageQuestion = ReachQuestion &
  Pick<BodyOf<typeof audience.reachList>, "q" | "only" | "page" | "pageSize">;

/**
 * CTEs that end in `judged`: `lines` with their `holder`, who is another person if the line shares their message. Of
 * several people with one address, the first gets it. For one message per home, `head` is who gets it for the home.
 */
function judged(lines: RawBuilder<unknown>, perHome = false): RawBuilder<unknown> {
  if (!perHome) {
    const holder = sql`CASE WHEN reason IS NULL THEN min(user_id) OVER (PARTITION BY channel, address, reason) END`;
    return sql`lines AS (${lines}), judged AS (SELECT *, user_id AS head, ${holder} AS holder FROM lines)`;
  }
  return sql`lines AS (${lines}), headed AS (SELECT *, ${heads()} FROM lines), judged AS (
    SELECT *, CASE WHEN head <> user_id THEN head
      WHEN head IS NOT NULL THEN min(head) OVER (PARTITION BY channel, head_address, head IS NULL) END AS holder
    FROM headed)`;
}

/** Why nothing of their own goes to a person of these lines. */
const reason = sql`CASE WHEN head <> user_id THEN 'same-home' WHEN holder <> user_id THEN 'same-address' ELSE reason END`;

/** How many people each channel leaves out, by reason. Those who turned it off come last. */
export async function leftOutByReason(
  db: Db,
  { audience, channels, fields = [], perHome, skipIf }: ReachQuestion,
): Promise<LeftOut[]> {
  const among = without(await inAudience(db, audience), skipIf);
  const { rows } = await sql<Omit<LeftOut, "sentence"> & { detail: string | null }>`
    WITH ${judged(
      sql`SELECT u.id AS user_id, c.channel, c.place, a.address, j.reason, j.detail ${perHome ? columnsOfHome : sql``}
        FROM ${eligibility(channels, fields)} ${perHome ? joinHome : sql``} WHERE ${among}`,
      perHome,
    )}, left_out AS (
      SELECT channel, place, ${reason} AS reason,
        CASE WHEN holder IS NULL AND reason = 'missing-field' THEN detail END AS detail
      FROM judged WHERE coalesce(holder <> user_id, true)
    )
    SELECT channel, reason, detail, count(*) AS people FROM left_out
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
  { audience, channels, fields = [], perHome, skipIf, q, only, page, pageSize }: ReachPageQuestion,
): Promise<{ total: number; rows: ReachLine[] }> {
  const among = without(await inAudience(db, audience), skipIf);
  const shown = {
    all: sql`true`,
    skipped: sql`coalesce(holder <> user_id, true)`,
    unreachable: sql`ways = 0`,
  }[only];
  const found = matching(q ?? "", identity("l"));
  const { rows } = await sql<Partial<Omit<ReachLine, "sentence">> & { detail: string | null; total: number }>`
    WITH ${judged(
      sql`SELECT u.id AS user_id, u.folded, u.other_contacts, u.name_key, u.property_unit, c.channel, c.place, a.address,
          j.reason, j.detail ${perHome ? columnsOfHome : sql``}
        FROM ${eligibility(channels, fields)} ${perHome ? joinHome : sql``} WHERE ${among}`,
      perHome,
    )}, counted AS (
      SELECT *, count(holder) OVER (PARTITION BY user_id) AS ways FROM judged
    ), matches AS MATERIALIZED (
      SELECT l.* FROM counted l WHERE ${shown} AND ${found}
    ), shown AS (
      SELECT * FROM matches ORDER BY name_key, user_id, place
      LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}
    )
    SELECT t.total, u.id AS "userId", ${nameOf("u")} AS name, m.property_unit AS "propertyUnit", m.channel,
      ${perHome ? sql`coalesce(m.head_address, m.address)` : sql`m.address`} AS address, ${reason} AS reason,
      CASE WHEN m.holder <> m.user_id THEN (SELECT ${nameOf("u")} FROM users u WHERE u.id = m.holder)
        ELSE m.detail END AS detail
    FROM (SELECT count(*) AS total FROM matches) t
    LEFT JOIN (shown m JOIN users u ON u.id = m.user_id) ON true
    ORDER BY m.name_key, m.user_id, m.place`.execute(db);
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
