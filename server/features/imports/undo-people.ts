import { sql } from "kysely";
import type { KeptReason } from "#contract/calls/import-results.ts";
import { isColleague } from "#contract/permissions.ts";
import { readDetails } from "#server/audience/details.ts";
import { changesBetween, recordAudits } from "#server/db/audit.ts";
import type { Db } from "#server/db/database.ts";
import { applyUpdates } from "#server/features/csv/apply-updates.ts";
import { findByIds, type KnownPerson, type PersonRecord } from "#server/features/csv/find-people.ts";
import { leaveGroups } from "#server/features/groups/memberships.ts";
import { syncRuleGroups } from "#server/features/groups/sync-rule-groups.ts";
import { readChanges, type StoredChanges } from "#server/features/imports/changes.ts";
import { keptReason } from "#server/features/imports/kept-reason.ts";
import type { StagedImport } from "#server/features/imports/staged.ts";
import { deletePeople } from "#server/features/people/delete-people.ts";
import type { Actor } from "#server/features/people/who-may-change.ts";
import { refuseUnconfirmed } from "#server/http/authorize.ts";
import type { SessionBy } from "#server/http/route.ts";
import { openStay, type Residency } from "#server/places/residencies.ts";
import { setDays } from "#server/places/set-days.ts";
import { settleHomes } from "#server/places/settle.ts";
import { readHomes } from "#server/places/store.ts";
import { undoMove } from "#server/places/undo-move.ts";

type Found = {
  id: number;
  kind: string;
  reason: KeptReason | null;
  joined: number[] | null;
  /** Undefined: deleted. */
  person: KnownPerson | undefined;
};

type Undone = { removed: number; restored: number; movedBack: number; kept: number };

/** Undoes what an import did to these people, unless something has happened to them since. */
export async function undoPeople(
  tx: Db,
  { id: importId, name: file }: StagedImport,
  { ids, actor, by }: { ids: readonly number[]; actor: Actor; by: SessionBy },
): Promise<Undone> {
  const people = await findThem(tx, importId, ids, actor);
  const free = people.filter(({ reason }) => reason === null);
  const of = (...kinds: string[]) => free.filter(({ kind }) => kinds.includes(kind));
  const [added, changed, out, joined] = [of("new"), of("changed"), of("out"), of("changed", "same")];

  if (added.some(({ person }) => person && isColleague(person.role))) refuseUnconfirmed(by.session);
  await deletePeople(
    tx,
    added.map(({ id }) => id),
  );
  await leaveGroups(
    tx,
    joined.flatMap(({ id, joined: groups }) => (groups ?? []).map((groupId) => ({ groupId, userId: id }))),
  );
  await moveBack(
    tx,
    importId,
    [...changed, ...out].map(({ id }) => id),
  );
  const restored = await restore(tx, importId, { people: [...changed, ...out], by });

  await recordAudits(tx, [
    ...added.map(({ id, person }) => ({
      by,
      action: "user.delete" as const,
      subject: { type: "user", id },
      detail: { by: "undo-import", file, username: person?.username, role: person?.role },
    })),
    ...restored.map(({ id, after, before }) => ({
      by,
      action: "user.update" as const,
      subject: { type: "user", id },
      detail: { by: "undo-import", file, changes: changesBetween<PersonRecord>(before, after) },
    })),
    ...out.map(({ id }) => ({
      by,
      action: "residency.undo" as const,
      subject: { type: "user", id },
      detail: { by: "undo-import", file },
    })),
  ]);
  await sql`
    UPDATE import_people p SET undone = x.undone
    FROM unnest(${people.map(({ id }) => id)}::bigint[], ${people.map(({ reason }) => reason ?? "done")}::text[]) AS x (id, undone)
    WHERE p.import_id = ${importId} AND p.person_id = x.id`.execute(tx);
  return {
    removed: added.length,
    restored: of("changed", "same").length,
    movedBack: out.length,
    kept: people.length - free.length,
  };
}

