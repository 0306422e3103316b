import type { ImportResult } from "#contract/csv.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import {
  badCell,
  type ImportOptions,
  type ImportPlan,
  type ImportRow,
  planImport,
} from "#server/features/csv/plan-import.ts";
import { trouble } from "#server/features/csv/read-row.ts";
import { insertPeople, updatePeople } from "#server/features/csv/write-people.ts";
import { addToGroups, checkHandGroups } from "#server/features/groups/memberships.ts";
import { syncRuleGroups } from "#server/features/groups/sync-rule-groups.ts";
import { takeTurns } from "#server/features/people/who-may-change.ts";
import type { SessionUser } from "#server/http/route.ts";

/** What importing these rows would do. Reads only. Throws invalid-input: the header, the groups. */
export async function checkImport(
  db: Db,
  rows: readonly ImportRow[],
  { actor, options }: { actor: SessionUser; options: ImportOptions },
): Promise<ImportResult> {
  await checkHandGroups(db, options.groupIds);
  return resultOf(await planImport(db, rows, { actorId: actor.id, options, lock: false }));
}

/**
 * Creates and updates people from the rows that are good, all in one transaction, puts them into the chosen groups
 * and gives new properties their group. The same rows once more change nothing. Throws as `checkImport` does.
 */
export async function importPeople(
  db: Db,
  rows: readonly ImportRow[],
  { actor, options, ip }: { actor: SessionUser; options: ImportOptions; ip: string },
): Promise<ImportResult> {
  return transaction(db, async (tx) => {
    await takeTurns(tx);
    await checkHandGroups(tx, options.groupIds);
    const plan = await planImport(tx, rows, { actorId: actor.id, options, lock: true });
    const created = await createPeople(tx, plan);
    if (plan.updates.length > 0) await updatePeople(tx, plan.updates);
    const people = [...created, ...plan.updates.map(({ id }) => id), ...plan.unchanged];
    if (options.groupIds.length > 0) await addToGroups(tx, people, options.groupIds);
    const groups = await syncRuleGroups(tx, propertiesOf(plan));
    const result = resultOf(plan);
    const { badCells: _, renames, ...counts } = result;
    await recordAudit(tx, {
      actor,
      ip,
      action: "user.import",
      subject: { type: "user" },
      detail: {
        ...counts,
        renamed: renames.filter(({ unsure }) => !unsure || options.renames === "update").length,
        groupIds: options.groupIds,
        newGroups: groups.map((group) => group.name),
      },
    });
    return result;
  });
}

/** Answers the ids. A user name that somebody took since the plan was made leaves its row out. */
async function createPeople(tx: Db, plan: ImportPlan): Promise<number[]> {
  if (plan.creates.length === 0) return [];
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
    plan.badCells.push(badCell(row, trouble(meaning, person[meaning], "taken", reason), plan.header));
  }
  return [...inserted.values()];

  function isIn({ person }: ImportPlan["creates"][number]): boolean {
    return inserted.has(person.username);
  }
}

function propertiesOf({ creates, updates }: ImportPlan): string[] {
  const people = [...creates.map(({ person }) => person), ...updates];
  return [...new Set(people.map((person) => person.property).filter((property) => property !== null))];
}

function resultOf(plan: ImportPlan): ImportResult {
  return {
    created: plan.creates.length,
    updated: plan.updates.length,
    unchanged: plan.unchanged.length,
    skipped: plan.skipped,
    rejected: plan.rejected,
    existing: plan.existing,
    renames: plan.renames,
    badCells: plan.badCells,
  };
}
