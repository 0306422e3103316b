import { type RawBuilder, sql } from "kysely";
import { rolesWith } from "#contract/permissions.ts";
import type { Db } from "#server/db/database.ts";
import { findUnits } from "./find-units.ts";
import { afterText, type Named } from "./residencies.ts";
import { readHomes, type Change, writeHomes } from "./store.ts";
import { todayAt } from "./today.ts";

export type How = "moved" | "corrected";

/** Property and unit of `users u` as one text, as a residency remembers them. */
const said = sql<string | null>`(u.property || E'\t' || coalesce(u.unit, ''))`;

/** Tenants whose details name another home than their residency `shown`, or one that isn't theirs yet: `users u`. */
const unsettled: RawBuilder<unknown> = sql`u.deleted_at IS NULL AND NOT u.role = ANY(${rolesWith("console")}::text[])
  AND ${said} IS DISTINCT FROM shown.said`;

type Pending = {
  id: number;
  propertyUnit: string | null;
  property: string | null;
  unit: string | null;
  said: string | null;
};

/**
 * Brings the residencies of these people in line with the text of their details, after it was written in the same
 * transaction. Call it after `syncRuleGroups`.
 */
export async function settleHomes(
  tx: Db,
  personIds: readonly number[],
  { how = "moved", actorId = null }: { how?: How; actorId?: number | null } = {},
): Promise<void> {
  if (personIds.length === 0) return;
  await settle(tx, sql`u.id = ANY(${[...personIds]}::bigint[])`, { how, actorId, locked: false });
}

const CHUNK = 500;

/** The same for the next people after this id whom no one else is changing. Returns the last one's id, null at the end. */
export async function settleNext(tx: Db, after: number): Promise<number | null> {
  const last = await settle(tx, sql`u.id > ${after}`, { how: "moved", actorId: null, locked: true });
  return last;
}

async function settle(
  tx: Db,
  who: RawBuilder<unknown>,
  { how, actorId, locked }: { how: How; actorId: number | null; locked: boolean },
): Promise<number | null> {
  const { rows: pending } = await sql<Pending>`
    SELECT u.id, u.property_unit AS "propertyUnit", u.property, u.unit, ${said} AS said
    FROM users u LEFT JOIN residencies shown ON shown.person_id = u.id AND shown.shown
    WHERE ${who} AND ${unsettled} ORDER BY u.id ${locked ? sql`LIMIT ${CHUNK}` : sql``} FOR NO KEY UPDATE OF u ${locked ? sql`SKIP LOCKED` : sql``}`.execute(
    tx,
  );
  if (pending.length === 0) return null;
  const named = pending.flatMap(({ property, unit }) => (property === null ? [] : [{ property, unit }]));
  const find = await findUnits(tx, named);
  const homes = await readHomes(
    tx,
    pending.map(({ id }) => id),
  );
  const today = await readToday(tx);
  const changes = pending.map((person): Change => {
    const before = homes.get(person.id) ?? [];
    const { property, unit } = person;
    const home: Named | null =
      property === null
        ? null
        : { ...find({ property, unit }), said: person.said, home: person.propertyUnit };
    const shown = before.find((one) => one.shown);
    const day = today(home?.propertyId ?? shown?.propertyId);
    // The same text, in which another home is recognized now.
    const reread = home !== null && shown?.home === home.home;
    const change = { today: day, how: reread ? "corrected" : how } as const;
    return { personId: person.id, before, after: afterText(before, home, change) };
  });
  await writeHomes(tx, changes);
  await recordMoves(tx, changes.filter(isMove), actorId);
  return pending.at(-1)?.id ?? null;
}

/** Someone had a home and has another one now, or none. */
function isMove({ before, after }: Change): boolean {
  const [was, is] = [before, after].map((list) => list.find(({ shown }) => shown)?.unitId);
  return was !== undefined && was !== is;
}

/** Today in each property's zone. */
export async function readToday(db: Db): Promise<(propertyId: number | undefined) => string> {
  const { rows } = await sql<{ ids: number[] | null; today: string }>`
    SELECT NULL::bigint[] AS ids, ${todayAt("p")}::text AS today FROM (SELECT NULL::text AS time_zone) p
    UNION ALL
    SELECT array_agg(id), ${todayAt("p")}::text FROM properties p WHERE time_zone IS NOT NULL GROUP BY time_zone`.execute(
    db,
  );
  const usual = rows.find(({ ids }) => ids === null)!.today;
  const own = new Map(rows.flatMap(({ ids, today }) => (ids ?? []).map((id) => [id, today] as const)));
  return (propertyId) => (propertyId === undefined ? usual : (own.get(propertyId) ?? usual));
}

/** Keeps what was there before, so that a move can be undone. The rows are compared again when it is. */
export async function recordMoves(tx: Db, changes: readonly Change[], actorId: number | null): Promise<void> {
  if (changes.length === 0) return;
  const stored = await readHomes(
    tx,
    changes.map(({ personId }) => personId),
  );
  const rows = changes.map(({ personId, before }) => ({ personId, before, after: stored.get(personId) }));
  await sql`
    INSERT INTO home_changes (kind, person_id, before, after, actor_id)
    SELECT 'move', x."personId", x.before, x.after, ${actorId}::bigint
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x ("personId" bigint, before jsonb, after jsonb)`.execute(
    tx,
  );
}
