import { sql } from "kysely";
import { isolated } from "#contract/text/isolate.ts";
import { compareNames } from "#contract/text/fold.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { syncRuleGroups } from "#server/features/groups/sync-rule-groups.ts";
import { isUsed } from "#server/features/schedules/use-of-recipient.ts";
import type { By } from "#server/http/route.ts";

type SyncReport = {
  created: string[];
  removed: string[];
  message: string;
};

/**
 * Recomputes the built-in groups: every property that people have gets a group, and the group of a property no one has
 * anymore is removed, unless something scheduled or under way uses it.
 */
export async function syncGroups(db: Db, by: By): Promise<SyncReport> {
  const { created, removed } = await transaction(db, async (tx) => {
    const created = (await syncRuleGroups(tx)).map(({ name }) => name).toSorted(compareNames);
    const removed = await removeDeserted(tx);
    if (created.length + removed.length > 0) {
      await recordAudit(tx, {
        by,
        action: "group.sync",
        subject: { type: "group" },
        detail: { created, removed },
      });
    }
    return { created, removed };
  });
  return { created, removed, message: summary(created, removed) };
}

async function removeDeserted(tx: Db): Promise<string[]> {
  const deserted = await sql<{ id: number; name: string }>`
    SELECT g.id, g.name FROM user_groups g
    WHERE g.built_in AND g.rule ? 'property' AND NOT EXISTS (
      SELECT FROM users u WHERE u.property = g.rule->>'property' AND u.deleted_at IS NULL)
    ORDER BY g.name, g.id FOR UPDATE`.execute(tx);
  const removed: string[] = [];
  for (const { id, name } of deserted.rows) {
    if (await isUsed(tx, id)) continue;
    await sql`DELETE FROM user_groups WHERE id = ${id}`.execute(tx);
    removed.push(name);
  }
  return removed;
}

function summary(created: readonly string[], removed: readonly string[]): string {
  const parts = [
    created.length > 0 ? `Created: ${created.map((name) => isolated(name)).join(", ")}.` : "",
    removed.length > 0
      ? `Removed because no one lives there now: ${removed.map((name) => isolated(name)).join(", ")}.`
      : "",
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(" ") : "Every group was up to date.";
}