/** Locked until the transaction ends, so that nothing happens to them meanwhile. */
async function findThem(tx: Db, importId: number, ids: readonly number[], actor: Actor): Promise<Found[]> {
  const known = await findByIds(tx, ids);
  const { rows } = await sql<Omit<Found, "person">>`
    SELECT p.person_id AS id, p.kind, p.joined, ${keptReason(actor)} AS reason
    FROM import_people p LEFT JOIN users u ON u.id = p.person_id
    WHERE p.import_id = ${importId} AND p.person_id = ANY(${[...ids]}::bigint[]) ORDER BY p.person_id`.execute(
    tx,
  );
  return rows.map((row) => ({ ...row, person: known.get(row.id) }));
}

/** Puts people back into the homes from which this import moved them. Nothing about their homes has changed since. */
async function moveBack(tx: Db, importId: number, ids: readonly number[]): Promise<void> {
  const { rows: moves } = await sql<{ id: number; personId: number; before: Residency[] }>`
    SELECT DISTINCT ON (h.person_id) h.id, h.person_id AS "personId", h.before
    FROM import_people p JOIN home_changes h ON h.person_id = p.person_id AND h.at = p.at
    WHERE p.import_id = ${importId} AND p.person_id = ANY(${[...ids]}::bigint[]) ORDER BY h.person_id, h.id`.execute(
    tx,
  );
  const homes = await readHomes(
    tx,
    moves.map(({ personId }) => personId),
  );
  for (const { personId, id, before } of moves)
    await undoMove(tx, personId, { id, before, after: homes.get(personId) ?? [] });
}

type Restored = { id: number; before: PersonRecord; after: PersonRecord; changes: StoredChanges };

/** Writes what people had before the import, and their homes with it. */
async function restore(
  tx: Db,
  importId: number,
  { people, by }: { people: readonly Found[]; by: SessionBy },
): Promise<Restored[]> {
  const ids = people.map(({ id }) => id);
  const changes = await readChanges(tx, importId, ids);
  const details = new Set((await readDetails(tx)).map(({ id }) => String(id)));
  const updates = people.flatMap(({ id, person }): Restored[] => {
    const own = changes.get(id);
    return own && person ? [asBefore(person, own, details)] : [];
  });
  await applyUpdates(
    tx,
    updates.map(({ id, before, after }) => ({ ...after, id, before })),
    by,
  );
  const homeless = updates.filter(({ before, after }) => before.property !== null && after.property === null);
  // Their first home was entered by this import, so they never lived there.
  await sql`
    DELETE FROM residencies r USING import_people p
    WHERE p.import_id = ${importId} AND p.person_id = r.person_id AND r.created_at = p.at AND r.shown
      AND r.person_id = ANY(${homeless.map(({ id }) => id)}::bigint[])`.execute(tx);
  await syncRuleGroups(tx, [...new Set(updates.flatMap(({ after }) => after.property ?? []))]);
  await settleHomes(
    tx,
    updates.map(({ id }) => id),
    { how: "corrected", actorId: by.user.id },
  );
  // A move brings the days of its home back.
  const dated = updates.filter(({ changes: own }) => own.days && !own.property && !own.unit);
  await setDays(
    tx,
    dated.map(({ id, after }) => ({ id, days: after.days ?? openStay })),
  );
  return updates;
}

function asBefore(person: KnownPerson, changes: StoredChanges, details: ReadonlySet<string>): Restored {
  const { id, addressConfirmed: _, hasPassword: __, createdAt: ___, ...now } = person;
  const { move: ____, ...fields } = changes;
  const was = Object.fromEntries(Object.entries(fields).map(([field, [before]]) => [field, before]));
  const after: PersonRecord = { ...now, ...was };
  // A detail that was deleted since is not brought back.
  const kept = Object.entries(after.details).filter(([detail]) => details.has(detail));
  return { id, before: now, after: { ...after, details: Object.fromEntries(kept) }, changes };
}
