import { sql } from "kysely";
import type { BodyOf } from "#contract/endpoint.ts";
import { AppError } from "#contract/errors.ts";
import type { GroupRule, groups } from "#contract/groups.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, isUniqueViolation } from "#server/db/database.ts";
import { lockGroup } from "#server/features/groups/queries.ts";
import { settledRule } from "#server/features/groups/rule.ts";
import type { By } from "#server/http/route.ts";

type Body = BodyOf<typeof groups.create>;
type Update = BodyOf<typeof groups.update>;
/** Makes a group and answers its id. Throws conflict (the name). */
export async function createGroup(db: Db, body: Body, { user, ip }: By): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const rule = body.rule ? await settledRule(tx, body.rule) : null;
    const made = await tx
      .insertInto("user_groups")
      .values({
        name: body.name,
        description: body.description,
        rule: rule && JSON.stringify(rule),
        created_by: user.id,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!made) throw nameTaken(body.name);
    if (rule === null) await setMembers(tx, made.id, body.userIds);
    await recordAudit(tx, {
      actor: user,
      ip,
      action: "group.create",
      subject: { type: "group", id: made.id },
      detail: detailOf(body, rule),
    });
    return made.id;
  });
}

/** Changes a group. Throws not-found, and conflict: it is built in, the name is taken, or somebody else changed it. */
export async function updateGroup(db: Db, id: number, body: Update, { user, ip }: By): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const before = await lockGroup(tx, id);
    if (before.builtIn) throw builtIn(before.name);
    if (body.updatedAt !== undefined && body.updatedAt !== before.updatedAt.toISOString()) {
      throw new AppError(
        "conflict",
        "Somebody else changed this group meanwhile. Reload and make your change again.",
      );
    }
    const rule = body.rule ? await settledRule(tx, body.rule) : null;
    await write(tx, id, body, rule);
    await setMembers(tx, id, rule === null ? body.userIds : []);
    await recordAudit(tx, {
      actor: user,
      ip,
      action: "group.update",
      subject: { type: "group", id },
      detail: detailOf(body, rule),
    });
  });
}

export const builtIn = (name: string) =>
  new AppError("conflict", `“${name}” is built in. It follows the people and cannot be changed by hand.`);

const nameTaken = (name: string) => {
  const sentence = `A group named “${name}” exists already. Choose another name.`;
  return new AppError("conflict", sentence, { fields: { name: sentence } });
};

async function write(tx: Db, id: number, body: Body, rule: GroupRule | null): Promise<void> {
  try {
    await sql`
      UPDATE user_groups SET name = ${body.name}, description = ${body.description},
        rule = ${rule && JSON.stringify(rule)}::jsonb, updated_at = now()
      WHERE id = ${id}`.execute(tx);
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken(body.name) : error;
  }
}

/** Those of the ids that are living people become the members. */
async function setMembers(tx: Db, groupId: number, userIds: readonly number[]): Promise<void> {
  const wanted = sql`${[...new Set(userIds)]}::bigint[]`;
  await sql`
    DELETE FROM group_members m WHERE group_id = ${groupId}
      AND NOT EXISTS (SELECT FROM unnest(${wanted}) AS w (id) WHERE w.id = m.user_id)`.execute(tx);
  await sql`
    INSERT INTO group_members (group_id, user_id)
    SELECT ${groupId}, id FROM users WHERE id = ANY(${wanted}) AND deleted_at IS NULL
    ON CONFLICT DO NOTHING`.execute(tx);
}

function detailOf({ name, userIds }: Body, rule: GroupRule | null): Record<string, unknown> {
  return rule === null ? { name, members: userIds.length } : { name, rule };
}
