import { type RawBuilder, sql } from "kysely";
import { type Channel, channels } from "#contract/delivery.ts";
import type { GroupRule } from "#contract/calls/groups.ts";
import type { Db } from "#server/db/database.ts";
import {
  fits,
  isInside,
  homesBesides,
  livesAsNamed,
  livesAt,
  type RuleColumns,
  unitFits,
} from "#server/audience/audience.ts";
import { reachable } from "#server/audience/person.ts";

type Countable = { id: number; rule: GroupRule | null };
type RuleGroup = { id: number; rule: GroupRule };

/** How many people are in each of these groups now, by group id. */
export async function countMembers(db: Db, groups: readonly Countable[]): Promise<Map<number, number>> {
  const byHand = groups.filter(({ rule }) => rule === null).map(({ id }) => id);
  const byRule = groups.filter((group): group is RuleGroup => group.rule !== null);
  const [inside, outside] = [
    byRule.filter(({ rule }) => isInside(rule)),
    byRule.filter(({ rule }) => !isInside(rule)),
  ];
  const ofProperties = outside.flatMap(({ id, rule: { property, ...rest } }) =>
    property === undefined ? [] : [{ id, property, rest }],
  );
  const elsewhere = outside.filter(({ rule }) => rule.property === undefined);
  const counted = await Promise.all([
    countPicked(db, byHand),
    countByProperty(db, ofProperties),
    countTogether(
      db,
      elsewhere.filter(({ rule }) => !asksEach(rule)),
    ),
    countEach(db, [...inside, ...elsewhere.filter(({ rule }) => asksEach(rule))]),
  ]);
  return new Map(counted.flat().map(({ id, people }) => [id, people]));
}

/** There are too many units, floors, stacks and details to group people by them. */
const asksEach = (rule: GroupRule) => rule.unit !== undefined || rule.details !== undefined;

type Count = { id: number; people: number };

async function countPicked(db: Db, groupIds: readonly number[]): Promise<Count[]> {
  if (groupIds.length === 0) return [];
  const found = await sql<Count>`
    SELECT m.group_id AS id, count(*) AS people
    FROM group_members m JOIN users u ON u.id = m.user_id AND u.deleted_at IS NULL
    WHERE m.group_id = ANY(${[...groupIds]}::bigint[]) GROUP BY m.group_id`.execute(db);
  return found.rows;
}

type PropertyGroup = { id: number; property: string; rest: GroupRule };

/** Rules that differ only in the property are counted in one grouped pass, however many there are. */
async function countByProperty(db: Db, groups: readonly PropertyGroup[]): Promise<Count[]> {
  const alike = Map.groupBy(groups, ({ rest }) => JSON.stringify(rest)).values();
  const counted = await Promise.all([...alike].map((some) => countAlike(db, some)));
  return counted.flat();
}

async function countAlike(db: Db, groups: readonly PropertyGroup[]): Promise<Count[]> {
  const properties = [...new Set(groups.map(({ property }) => property))];
  const { unit, ...rest } = groups[0]?.rest ?? {};
  const named =
    unit === undefined ? livesAsNamed : sql<boolean>`(${livesAsNamed} AND ${unitFits(sql`u.unit`, unit)})`;
  const found = await sql<{ property: string; people: number }>`
    SELECT property, sum(people)::int AS people FROM (
      SELECT u.property, count(*) AS people FROM users u
      WHERE u.deleted_at IS NULL AND u.property = ANY(${properties}::text[])
        AND u.property_key = ANY(ARRAY(SELECT by_number(fold(name)) FROM unnest(${properties}::text[]) name))
        AND ${fits(rest, { lives: () => named })}
      GROUP BY u.property
      UNION ALL
      -- Who lives there as well, each once, and not those who are counted above.
      SELECT b.property, count(DISTINCT u.id) FROM (
        SELECT o.person_id, p.name AS property, o.written
        FROM (SELECT r.person_id, h.property_id, h.written FROM ${homesBesides}) o JOIN properties p ON p.id = o.property_id
        WHERE p.name = ANY(${properties}::text[])
      ) b JOIN users u ON u.id = b.person_id
      WHERE u.deleted_at IS NULL AND NOT coalesce(u.property = b.property AND ${named}, false)
        AND ${fits(rest, { lives: () => (unit === undefined ? sql<boolean>`true` : unitFits(sql`b.written`, unit)) })}
      GROUP BY b.property
    ) counted GROUP BY property`.execute(db);
  const people = new Map(found.rows.map((row) => [row.property, row.people]));
  return groups.map(({ id, property }) => ({ id, people: people.get(property) ?? 0 }));
}

const ofTally: RuleColumns = {
  role: sql`t.role`,
  lives: () => sql<boolean>`t.lives`,
  reachable: (channel) => sql<boolean>`${sql.ref(`t.${channel}`)}`,
  confirmed: sql`t.confirmed`,
};

/** One pass over the people serves all groups: people who are alike in what the rules ask are counted together. */
async function countTogether(db: Db, groups: readonly RuleGroup[]): Promise<Count[]> {
  if (groups.length === 0) return [];
  const asked = new Set(groups.map(({ rule }) => rule.channel));
  const ways = channels.map((channel) => wayColumn(channel, asked.has(channel)));
  const counts = groups.map(
    ({ id, rule }) => sql`SELECT ${sql.lit(id)}::bigint AS id,
      (SELECT coalesce(sum(t.people), 0)::int FROM tally t WHERE ${fits(rule, ofTally)}) AS people`,
  );
  const found = await sql<Count>`
    WITH tally AS MATERIALIZED (
      SELECT u.role, u.address_confirmed_at IS NOT NULL AS confirmed, ${livesAt({})} AS lives, ${sql.join(ways)},
        count(*) AS people
      FROM users u WHERE u.deleted_at IS NULL GROUP BY 1, 2, 3, 4, 5, 6
    )
    ${sql.join(counts, sql` UNION ALL `)}`.execute(db);
  return found.rows;
}

function wayColumn(channel: Channel, asked: boolean): RawBuilder<unknown> {
  return sql`${asked ? reachable(channel) : sql`NULL::boolean`} AS ${sql.ref(channel)}`;
}

async function countEach(db: Db, groups: readonly RuleGroup[]): Promise<Count[]> {
  if (groups.length === 0) return [];
  const counts = groups.map(
    ({ id, rule }) => sql`SELECT ${sql.lit(id)}::bigint AS id,
      (SELECT count(*) FROM users u WHERE u.deleted_at IS NULL AND ${fits(rule)}) AS people`,
  );
  const found = await sql<Count>`${sql.join(counts, sql` UNION ALL `)}`.execute(db);
  return found.rows;
}
