import { sql } from "kysely";
import {
  type DidKind,
  didKinds,
  type importResults,
  type ImportResults,
  RESULT_DAYS,
  UNDO_HOURS,
  type UndoProgress,
} from "#contract/calls/import-results.ts";
import type { QueryOf, ReplyOf } from "#contract/endpoint.ts";
import { fullName } from "#contract/text/full-name.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { readDetails } from "#server/audience/details.ts";
import { nameOf } from "#server/audience/person.ts";
import type { Db } from "#server/db/database.ts";
import type { ImportChoices, UndoState } from "#server/db/schema.ts";
import { changesAsRead, readChanges } from "#server/features/imports/changes.ts";
import { findImport, type StagedImport } from "#server/features/imports/staged.ts";

type Finished = StagedImport & { finished_at: Date; by: string };

const lately = sql<boolean>`purpose = 'people' AND finished_at > now() - make_interval(days => ${sql.lit(RESULT_DAYS)})`;

/** An import that ended lately, whoever did it. Throws not-found. @param lock until the transaction ends */
export async function findFinished(db: Db, id: number, lock = false): Promise<Finished> {
  let query = db
    .selectFrom("imports")
    .selectAll()
    .select(sql<string>`(SELECT ${nameOf("u")} FROM users u WHERE u.id = created_by)`.as("by"))
    .where("id", "=", id)
    .where(lately);
  if (lock) query = query.forUpdate();
  const found = await query.executeTakeFirst();
  if (!found?.finished_at) throw refusal("no-such-import");
  return { ...found, finished_at: found.finished_at, choices: found.choices as ImportChoices };
}

/** A file of this person, or an import that has ended. Throws not-found. */
export async function findReadable(db: Db, id: number, userId: number): Promise<StagedImport> {
  const { rows } = await sql`SELECT FROM imports WHERE id = ${id} AND ${lately}`.execute(db);
  return rows.length > 0 ? findFinished(db, id) : findImport(db, id, userId);
}

export async function listFinished(db: Db): Promise<ReplyOf<typeof importResults.list>> {
  const { rows } = await sql<{ id: number; name: string; finishedAt: Date; by: string; counts: unknown }>`
    SELECT i.id, i.name, i.finished_at AS "finishedAt", ${nameOf("u")} AS by, counted.counts
    FROM (SELECT * FROM imports WHERE ${lately}) i JOIN users u ON u.id = i.created_by
    CROSS JOIN LATERAL (SELECT jsonb_object_agg(kind, people) AS counts
      FROM (SELECT kind, count(*) AS people FROM import_people WHERE import_id = i.id GROUP BY kind) k) counted
    ORDER BY i.finished_at DESC, i.id DESC LIMIT 20`.execute(db);
  return rows.map(({ counts, finishedAt, ...row }) => ({
    ...row,
    finishedAt: finishedAt.toISOString(),
    counts: countsIn(counts as Partial<Counts> | null),
  }));
}

type Counts = Record<DidKind, number>;
const countsIn = (counts: Partial<Counts> | null): Counts =>
  Object.fromEntries(didKinds.map((kind) => [kind, counts?.[kind] ?? 0])) as Counts;

export async function readResult(db: Db, id: number): Promise<ImportResults> {
  const found = await findFinished(db, id);
  const { name, by, choices, progress, result, undo, finished_at } = found;
  const counted = await sql<{ kind: DidKind; people: number }>`
    SELECT kind, count(*) AS people FROM import_people WHERE import_id = ${id} GROUP BY kind`.execute(db);
  const counts = countsIn(Object.fromEntries(counted.rows.map(({ kind, people }) => [kind, people])));
  const { rows } = await sql<{ people: number }>`
    SELECT count(*) AS people FROM import_people p JOIN users u ON u.id = p.person_id
    WHERE p.import_id = ${id} AND p.kind = 'new' AND u.deleted_at IS NULL AND u.email IS NULL AND u.phone IS NULL`.execute(
    db,
  );
  const until = undoneUntil(finished_at);
  const open = until > new Date() && undo === null && counts.new + counts.out + counts.changed > 0;
  return {
    id,
    name,
    by,
    finishedAt: finished_at.toISOString(),
    property: choices.property,
    homes: result?.homes ?? 0,
    counts,
    changed: result?.changed ?? {},
    left: result?.left ?? { rows: 0, first: [] },
    absent: progress?.absent ?? {},
    unreachable: rows[0]?.people ?? 0,
    undo: { until: open ? until.toISOString() : null, progress: undo && undoOf(undo) },
  };
}

export const undoneUntil = (finishedAt: Date): Date =>
  new Date(finishedAt.getTime() + UNDO_HOURS * 3_600_000);

export function undoOf(state: UndoState): UndoProgress {
  const { removed, restored, movedBack, kept, people, done } = state;
  return { removed, restored, movedBack, kept, people, done };
}

const PAGE = 200;

type Row = {
  id: number;
  firstName: string;
  lastName: string;
  propertyUnit: string | null;
  left: "past" | "missing" | null;
  lastDay: string | null;
  role: ReplyOf<typeof importResults.people>["people"][number]["role"];
  undone: ReplyOf<typeof importResults.people>["people"][number]["undone"];
  deleted: boolean;
};

/** The next people to whom an import did this. */
export async function readDid(
  db: Db,
  id: number,
  { kind, after }: QueryOf<typeof importResults.people>,
): Promise<ReplyOf<typeof importResults.people>> {
  await findFinished(db, id);
  const { rows } = await sql<Row>`
    SELECT u.id, u.first_name AS "firstName", u.last_name AS "lastName", u.property_unit AS "propertyUnit", u.role,
      CASE WHEN p.kind = 'out' THEN CASE WHEN p.properties IS NULL THEN 'past' ELSE 'missing' END END AS left,
      CASE WHEN p.kind = 'out' THEN p.day::text END AS "lastDay", p.undone, u.deleted_at IS NOT NULL AS deleted
    FROM import_people p JOIN users u ON u.id = p.person_id
    WHERE p.import_id = ${id} AND p.kind = ${kind} AND p.person_id > ${after} ORDER BY p.person_id LIMIT ${PAGE}`.execute(
    db,
  );
  const ids = rows.map((row) => row.id);
  const changes = kind === "changed" || kind === "out" ? await readChanges(db, id, ids) : new Map();
  const details = changes.size > 0 ? await readDetails(db) : [];
  return {
    people: rows.map(({ firstName, lastName, ...row }) => ({
      ...row,
      name: fullName({ firstName, lastName }),
      changes: changesAsRead(changes.get(row.id) ?? {}, { ...row, firstName, lastName }, details),
    })),
    after: rows.length < PAGE ? null : rows.at(-1)!.id,
  };
}
