import { sql } from "kysely";
import type { ImportResult } from "#contract/csv.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { badCell, planImport, type ImportPlan, type ImportRow } from "#server/features/csv/plan-import.ts";
import { insertPeople, updatePeople } from "#server/features/csv/queries.ts";
import { trouble } from "#server/features/csv/read-row.ts";
import { syncRuleGroups } from "#server/features/groups/sync-rule-groups.ts";
import type { SessionUser } from "#server/http/route.ts";

// Any constant: two imports at once would give two people the same made-up user name.
const LOCK = 7_462_022;

/** What importing these rows would do. Reads only. */
export async function checkImport(
  db: Db,
  rows: readonly ImportRow[],
  call: { actor: SessionUser; firstRow: number },
): Promise<ImportResult> {
  return resultOf(
    await planImport(db, rows, { actorId: call.actor.id, firstRow: call.firstRow, lock: false }),
  );
}

/**
 * Creates and updates people from the rows that are good, all in one transaction, and gives new properties their
 * group. The same rows once more change nothing.
 */
export async function importPeople(
  db: Db,
  rows: readonly ImportRow[],
  { actor, firstRow, ip }: { actor: SessionUser; firstRow: number; ip: string },
): Promise<ImportResult> {
  return transaction(db, async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(${LOCK})`.execute(tx);
    const plan = await planImport(tx, rows, { actorId: actor.id, firstRow, lock: true });
    await createPeople(tx, plan);
    if (plan.updates.length > 0) await updatePeople(tx, plan.updates);
    const groups = await syncRuleGroups(tx, propertiesOf(plan));
    const result = resultOf(plan);
    const { created, updated, unchanged, rejected } = result;
    await recordAudit(tx, {
      actor,
      ip,
      action: "user.import",
      subject: { type: "user" },
      detail: { created, updated, unchanged, rejected, newGroups: groups.map((group) => group.name) },
    });
    return result;
  });
}

/** A user name that somebody took since the plan was made leaves its row out. */
async function createPeople(tx: Db, plan: ImportPlan): Promise<void> {
  if (plan.creates.length === 0) return;
  const inserted = await insertPeople(
    tx,
    plan.creates.map(({ person }) => person),
  );
  const [done, late] = [plan.creates.filter(isIn), plan.creates.filter((create) => !isIn(create))];
  plan.creates = done;
  plan.rejected += late.length;
  const meaning = plan.header.columns.has("username") ? "username" : "lastName";
  for (const { row, person } of late) {
    const reason = "Somebody else has just taken this user name. Import this row again.";
    plan.badCells.push(badCell(row, trouble(meaning, person[meaning], "duplicate", reason), plan.header));
  }

  function isIn({ person }: ImportPlan["creates"][number]): boolean {
    return inserted.has(person.username);
  }
}

function propertiesOf({ creates, updates }: ImportPlan): string[] {
  const people = [...creates.map(({ person }) => person), ...updates];
  return [...new Set(people.map((person) => person.property).filter((property) => property !== null))];
}

function resultOf({ creates, updates, unchanged, rejected, badCells }: ImportPlan): ImportResult {
  return { created: creates.length, updated: updates.length, unchanged, rejected, badCells };
}
