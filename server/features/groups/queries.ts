import { type RawBuilder, sql } from "kysely";
import { AppError } from "#contract/errors.ts";
import type { Group, GroupRule } from "#contract/groups.ts";
import type { Db } from "#server/db/database.ts";
import { countMembers } from "#server/features/groups/count-members.ts";
import { creatorName } from "#server/features/people/columns.ts";

type Row = Omit<Group, "userCount" | "updatedAt"> & { updatedAt: Date };

const columns = sql`g.id, g.name, g.description, g.rule, g.built_in AS "builtIn", g.updated_at AS "updatedAt",
  ${creatorName} AS "createdBy"`;

async function read(db: Db, which: RawBuilder<unknown>): Promise<Row[]> {
  const found = await sql<Row>`
    SELECT ${columns} FROM user_groups g
    LEFT JOIN users c ON c.id = g.created_by AND c.deleted_at IS NULL AND NOT g.built_in
    WHERE ${which}`.execute(db);
  return found.rows;
}

/** All groups with their members counted: those that somebody made, then Everyone and the roles, then the properties. */
export async function listGroups(db: Db, q = ""): Promise<Group[]> {
  const wanted = q.trim().toLowerCase();
  const groups = (await read(db, sql`true`)).filter((group) => group.name.toLowerCase().includes(wanted));
  return (await counted(db, groups)).sort(
    (a, b) => rank(a) - rank(b) || byName.compare(a.name, b.name) || a.id - b.id,
  );
}

/** One group as lists show it. Throws not-found. */
export async function readGroup(db: Db, id: number): Promise<Group> {
  const [group] = await counted(db, await read(db, sql`g.id = ${id}`));
  if (!group) throw noSuchGroup();
  return group;
}

export const noSuchGroup = () => new AppError("not-found", "This group does not exist any more");

async function counted(db: Db, rows: readonly Row[]): Promise<Group[]> {
  const members = await countMembers(db, rows);
  return rows.map((row) => ({
    ...row,
    userCount: members.get(row.id) ?? 0,
    updatedAt: row.updatedAt.toISOString(),
  }));
}

function rank({ builtIn, rule }: { builtIn: boolean; rule: GroupRule | null }): number {
  if (!builtIn) return 0;
  return rule?.property === undefined ? 1 : 2;
}

export const byName = new Intl.Collator("en-US", { numeric: true, sensitivity: "base" });

export type StoredGroup = {
  id: number;
  name: string;
  description: string;
  rule: GroupRule | null;
  builtIn: boolean;
  updatedAt: Date;
};

/** A group as it is until the transaction ends. Throws not-found. */
export async function lockGroup(tx: Db, id: number): Promise<StoredGroup> {
  const found = await sql<StoredGroup>`
    SELECT id, name, description, rule, built_in AS "builtIn", updated_at AS "updatedAt"
    FROM user_groups WHERE id = ${id} FOR UPDATE`.execute(tx);
  const [group] = found.rows;
  if (!group) throw noSuchGroup();
  return group;
}
