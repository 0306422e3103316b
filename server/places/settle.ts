import { type RawBuilder, sql } from "kysely";
import { roles } from "#contract/calls/auth.ts";
import { isColleague } from "#contract/permissions.ts";
import type { Db } from "#server/db/database.ts";
import { findUnits } from "./find-units.ts";
import { afterText, type Stay, movedWith, type Named } from "./residencies.ts";
import { readHomes, type Change, writeHomes } from "./store.ts";
import { todayAt } from "./today.ts";

export type How = "moved" | "corrected";

/** Property and unit of a person under this alias as one text, as a residency remembers them. */
const saidBy = (alias: string): RawBuilder<string | null> =>
  sql`(${sql.ref(`${alias}.property`)} || E'\t' || coalesce(${sql.ref(`${alias}.unit`)}, ''))`;

const said = saidBy("u");

/** The people under this alias whose details name homes of theirs: not colleagues. Written out, so that the index is used. */
const isTenant = (alias: string): RawBuilder<boolean> =>
  sql`${sql.ref(`${alias}.role`)} IN (${sql.join(roles.filter((role) => !isColleague(role)).map((role) => sql.lit(role)))})`;

/** Of `x`, who is written: what settling in the same transaction would write again for each of them. */
export const saidOnceSettled = sql<string | null>`CASE WHEN ${isTenant("x")} THEN ${saidBy("x")} END`;

const tenants = sql`u.deleted_at IS NULL AND ${isTenant("u")}`;

/** As the index users_to_settle says it. */
const toSettle = sql`${tenants} AND ${said} IS DISTINCT FROM u.home_said`;

type Pending = {
  id: number;
  propertyUnit: string | null;
  property: string | null;
  unit: string | null;
  said: string | null;
  /** Of the residency that is shown. */
  settled: string | null;
  /** Their record doesn't say yet that this is settled. */
  unmarked: boolean;
};

/**
 * Brings the residencies of these people in line with the text of their details, after it was written in the same
 * transaction. Call it after `syncRuleGroups`.
 * @param days what is known of the home that someone has now, by their id, if it is another one
 */
export async function settleHomes(
  tx: Db,
  personIds: readonly number[],
  { how = "moved", actorId = null, days }: Partial<Settling> = {},
): Promise<void> {
  if (personIds.length === 0) return;
  const which = sql`u.id = ANY(${[...personIds]}::bigint[]) AND ${tenants}
    AND (${said} IS DISTINCT FROM shown.said OR ${said} IS DISTINCT FROM u.home_said)`;
  await settle(tx, which, { how, actorId, days, locked: false });
}

type Settling = {
  how: How;
  actorId: number | null;
  days?: ReadonlyMap<number, Stay> | undefined;
};

const CHUNK = 500;

/** The same for the next people after this id whom no one else is changing. Returns the last one's id, null at the end. */
export async function settleNext(tx: Db, after: number): Promise<number | null> {
  return settle(tx, sql`u.id > ${after} AND ${toSettle}`, { how: "moved", actorId: null, locked: true });
}

async function settle(
  tx: Db,
  who: RawBuilder<unknown>,
  { how, actorId, days, locked }: Settling & { locked: boolean },
): Promise<number | null> {
  const { rows: found } = await sql<Pending>`
    SELECT u.id, u.property_unit AS "propertyUnit", u.property, u.unit, ${said} AS said, shown.said AS settled,
      ${said} IS DISTINCT FROM u.home_said AS unmarked
    FROM users u LEFT JOIN residencies shown ON shown.person_id = u.id AND shown.shown
    WHERE ${who} ORDER BY u.id ${locked ? sql`LIMIT ${CHUNK}` : sql``} FOR NO KEY UPDATE OF u ${locked ? sql`SKIP LOCKED` : sql``}`.execute(
    tx,
  );
  if (found.length === 0) return null;
  const unmarked = found.filter((person) => person.unmarked).map(({ id }) => id);
  if (unmarked.length > 0)
    await sql`UPDATE users u SET home_said = ${said} WHERE u.id = ANY(${unmarked}::bigint[])`.execute(tx);
  const last = found.at(-1)!.id;
  const pending = found.filter((person) => person.said !== person.settled);
  if (pending.length === 0) return last;
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
    const after = afterText(before, home, change);
    const known = home && days?.get(person.id);
    return { personId: person.id, before, after: known ? movedWith(after, known, day) : after };
  });
  await writeHomes(tx, changes);
  await recordMoves(tx, changes.filter(isMove), actorId);
  return last;
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
