import { sql } from "kysely";
import type { BodyOf } from "#contract/endpoint.ts";
import type { places } from "#contract/calls/places.ts";
import { type Days, lives, standingOn } from "#contract/homes.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { syncRuleGroups } from "#server/features/groups/sync-rule-groups.ts";
import { lockPerson } from "#server/features/people/stored-person.ts";
import { holdPlaces } from "#server/features/places/save-property.ts";
import type { By } from "#server/http/route.ts";
import { movedIn, movedTo, type Named, type Residency, showing } from "#server/places/residencies.ts";
import { readToday, recordMoves, settleHomes } from "#server/places/settle.ts";
import { forgetHome, nameShown, readHomes, writeHomes } from "#server/places/store.ts";
import { lastMove, undoMove } from "#server/places/undo-move.ts";

type Home = Named & { property: string; unit: string };

/** Someone moves in, or is something else to a home. Throws not-found, and conflict if they are it on one of these days. */
export async function moveIn(
  db: Db,
  homeId: number,
  { personId, ...time }: BodyOf<typeof places.moveIn>,
  by: By,
): Promise<void> {
  await changeHomes(db, personId, by, async (tx, before) => {
    const to = await homeOf(tx, homeId);
    refuseBackwards(time);
    const twice = before.some((one) => one.unitId === homeId && one.role === time.role && overlap(one, time));
    if (twice) throw refusal("lives-there-already");
    return { after: movedIn(before, to, time), action: "residency.move-in", home: to };
  });
}

/** Changes someone's role or days. Returns the home. Throws not-found and invalid-input. */
export async function changeResidency(
  db: Db,
  id: number,
  body: BodyOf<typeof places.changeResidency>,
  by: By,
): Promise<number> {
  const { personId, homeId } = await residencyOf(db, id);
  await changeHomes(db, personId, by, async (tx, before) => {
    const one = find(before, id);
    const after = { ...one, ...body };
    refuseBackwards(after);
    const twice = (mine: Residency) =>
      before.some((other) => other !== one && isSame(other, mine) && overlap(other, mine));
    if (twice(after) && !twice(one)) throw refusal("lives-there-already", {}, { field: "role" });
    const ends = after.lastDay !== null && after.lastDay !== one.lastDay && lives(after.role);
    const action = ends ? "residency.move-out" : "residency.change";
    const home = await homeOf(tx, homeId);
    return {
      after: before.map((other) => (other === one ? after : other)),
      action,
      home,
      day: after.lastDay,
    };
  });
  return homeId;
}

/** Moves someone to another home from a day on. Returns the home they leave. Throws not-found and conflict. */
export async function moveTo(
  db: Db,
  id: number,
  { homeId, day }: BodyOf<typeof places.move>,
  by: By,
): Promise<number> {
  const found = await residencyOf(db, id);
  await changeHomes(db, found.personId, by, async (tx, before) => {
    const one = find(before, id);
    const there = (other: Residency) => other.unitId === homeId && other.role === one.role;
    if (one.unitId === homeId || before.some((other) => there(other) && overlap(other, from(day))))
      throw refusal("lives-there-already");
    const today = await readToday(tx);
    const standing = standingOn(today(one.propertyId), one);
    // Someone else has just moved them.
    if (standing === "past") throw refusal("moved-out-already");
    // A mistyped year would take away that they have lived here.
    if (standing === "now" && one.firstDay !== null && day < one.firstDay)
      throw refusal("moved-before-moving-in", { day: one.firstDay });
    const home = await homeOf(tx, homeId);
    return { after: movedTo(before, one, home, day), action: "residency.move", home, day };
  });
  return found.homeId;
}

/** Returns the home. Throws not-found. */
export async function removeResidency(db: Db, id: number, by: By): Promise<number> {
  const { personId, homeId } = await residencyOf(db, id);
  await changeHomes(db, personId, by, async (tx, before) => {
    const one = find(before, id);
    const home = await homeOf(tx, homeId);
    return { after: before.filter((other) => other !== one), action: "residency.remove", home };
  });
  return homeId;
}

