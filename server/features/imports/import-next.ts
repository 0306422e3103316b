import type { ImportResult } from "#contract/calls/csv.ts";
import { type imports, type StatusMeaning, statusMeanings } from "#contract/calls/imports.ts";
import type { BodyOf, ReplyOf } from "#contract/endpoint.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { missingColumns } from "#contract/text/csv-header.ts";
import { fold } from "#contract/text/fold.ts";
import { placeOf } from "#contract/text/sheet-columns.ts";
import { type Db, transaction } from "#server/db/database.ts";
import type { ImportState } from "#server/db/schema.ts";
import { checkImport, type Imported, importPeople } from "#server/features/csv/import-people.ts";
import { keepLayout } from "#server/features/imports/guess.ts";
import { finishImport } from "#server/features/imports/finish-import.ts";
import { forgetChecked, forgetSeen, noteChecked } from "#server/features/imports/covered.ts";
import { keepLeftOut } from "#server/features/imports/left-out.ts";
import { moveOutLeaving } from "#server/features/imports/move-out.ts";
import { noteDid } from "#server/features/imports/note-did.ts";
import { type NextPeople, nextPeople, type StagedPerson } from "#server/features/imports/next-people.ts";
import { optionsOf } from "#server/features/imports/options.ts";
import { findImport, headersOf, type StagedImport } from "#server/features/imports/staged.ts";
import type { SessionBy } from "#server/http/route.ts";

type Checked = ReplyOf<typeof imports.check>;

/** What importing the next rows would do. */
export async function checkNext(
  db: Db,
  id: number,
  { after, since }: BodyOf<typeof imports.check>,
  userId: number,
): Promise<Checked> {
  const staged = await findImport(db, id, userId);
  refuseUnready(staged);
  const next = await nextPeople(db, staged, after);
  const rows = next.people.map(({ row }) => row);
  const checked =
    rows.length === 0
      ? null
      : await checkImport(db, rows, { actorId: userId, options: { ...optionsOf(staged), since } });
  const result = checked?.result ?? null;
  if (!staged.progress) {
    if (after === 0) await forgetChecked(db, id);
    if (checked) await noteChecked(db, id, checked.did);
    await noteMeant(db, staged, next, userId);
  }
  return {
    startedAt: result?.startedAt ?? since ?? new Date().toISOString(),
    after: next.after,
    rows: next.rows,
    ...countsOf(next, checked),
    homes: homesOf(next.people, result),
    faults: faultsIn(staged, next, result),
  };
}

function refuseUnready({ choices: { mapping } }: StagedImport): void {
  const missing = missingColumns(mapping);
  if (missing !== null) throw refusal("import-not-ready", { sentence: missing });
}

/** Statuses of people who aren't imported, but may still live there. */
const stillThere: readonly StatusMeaning[] = ["applicant", "evicted"];

/** Whom rows are about that someone leaves out, or that aren't imported for their status, is in the file as well. */
async function noteMeant(db: Db, staged: StagedImport, next: NextPeople, userId: number): Promise<void> {
  const people = [...next.out, ...next.people.filter(({ status }) => stillThere.includes(status))];
  if (people.length === 0) return;
  const rows = people.map(({ row }) => ({ ...row, status: "" }));
  const { did } = await checkImport(db, rows, { actorId: userId, options: optionsOf(staged) });
  await noteChecked(db, staged.id, did);
}

/** After every row. */
const THE_END = 2 ** 31 - 1;

