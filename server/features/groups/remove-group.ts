import { sql } from "kysely";
import { refusal } from "#contract/refusals/refusal.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { lockGroup } from "#server/features/groups/queries.ts";
import { detach, inUse, isFanningOut, lockUses } from "#server/features/schedules/use-of-recipient.ts";
import type { By } from "#server/http/route.ts";

/**
 * Deletes a group and returns its name. Throws not-found, and conflict if it is built in, a message is being sent to it
 * right now, or something scheduled uses it. With `detach`, scheduled items continue without the group.
 */
export async function removeGroup(
  db: Db,
  id: number,
  { detach: withoutIt, by }: { detach: boolean; by: By },
): Promise<string> {
  return transaction(db, async (tx) => {
    const group = await lockGroup(tx, id);
    if (group.builtIn) throw refusal("group-built-in", { name: group.name });
    if (await isFanningOut(tx, id)) {
      throw refusal("message-going-out", { name: group.name });
    }
    const uses = await lockUses(tx, { type: "group", id });
    if (uses.length > 0 && !withoutIt) throw inUse(group.name, uses);
    await detach(tx, { type: "group", id, name: group.name }, uses);
    await sql`DELETE FROM user_groups WHERE id = ${id}`.execute(tx);
    await recordAudit(tx, {
      by,
      action: "group.delete",
      subject: { type: "group", id },
      detail: { name: group.name, detached: uses.map(({ type, id: used }) => `${type} ${used}`) },
    });
    return group.name;
  });
}
