import type { csv, ImportResult } from "#contract/calls/csv.ts";
import type { QueryOf } from "#contract/endpoint.ts";
import { fullName } from "#contract/text/full-name.ts";
import { isColleague } from "#contract/permissions.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { changesBetween, recordAudit, recordAudits } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { countRowsAtOnce } from "#server/db/refresh-statistics.ts";
import { applyUpdates } from "#server/features/csv/apply-updates.ts";
import { findByUsername, type PersonRecord } from "#server/features/csv/find-people.ts";
import { type ImportOptions, type ImportPlan, planImport } from "#server/features/csv/plan-import.ts";
import type { ImportRow } from "#server/features/csv/row-columns.ts";
import { insertPeople } from "#server/features/csv/write-people.ts";
import { checkHandGroups, joinGroups } from "#server/features/groups/memberships.ts";
import { syncRuleGroups } from "#server/features/groups/sync-rule-groups.ts";
import { takeTurns } from "#server/features/people/who-may-change.ts";
import { refuseUnconfirmed } from "#server/http/authorize.ts";
import type { SessionBy } from "#server/http/route.ts";
import { moveLater } from "#server/places/move-later.ts";
import type { Leaving } from "#server/places/move-out.ts";
import { openStay, type Stay } from "#server/places/residencies.ts";
import { setDays } from "#server/places/set-days.ts";
import { settleHomes } from "#server/places/settle.ts";

/** To whom rows did something, by id. `mentioned`: who is on file and may be meant by one that wasn't imported. */
export type Did = Record<"created" | "updated" | "unchanged" | "mentioned", number[]> & {
  /** Who was added to which of the chosen groups. */
  joined: { groupId: number; userId: number }[];
  /** Of those who were imported, how many move in on a day to come. */
  movingIn: number;
  /** Who has moved out, if no other row of the file says that they live somewhere. */
  leaving: Leaving[];
  /** That rows name, also those that aren't imported. */
  properties: string[];
};
export type Imported = { result: ImportResult; did: Did };

/** What importing these rows would do. Only reads. Throws invalid-input: the columns, the groups. */
export async function checkImport(
  db: Db,
  rows: readonly ImportRow[],
  { actorId, options }: { actorId: number; options: ImportOptions },
): Promise<Imported> {
  await checkHandGroups(db, options.groupIds);
  const plan = await planImport(db, rows, { actorId, options, lock: false });
  return { result: resultOf(plan), did: { ...didOf(plan, []), joined: [] } };
}

/**
 * Creates and updates people from the good rows in one transaction, adds them to the chosen groups and gives new
 * properties their group. Repeating the same rows changes nothing. Throws like `checkImport`, and conflict if a username
 * that was made up is taken at the same moment, and password-required if they change anyone's email, phone or role, or
 * make staff.
 * @param file the file that they are from, for the audit log: its name, and the id of its import
 */