/** Throws conflict if something about the person's homes has changed since. */
export async function undoLastMove(db: Db, personId: number, by: By): Promise<void> {
  await transaction(db, async (tx) => {
    await holdPlaces(tx);
    await lockPerson(tx, personId);
    const move = await lastMove(tx, personId);
    if (!move) throw refusal("move-not-undoable");
    await undoMove(tx, personId, move);
    await syncRuleGroups(tx);
    await recordAudit(tx, { by, action: "residency.undo", subject: { type: "user", id: personId } });
  });
}

type Changed = {
  after: readonly Residency[];
  action:
    | "residency.move-in"
    | "residency.move-out"
    | "residency.change"
    | "residency.move"
    | "residency.remove";
  home: Home;
  day?: string | null;
};

/** Changes a person's homes, and makes their details name the one they live in. */
async function changeHomes(
  db: Db,
  personId: number,
  by: By,
  change: (tx: Db, before: readonly Residency[]) => Promise<Changed>,
): Promise<void> {
  await transaction(db, async (tx) => {
    await holdPlaces(tx);
    await lockPerson(tx, personId);
    // What a process of the build before has just written.
    await settleHomes(tx, [personId]);
    const before = (await readHomes(tx, [personId])).get(personId) ?? [];
    const { after, action, home, day } = await change(tx, before);
    const today = await readToday(tx);
    const shown = showing(after, today(home.propertyId));
    await writeHomes(tx, [{ personId, before, after: shown }]);
    const named = (list: readonly Residency[]) => list.find((one) => one.shown);
    if (named(shown) === undefined) await forgetHome(tx, personId);
    else if (named(shown)?.unitId !== named(before)?.unitId) await nameShown(tx, [personId]);
    await recordMoves(tx, [{ personId, before, after: shown }], by.user.id);
    await syncRuleGroups(tx, [home.property]);
    await recordAudit(tx, {
      by,
      action,
      subject: { type: "user", id: personId },
      detail: { home: [home.property, home.unit].filter(Boolean).join(" "), ...(day && { day }) },
    });
  });
}

function find(homes: readonly Residency[], id: number): Residency {
  const one = homes.find((other) => other.id === id);
  if (!one) throw refusal("no-such-residency");
  return one;
}

function refuseBackwards({ firstDay, lastDay }: Days): void {
  if (firstDay !== null && lastDay !== null && firstDay > lastDay)
    throw refusal("moved-out-before-moving-in");
}

const from = (firstDay: string): Days => ({ firstDay, lastDay: null });

const isSame = (one: Residency, other: Residency) => one.unitId === other.unitId && one.role === other.role;

const overlap = (one: Days, other: Days) =>
  (one.lastDay ?? "9999") >= (other.firstDay ?? "") && (other.lastDay ?? "9999") >= (one.firstDay ?? "");

async function residencyOf(db: Db, id: number): Promise<{ personId: number; homeId: number }> {
  const { rows } = await sql<{ personId: number; homeId: number }>`
    SELECT person_id AS "personId", unit_id AS "homeId" FROM residencies WHERE id = ${id}`.execute(db);
  if (!rows[0]) throw refusal("no-such-residency");
  return rows[0];
}

async function homeOf(tx: Db, id: number): Promise<Home> {
  const { rows } = await sql<Home>`
    SELECT h.id AS "unitId", h.property_id AS "propertyId", h.key = '' AS whole, p.name || E'\t' || h.written AS said,
      NULL::text AS home, p.name AS property, h.written AS unit
    FROM units h JOIN properties p ON p.id = h.property_id WHERE h.id = ${id} AND h.merged_into IS NULL`.execute(
    tx,
  );
  if (!rows[0]) throw refusal("no-such-home");
  return rows[0];
}
