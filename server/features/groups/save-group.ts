import { sql } from "kysely";
import type { BodyOf } from "#contract/endpoint.ts";
import type { AppError } from "#contract/errors.ts";
import type { GroupRule, groups } from "#contract/calls/groups.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { changesBetween, recordAudit } from "#server/db/audit.ts";
import { type Db, isUniqueViolation, transaction } from "#server/db/database.ts";
import { toStored } from "#server/db/stored-rule.ts";
import { refuseStale } from "#server/db/stale-edit.ts";
import { lockGroup, type StoredGroup } from "#server/features/groups/queries.ts";
import { settledRule } from "#server/features/groups/rule.ts";
import type { By } from "#server/http/route.ts";

type Body = BodyOf<typeof groups.create>;
type Update = BodyOf<typeof groups.update>;

/** Creates a group and returns its id. Throws conflict (the name), and invalid-input (ids of no one). */
export async function createGroup(db: Db, body: Body, by: By): Promise<number> {
  return transaction(db, async (tx) => {
    const rule = body.rule ? await settledRule(tx, body.rule) : null;
    const made = await tx
      .insertInto("user_groups")
      .values({
        name: body.name,
        description: body.description ?? "",
        rule: rule && JSON.stringify(toStored(rule)),
        created_by: by.user.id,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!made) throw refusal("group-name-taken", { name: body.name });
    const userIds = rule === null ? (body.userIds ?? []) : [];
    const members = await setMembers(tx, made.id, userIds);
    await recordAudit(tx, {
      by,
      action: "group.create",
      subject: { type: "group", id: made.id },
      detail: { name: body.name, ...(rule ? { rule } : members) },
    });
    return made.id;
  });
}

/**
 * Changes the fields of a group that the body contains. Throws not-found; conflict: it is built in, the name is taken,
 * or someone else changed it; invalid-input: ids of no one, or ids beside a rule that stays.
 */
export async function updateGroup(db: Db, id: number, body: Update, by: By): Promise<void> {
  await transaction(db, async (tx) => {
    const before = await lockGroup(tx, id);
    if (before.builtIn) throw refusal("group-built-in", { name: before.name });
    refuseStale(body.updatedAt, before.updatedAt, "group");
    const rule = body.rule ? await settledRule(tx, body.rule) : ruleLeft(before, body);
    if (body.rule === undefined && rule !== null && body.userIds?.length) throw refusal("group-has-rule");
    const after = { name: body.name, description: body.description ?? before.description, rule };
    await write(tx, id, after);
    const userIds = rule === null ? body.userIds : [];
    const members = userIds && (await setMembers(tx, id, userIds));
    await recordAudit(tx, {
      by,
      action: "group.update",
      subject: { type: "group", id },
      detail: { name: body.name, changes: changesBetween(before, after), ...members },
    });
  });
}

/** Null ends a rule; a body without `rule` leaves it alone. */
const ruleLeft = (before: StoredGroup, { rule }: Update) => (rule === null ? null : before.rule);

type Written = { name: string; description: string; rule: GroupRule | null };

async function write(tx: Db, id: number, { name, description, rule }: Written): Promise<void> {
  try {
    await sql`
      UPDATE user_groups SET name = ${name}, description = ${description},
        rule = ${rule && JSON.stringify(toStored(rule))}::jsonb, updated_at = now()
      WHERE id = ${id}`.execute(tx);
  } catch (error) {
    throw isUniqueViolation(error) ? refusal("group-name-taken", { name }) : error;
  }
}

/**
 * The ids of existing people become the members; anyone who was deleted meanwhile is left out. Returns who joined and
 * who left.
 */
async function setMembers(
  tx: Db,
  groupId: number,
  userIds: readonly number[],
): Promise<{ joined: number[]; left: number[] }> {
  const wanted = sql`${[...new Set(userIds)]}::bigint[]`;
  const nobodys = await sql<{ id: number }>`
    SELECT w.id FROM unnest(${wanted}) AS w (id) LEFT JOIN users u ON u.id = w.id
    WHERE u.id IS NULL ORDER BY w.id`.execute(tx);
  if (nobodys.rows.length > 0) throw unknownPeople(nobodys.rows.map(({ id }) => id));
  const left = await sql<{ id: number }>`
    DELETE FROM group_members m WHERE group_id = ${groupId}
      AND NOT EXISTS (SELECT FROM unnest(${wanted}) AS w (id) WHERE w.id = m.user_id)
    RETURNING user_id AS id`.execute(tx);
  const joined = await sql<{ id: number }>`
    INSERT INTO group_members (group_id, user_id)
    SELECT ${groupId}, id FROM users WHERE id = ANY(${wanted}) AND deleted_at IS NULL
    ON CONFLICT DO NOTHING RETURNING user_id AS id`.execute(tx);
  return { joined: joined.rows.map(({ id }) => id), left: left.rows.map(({ id }) => id) };
}

const NAMED = 5;

function unknownPeople(ids: readonly number[]): AppError {
  return refusal("members-unknown", { ids: ids.slice(0, NAMED), more: ids.length - NAMED });
}