export async function importPeople(
  db: Db,
  rows: readonly ImportRow[],
  {
    by,
    options,
    file,
  }: { by: SessionBy; options: QueryOf<typeof csv.import>; file?: { id: number; name: string } },
): Promise<Imported> {
  return transaction(db, async (tx) => {
    await takeTurns(tx);
    await checkHandGroups(tx, options.groupIds);
    const plan = await planImport(tx, rows, { actorId: by.user.id, options, lock: true });
    const created =
      plan.creates.length > 0 ? await insertPeople(tx, plan.creates) : new Map<string, number>();
    if (created.size < plan.creates.length) await rejectTaken(tx, plan, created);
    if (plan.creates.some(({ role }) => isColleague(role))) refuseUnconfirmed(by.session);
    await applyUpdates(tx, plan.updates, by);
    const { updated, unchanged } = didOf(plan, []);
    const people = [...created.values(), ...updated, ...unchanged];
    const joined = options.groupIds.length > 0 ? await joinGroups(tx, people, options.groupIds) : [];
    const groups = await syncRuleGroups(tx, propertiesOf(plan));
    const added = plan.creates.map(({ username, days }) => ({ id: created.get(username)!, days }));
    await settleHomes(tx, people, { actorId: by.user.id, days: daysOf([...added, ...plan.updates]) });
    await setDays(tx, plan.updates.flatMap(changedStay));
    await moveLater(tx, plan.later, by.user.id);
    const result = resultOf(plan);
    const { badCells: _, startedAt: __, ignoredColumns: ___, warnings: ____, renames, ...counts } = result;
    await recordAudits(tx, [
      ...plan.later.map(({ id, home, days }) => ({
        by,
        action: "residency.move" as const,
        subject: { type: "user", id },
        detail: {
          by: "import",
          file: file?.name,
          importId: file?.id,
          home: `${home.property} ${home.unit ?? ""}`.trim(),
          day: days.firstDay,
        },
      })),
      ...plan.updates.map((update) => {
        const { row: _, id, before, ...after } = update;
        return {
          by,
          action: "user.update" as const,
          subject: { type: "user", id },
          detail: {
            by: "import",
            file: file?.name,
            importId: file?.id,
            changes: changesBetween<PersonRecord>(before, after),
          },
        };
      }),
    ]);
    await recordAudit(tx, {
      by,
      action: "user.import",
      subject: { type: "user" },
      detail: {
        ...counts,
        file: file?.name,
        importId: file?.id,
        rejected: counts.rejected + (options.leftOut ?? 0),
        renamed: renames.length,
        groupIds: options.groupIds,
        newGroups: groups.map((group) => group.name),
      },
    });
    if (created.size > 0) await countRowsAtOnce(tx);
    return { result, did: { ...didOf(plan, [...created.values()]), joined } };
  });
}

/** Leaves out of the plan the rows whose username someone has taken meanwhile, or an earlier row in other letters. */
async function rejectTaken(tx: Db, plan: ImportPlan, created: ReadonlyMap<string, number>): Promise<void> {
  const taken = plan.creates.filter(({ username }) => !created.has(username));
  const usernames = taken.map(({ username }) => username);
  const holders = await findByUsername(tx, usernames, false);
  for (const { row, username, usernameColumn: column } of taken) {
    const holder = holders.get(username);
    if (!holder || column === undefined) {
      throw refusal("username-just-taken");
    }
    const reason = `This username is taken by ${fullName(holder)}`;
    plan.badCells.push({ row, column, value: username, kind: "invalid", reason });
  }
  plan.creates = plan.creates.filter(({ username }) => created.has(username));
  plan.rejected += taken.length;
}

const didOf = (plan: ImportPlan, created: number[]): Omit<Did, "joined"> => ({
  created,
  updated: [...new Set([...plan.updates, ...plan.later].map(({ id }) => id))],
  unchanged: plan.unchanged,
  mentioned: plan.mentioned,
  movingIn: plan.movingIn,
  leaving: plan.leaving,
  properties: plan.named,
});

/** Of someone whose home is the one that it was. */
const changedStay = ({ id, before, property, unit, days }: ImportPlan["updates"][number]) =>
  before.property === property && before.unit === unit && before.days !== days
    ? [{ id, days: days ?? openStay }]
    : [];

const daysOf = (people: readonly { id: number; days: Stay | null }[]) =>
  new Map(people.flatMap(({ id, days }) => (days ? [[id, days] as const] : [])));

function propertiesOf({ creates, updates, later }: ImportPlan): string[] {
  const homes = [...creates, ...updates, ...later.map(({ home }) => home)];
  return [...new Set(homes.flatMap(({ property }) => property ?? []))];
}

function resultOf(plan: ImportPlan): ImportResult {
  return {
    startedAt: plan.startedAt.toISOString(),
    created: plan.creates.length,
    updated: didOf(plan, []).updated.length,
    unchanged: plan.unchanged.length,
    skipped: plan.skipped,
    rejected: plan.rejected,
    existing: plan.existing,
    absent: plan.absent,
    renames: plan.renames,
    warnings: plan.warnings,
    badCells: plan.badCells,
    ignoredColumns: plan.ignoredColumns,
  };
}
