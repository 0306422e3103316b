import { type RawBuilder, sql } from "kysely";
import type { QueryOf } from "#contract/endpoint.ts";
import type { User, users } from "#contract/users.ts";
import type { Db } from "#server/db/database.ts";
import { inAudience } from "#server/delivery/audience.ts";
import { reachable, unreachable } from "#server/delivery/person.ts";
import { userColumns } from "#server/features/users/columns.ts";
import { matching } from "#server/features/users/search.ts";
import type { Page } from "#server/http/route.ts";

export type UsersQuestion = QueryOf<typeof users.list>;

/** One page of the living who fit everything that is asked. */
export async function listUsers(db: Db, question: UsersQuestion): Promise<Page<User>> {
  const { page, pageSize } = question;
  const who = await condition(db, question);
  const order = orderOf(question);
  const [rows, count] = await Promise.all([
    sql<User>`
      SELECT ${userColumns} FROM users u WHERE ${who} ORDER BY ${order}
      LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`.execute(db),
    sql<{ total: number }>`SELECT count(*) AS total FROM users u WHERE ${who}`.execute(db),
  ]);
  return { rows: rows.rows, total: count.rows[0]?.total ?? 0 };
}

async function condition(db: Db, { q, role, property, groupId, reachable: way }: UsersQuestion) {
  const conditions: RawBuilder<unknown>[] = [sql`u.deleted_at IS NULL`];
  if (q) conditions.push(matching(q));
  if (role) conditions.push(sql`u.role = ${role}`);
  if (property) conditions.push(sql`u.property = ${property}`);
  if (groupId) conditions.push(await inAudience(db, [{ type: "group", id: groupId }]));
  if (way) conditions.push(way === "nothing" ? unreachable() : reachable(way));
  return sql.join(conditions, sql` AND `);
}

function orderOf({ sort, direction }: UsersQuestion): RawBuilder<unknown> {
  const way = sql.raw(direction);
  const byName = sql`lower(u.last_name) ${way}, lower(u.first_name) ${way}, u.id ${way}`;
  switch (sort) {
    case "name":
      return byName;
    case "role":
      return sql`u.role ${way}, ${byName}`;
    case "property":
      return sql`u.property ${way} NULLS LAST, ${byName}`;
    case "newest":
      return sql`u.id ${direction === "asc" ? sql.raw("desc") : sql.raw("asc")}`;
    default:
      return sort satisfies never;
  }
}

/** The properties that living people have, with how many, by name. */
export async function listProperties(db: Db): Promise<{ name: string; people: number }[]> {
  const found = await sql<{ name: string; people: number }>`
    SELECT u.property AS name, count(*) AS people FROM users u
    WHERE u.deleted_at IS NULL AND u.property IS NOT NULL
    GROUP BY u.property ORDER BY lower(u.property), u.property`.execute(db);
  return found.rows;
}
