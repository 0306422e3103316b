import { sql } from "kysely";
import type { QueryOf } from "#contract/endpoint.ts";
import type { Group, GroupRule, groups } from "#contract/calls/groups.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import type { Db } from "#server/db/database.ts";
import { fromStored, type StoredRule } from "#server/db/stored-rule.ts";
import { containing, fit } from "#server/db/like.ts";
import { countMembers } from "#server/features/groups/count-members.ts";
import { creatorName } from "#server/features/people/columns.ts";
import type { Page } from "#server/http/route.ts";

type Row = Omit<Group, "rule" | "userCount" | "userIds" | "updatedAt"> & {
  rule: StoredRule | null;
  updatedAt: Date;
};

const columns = sql`g.id, g.name, g.description, g.rule, g.built_in AS "builtIn", g.updated_at AS "updatedAt",
  ${creatorName} AS "createdBy"`;
const creator = sql`LEFT JOIN users c ON c.id = g.created_by AND c.deleted_at IS NULL AND NOT g.built_in`;

/** In the order of an index: groups that people created, then Everyone and the roles, then the properties. */
const listOrder = sql`g.place, g.name_key, g.id`;
/** Everyone and the roles first. */
const pickerOrder = sql`g.place <> 1, ${listOrder}`;

type GroupsQuestion = QueryOf<typeof groups.list>;

/** One page of the groups with this text in name or description; only the groups on it are counted. */
export async function listGroups(
  db: Db,
  { q = "", byHand, bestFirst, page, pageSize }: GroupsQuestion,
): Promise<Page<Group>> {
  const order = !bestFirst ? listOrder : q ? sql`${fit(sql`g.name`, q)}, ${pickerOrder}` : pickerOrder;
  const where = sql`g.folded LIKE ${containing(q)} AND ${byHand ? sql`g.rule IS NULL` : sql`true`}`;
  const [rows, count] = await Promise.all([
    sql<Row>`
      SELECT ${columns} FROM (
        SELECT g.* FROM user_groups g WHERE ${where}
        ORDER BY ${order} LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}) g ${creator}
      ORDER BY ${order}`.execute(db),
    sql<{ total: number }>`SELECT count(*) AS total FROM user_groups g WHERE ${where}`.execute(db),
  ]);
  return { rows: await counted(db, rows.rows), total: count.rows[0]?.total ?? 0 };
}

/** One group as lists show it. Throws not-found. */
export async function readGroup(db: Db, id: number): Promise<Group> {
  const { rows } = await sql<Row>`SELECT ${columns} FROM user_groups g ${creator} WHERE g.id = ${id}`.execute(
    db,
  );
  const [group] = await counted(db, rows);
  if (!group) throw refusal("no-such-group");
  return group;
}

/** How many groups come before this one in the full list. */
export async function groupsBefore(db: Db, id: number): Promise<number> {
  const { rows } = await sql<{ before: number }>`
    SELECT count(*) AS before FROM user_groups o, user_groups g
    WHERE o.id = ${id} AND (${listOrder}) < (o.place, o.name_key, o.id)`.execute(db);
  return rows[0]?.before ?? 0;
}

/** The ids of a larger group have a separate call. */
const IDS_MAX = 1000;

async function counted(db: Db, found: readonly Row[]): Promise<Group[]> {
  const rows = found.map((row) => ({ ...row, rule: fromStored(row.rule) }));
  const members = await countMembers(db, rows);
  const count = ({ id }: { id: number }) => members.get(id) ?? 0;
  const named = rows.filter((row) => row.rule === null && count(row) <= IDS_MAX);
  const ids = await memberIdsOf(
    db,
    named.map(({ id }) => id),
  );
  return rows.map((row) => ({
    ...row,
    userCount: count(row),
    ...(named.includes(row) && { userIds: ids.get(row.id) ?? [] }),
    updatedAt: row.updatedAt.toISOString(),
  }));
}

/** The members of hand-picked groups, by group. */
export async function memberIdsOf(db: Db, groupIds: readonly number[]): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ id: number; userIds: number[] }>`
    SELECT m.group_id AS id, array_agg(u.id ORDER BY u.id) AS "userIds"
    FROM group_members m JOIN users u ON u.id = m.user_id AND u.deleted_at IS NULL
    WHERE m.group_id = ANY(${groupIds}::bigint[]) GROUP BY m.group_id`.execute(db);
  return new Map(rows.map(({ id, userIds }) => [id, userIds]));
}

export type StoredGroup = {
  id: number;
  name: string;
  description: string;
  rule: GroupRule | null;
  builtIn: boolean;
  updatedAt: Date;
};

/** A group, locked until the transaction ends. Throws not-found. */
export async function lockGroup(tx: Db, id: number): Promise<StoredGroup> {
  const found = await sql<Omit<StoredGroup, "rule"> & { rule: StoredRule | null }>`
    SELECT id, name, description, rule, built_in AS "builtIn", updated_at AS "updatedAt"
    FROM user_groups WHERE id = ${id} FOR UPDATE`.execute(tx);
  const [group] = found.rows;
  if (!group) throw refusal("no-such-group");
  return { ...group, rule: fromStored(group.rule) };
}
