import { type RawBuilder, sql } from "kysely";
import type { QueryOf } from "#contract/endpoint.ts";
import type { User, users } from "#contract/calls/users.ts";
import type { Db } from "#server/db/database.ts";
import { containing, fit } from "#server/db/like.ts";
import { atProperty, inAudience } from "#server/audience/audience.ts";
import { nameOf, reachable, unreachable } from "#server/audience/person.ts";
import { indexedSearch, matching } from "#server/audience/person-search.ts";
import { standing, userColumns } from "#server/features/people/columns.ts";
import type { Page } from "#server/http/route.ts";

type UsersQuestion = QueryOf<typeof users.list>;

/** One page of the people who match every filter. */
export async function listUsers(db: Db, question: UsersQuestion): Promise<Page<User>> {
  const who = await condition(db, question);
  return indexedSearch(question.q ?? "") ? foundPage(db, who, question) : walkedPage(db, who, question);
}

/** The page is read in the order of an index and its rows are looked up by id; the total is counted separately. */
async function walkedPage(db: Db, who: RawBuilder<unknown>, question: UsersQuestion): Promise<Page<User>> {
  const [rows, count] = await Promise.all([
    sql<User>`
      WITH page AS (${pageOf(sql`SELECT u.id FROM users u WHERE ${who}`, question)})
      SELECT ${userColumns} FROM page JOIN users u USING (id) ORDER BY page.place`.execute(db),
    sql<{ total: number }>`SELECT count(*) AS total FROM users u WHERE ${who}`.execute(db),
  ]);
  return { rows: rows.rows, total: count.rows[0]?.total ?? 0 };
}

/** Search results are fetched once, for page and total. */
async function foundPage(db: Db, who: RawBuilder<unknown>, question: UsersQuestion): Promise<Page<User>> {
  const found = await sql<User & { total: number }>`
    WITH found AS MATERIALIZED (
      SELECT u.id, u.last_name, u.first_name, u.name_key, u.role, u.property_key FROM users u WHERE ${who}
    ), page AS (${pageOf(sql`SELECT u.id FROM found u`, question)})
    SELECT ${userColumns}, t.total
    FROM (SELECT count(*) AS total FROM found) t LEFT JOIN (page JOIN users u USING (id)) ON true
    ORDER BY page.place`.execute(db);
  const rows = found.rows.flatMap(({ total, ...user }) => (total > 0 && user.id !== null ? [user] : []));
  return { rows, total: found.rows[0]?.total ?? 0 };
}

function pageOf(ids: RawBuilder<unknown>, question: UsersQuestion): RawBuilder<unknown> {
  const { page, pageSize } = question;
  return sql`SELECT id, row_number() OVER () AS place FROM (
    ${ids} ORDER BY ${orderOf(question)} LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}) ids`;
}

async function condition(db: Db, { q, role, property, groupId, reachable: way, lives }: UsersQuestion) {
  const conditions: RawBuilder<unknown>[] = [sql`u.deleted_at IS NULL`];
  if (q) conditions.push(matching(q));
  if (role) conditions.push(sql`u.role = ${role}`);
  if (property) conditions.push(atProperty(property));
  if (groupId) conditions.push(await inAudience(db, [{ type: "group", id: groupId }]));
  if (lives) conditions.push(sql`${standing} = ${lives}`);
  if (way) conditions.push(way === "nothing" ? unreachable() : reachable(way));
  return sql.join(conditions, sql` AND `);
}

function orderOf(question: UsersQuestion): RawBuilder<unknown> {
  const { q = "", bestFirst } = question;
  return bestFirst && indexedSearch(q)
    ? sql`${fit(nameOf("u"), q)}, ${listOrder(question)}`
    : listOrder(question);
}

/** Each order is an index of migrations 0084, 0126 and 0128, forward or backward; "newest" is the ids backward. */
function listOrder({ sort, direction }: UsersQuestion): RawBuilder<unknown> {
  const way = sql.raw(direction);
  const byName = sql`u.name_key ${way}, u.id ${way}`;
  switch (sort) {
    case "name":
      return byName;
    case "role":
      return sql`u.role ${way}, ${byName}`;
    case "property":
      return sql`u.property_key ${way}, ${byName}`;
    case "newest":
      return sql`u.id ${sql.raw(direction === "asc" ? "desc" : "asc")}`;
    default:
      return sort satisfies never;
  }
}

/** One page of the properties in use, with the number of people, by name. */
export async function listProperties(
  db: Db,
  { q = "", page, pageSize }: QueryOf<typeof users.properties>,
): Promise<Page<{ name: string; people: number }>> {
  const found = await sql<{ name: string; people: number; total: number }>`
    SELECT name, people, count(*) OVER () AS total FROM (
      -- In the order of an index.
      SELECT u.property_key, u.property AS name, count(*) AS people FROM users u
      WHERE u.deleted_at IS NULL AND u.property_key IS NOT NULL GROUP BY u.property_key, u.property) p
    WHERE fold(name) LIKE ${containing(q)}
    ORDER BY ${fit(sql`name`, q)}, property_key, name LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`.execute(
    db,
  );
  return {
    rows: found.rows.map(({ name, people }) => ({ name, people })),
    total: found.rows[0]?.total ?? 0,
  };
}
