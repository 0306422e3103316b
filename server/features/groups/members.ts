import { sql } from "kysely";
import type { GroupRule } from "#contract/calls/groups.ts";
import type { User } from "#contract/calls/users.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import type { Db } from "#server/db/database.ts";
import { fromStored } from "#server/db/stored-rule.ts";
import { fits } from "#server/audience/audience.ts";
import { memberIdsOf } from "#server/features/groups/queries.ts";
import { userColumns } from "#server/features/people/columns.ts";
import { listUsers } from "#server/features/people/queries.ts";
import type { Page } from "#server/http/route.ts";

type MembersQuestion = { q?: string | undefined; page: number; pageSize: number };

/** One page of who is in a group now, by last name. Throws not-found. */
export async function listMembers(db: Db, id: number, question: MembersQuestion): Promise<Page<User>> {
  await ruleOf(db, id);
  return listUsers(db, { groupId: id, sort: "name", direction: "asc", bestFirst: false, ...question });
}

/** The members of a hand-picked group. Throws not-found, and conflict if the members follow a rule. */
export async function memberIds(db: Db, id: number): Promise<number[]> {
  if ((await ruleOf(db, id)) !== null) {
    throw refusal("members-by-rule");
  }
  return (await memberIdsOf(db, [id])).get(id) ?? [];
}

async function ruleOf(db: Db, id: number): Promise<GroupRule | null> {
  const group = await db.selectFrom("user_groups").select("rule").where("id", "=", id).executeTakeFirst();
  if (!group) throw refusal("no-such-group");
  return fromStored(group.rule);
}

const FIRST = 10;

/** Who matches a rule now: how many, and the first few by last name. */
export async function tryRule(db: Db, rule: GroupRule): Promise<{ userCount: number; first: User[] }> {
  const who = sql`u.deleted_at IS NULL AND ${fits(rule)}`;
  // One after the other, because each may read everyone.
  const count = await sql<{ total: number }>`SELECT count(*) AS total FROM users u WHERE ${who}`.execute(db);
  const first = await sql<User>`
    SELECT ${userColumns} FROM users u WHERE ${who}
    ORDER BY u.name_key, u.id LIMIT ${FIRST}`.execute(db);
  return { userCount: count.rows[0]?.total ?? 0, first: first.rows };
}
