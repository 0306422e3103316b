import { sql } from "kysely";
import type { User } from "#contract/users.ts";
import type { Db } from "#server/db/database.ts";
import { likePatterns } from "#server/features/users/search.ts";
import type { Page } from "#server/http/route.ts";

export type UserSearch = { q?: string | undefined; page: number; pageSize: number };

/** One page of the living, by last name. Every word of `q` must occur somewhere in what identifies a person. */
export async function listUsers(db: Db, { q = "", page, pageSize }: UserSearch): Promise<Page<User>> {
  const living = db
    .selectFrom("users")
    .where("deleted_at", "is", null)
    .where((row) => row.and(likePatterns(q).map((pattern) => row("search_text", "like", pattern))));
  const [rows, count] = await Promise.all([
    living
      .select([
        "id",
        "username",
        "first_name as firstName",
        "last_name as lastName",
        "email",
        "phone",
        "role",
        "property_unit as propertyUnit",
        "receive_email as receiveEmail",
        "receive_sms as receiveSms",
        "receive_push as receivePush",
      ])
      .orderBy(sql`lower(last_name)`)
      .orderBy(sql`lower(first_name)`)
      .orderBy("id")
      .limit(pageSize)
      .offset((page - 1) * pageSize)
      .execute(),
    living.select((row) => row.fn.countAll<number>().as("total")).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: count.total };
}