/** Imports the next rows in one transaction, so that an import that was interrupted goes on where it was. */
export async function importNext(db: Db, id: number, by: SessionBy): Promise<ImportState> {
  return transaction(db, async (tx) => {
    const staged = await findImport(tx, id, by.user.id, true);
    refuseUnready(staged);
    const state = staged.progress ?? begun();
    if (state.done) return state;
    const next = await nextPeople(tx, staged, state.after);
    const rows = next.people.map(({ row }) => row);
    const options = {
      ...optionsOf(staged),
      since: staged.progress ? state.startedAt : undefined,
      leftOut: next.out.length + next.twice.length || undefined,
    };
    const imported = rows.length === 0 ? null : await importPeople(tx, rows, { by, options, file: staged });
    const result = imported?.result ?? null;
    // From here on, what counts is what the rows do.
    if (!staged.progress) await forgetSeen(tx, id);
    if (imported) await noteDid(tx, id, imported.did);
    await keepLeftOut(tx, staged, faultsIn(staged, next, result));
    const { movedOut, more } =
      next.after === null ? await moveOutLeaving(tx, staged, by) : { movedOut: 0, more: false };
    const counts = countsOf(next, imported);
    const absent = statusMeanings.flatMap((meaning) => {
      const people = (state.absent[meaning] ?? 0) + (counts.absent[meaning] ?? 0);
      return people > 0 ? [[meaning, people] as const] : [];
    });
    const progress: ImportState = {
      created: state.created + counts.created,
      updated: state.updated + counts.updated,
      unchanged: state.unchanged + counts.unchanged,
      rejected: state.rejected + counts.rejected,
      movingIn: (state.movingIn ?? 0) + counts.movingIn,
      movedOut: (state.movedOut ?? 0) + movedOut,
      absent: Object.fromEntries(absent),
      lines: state.lines + next.rows,
      done: next.after === null && !more,
      after: next.after ?? THE_END,
      startedAt: staged.progress ? state.startedAt : (result?.startedAt ?? state.startedAt),
    };
    await tx
      .updateTable("imports")
      .set({ progress: JSON.stringify(progress) })
      .where("id", "=", id)
      .execute();
    if (progress.done) {
      const { mapping, statuses } = staged.choices;
      await keepLayout(tx, await headersOf(tx, staged), "people", { mapping, statuses });
      await finishImport(tx, staged);
    }
    return progress;
  });
}

const begun = (): ImportState => ({
  created: 0,
  updated: 0,
  unchanged: 0,
  rejected: 0,
  movingIn: 0,
  movedOut: 0,
  absent: {},
  lines: 0,
  done: false,
  after: 0,
  startedAt: new Date().toISOString(),
});

type Counts = Pick<
  Checked,
  "created" | "updated" | "unchanged" | "rejected" | "movingIn" | "movedOut" | "absent"
>;

function countsOf({ people, twice }: NextPeople, imported: Imported | null): Counts {
  const result = imported?.result;
  const absent: Counts["absent"] = {};
  let away = 0;
  for (const { row, kind } of result?.badCells ?? []) {
    if (kind !== "absent") continue;
    const { status } = people[row - 1]!;
    // A home called vacant where its resident's name would be.
    const why = status === "lives" || status === "moving-in" ? "vacant" : status;
    absent[why] = (absent[why] ?? 0) + 1;
    away += 1;
  }
  return {
    created: result?.created ?? 0,
    updated: result?.updated ?? 0,
    unchanged: (result?.unchanged ?? 0) + (result?.skipped ?? 0),
    rejected: (result?.rejected ?? 0) - away + twice.length,
    movingIn: imported?.did.movingIn ?? 0,
    movedOut: imported?.did.leaving.length ?? 0,
    absent,
  };
}

/** The homes of those who would be imported. */
function homesOf(people: readonly StagedPerson[], result: ImportResult | null): string[] {
  const bad = new Set(result?.badCells.map(({ row }) => row));
  const homes = people.flatMap(({ row, status }, index) => {
    if (status === "moved-out") return [];
    const home = [row["property"], row["propertyUnit"]].filter(Boolean).join(" / ");
    return bad.has(index + 1) || home === "" ? [] : [fold(home)];
  });
  return [...new Set(homes)];
}

/** What needs someone in these rows. */
const faultsIn = (staged: StagedImport, { people, twice }: NextPeople, result: ImportResult | null) => [
  ...faultsOf(staged, people, result),
  ...twice.map((one) => faultOfTwice(staged, one)),
];

function faultsOf(
  { choices: { mapping } }: StagedImport,
  people: readonly StagedPerson[],
  result: ImportResult | null,
): Checked["faults"] {
  return (result?.badCells ?? []).flatMap(({ row, column, value, kind, reason, candidates }) => {
    const person = people[row - 1]!;
    if (kind === "absent") return [];
    const own = placeOf(mapping, column, person.resident);
    const { line, resident, cells } = person;
    return [
      {
        line,
        resident,
        column: own === -1 ? null : own,
        value,
        kind,
        reason,
        ...(candidates && { candidates }),
        cells,
        person: person.row,
      },
    ];
  });
}

function faultOfTwice(
  { choices: { mapping } }: StagedImport,
  person: StagedPerson,
): Checked["faults"][number] {
  const { line, resident, cells, row } = person;
  const value = row["username"] ?? "";
  const reason = "An earlier row has the same username";
  return {
    line,
    resident,
    column: mapping.indexOf("username"),
    value,
    kind: "duplicate",
    reason,
    cells,
    person: row,
  };
}
