import { sql } from "kysely";
import type { BodyOf } from "#contract/endpoint.ts";
import type { places } from "#contract/calls/places.ts";
import { livingRoles } from "#contract/homes.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { fold } from "#contract/text/fold.ts";
import { unitKey } from "#contract/text/unit-name.ts";
import { holdUntilCommit } from "#server/db/advisory-locks.ts";
import { changesBetween, recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { checkPlansFor } from "#server/features/places/check-plans.ts";
import { readPlaceRow } from "#server/features/places/read-properties.ts";
import { nameProperty } from "#server/features/places/spell-property.ts";
import { takeTurns } from "#server/features/people/who-may-change.ts";
import type { By } from "#server/http/route.ts";
import { addProperty, findUnits } from "#server/places/find-units.ts";
import { setInstants } from "#server/places/store.ts";

/** The locks that a change of places takes, in the order in which saves and imports take them. */
export async function holdPlaces(tx: Db): Promise<void> {
  await takeTurns(tx);
  await holdUntilCommit(tx, "ruleGroups");
  await holdUntilCommit(tx, "places");
}

export async function createProperty(db: Db, body: BodyOf<typeof places.create>, by: By): Promise<number> {
  return transaction(db, async (tx) => {
    await holdPlaces(tx);
    await refuseTaken(tx, body.name, null);
    const id = await addProperty(tx, body);
    await recordAudit(tx, {
      by,
      action: "property.create",
      subject: { type: "property", id },
      detail: { name: body.name },
    });
    return id;
  });
}

/** Throws not-found, and conflict: another property has the name, or someone lives in what is to be archived. */
export async function updateProperty(
  db: Db,
  id: number,
  body: BodyOf<typeof places.update>,
  by: By,
): Promise<void> {
  await transaction(db, async (tx) => {
    await holdPlaces(tx);
    const before = await readPlaceRow(tx, id);
    const after = { ...before, ...body };
    if (after.name !== before.name) {
      await refuseTaken(tx, after.name, id);
      await sql`
        INSERT INTO property_names (folded, name, property_id) VALUES (${fold(after.name)}, ${after.name}, ${id})
        ON CONFLICT (folded) DO UPDATE SET name = excluded.name`.execute(tx);
      await sql`UPDATE properties SET name = ${after.name} WHERE id = ${id}`.execute(tx);
      await nameProperty(tx, id, [before.name]);
    }
    if (after.archived && !before.archived) await refuseLivedIn(tx, id);
    await sql`UPDATE properties SET address = ${after.address}, time_zone = ${after.timeZone},
      archived_at = CASE WHEN ${after.archived} THEN coalesce(archived_at, now()) END, updated_at = now()
      WHERE id = ${id}`.execute(tx);
    if (after.timeZone !== before.timeZone) await setInstants(tx, null);
    await recordAudit(tx, {
      by,
      action: "property.update",
      subject: { type: "property", id },
      detail: { name: after.name, changes: changesBetween(before, after) },
    });
    if (after.archived !== before.archived) await checkPlansFor(tx, id);
  });
}

async function refuseTaken(tx: Db, name: string, id: number | null): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    SELECT p.name FROM property_names n JOIN properties p ON p.id = n.property_id
    WHERE n.folded = ${fold(name)} AND n.property_id IS DISTINCT FROM ${id}::bigint`.execute(tx);
  if (rows[0]) throw refusal("property-name-taken", { name: rows[0].name });
}

async function refuseLivedIn(tx: Db, id: number): Promise<void> {
  const { rows } = await sql<{ people: number }>`
    SELECT count(DISTINCT r.person_id) AS people FROM units h JOIN residencies r ON r.unit_id = h.id
    JOIN users u ON u.id = r.person_id AND u.deleted_at IS NULL
    WHERE h.property_id = ${id} AND r.role = ANY(${[...livingRoles]}::text[]) AND (r.during IS NULL OR upper(r.during) IS NULL OR upper(r.during) > now())`.execute(
    tx,
  );
  if (rows[0]!.people > 0) throw refusal("property-lived-in", { people: rows[0]!.people });
}

/** Adds homes that no one lives in yet. Returns how many are new. */
export async function addHomes(db: Db, id: number, names: readonly string[], by: By): Promise<number> {
  return transaction(db, async (tx) => {
    await holdPlaces(tx);
    const { name } = await readPlaceRow(tx, id);
    const count = async () => {
      const { rows } = await sql<{ homes: number }>`
        SELECT count(*) AS homes FROM units WHERE property_id = ${id} AND merged_into IS NULL`.execute(tx);
      return rows[0]!.homes;
    };
    const before = await count();
    await findUnits(
      tx,
      names.filter((unit) => unitKey(unit) !== "").map((unit) => ({ property: name, unit })),
    );
    const added = (await count()) - before;
    if (added > 0) {
      await recordAudit(tx, {
        by,
        action: "property.add-homes",
        subject: { type: "property", id },
        detail: { name, added },
      });
    }
    return added;
  });
}

/** Corrects many homes at once. Returns how many are different now. */
export async function correctHomes(
  db: Db,
  body: BodyOf<typeof places.correctHomes>,
  by: By,
): Promise<number> {
  return transaction(db, async (tx) => {
    await holdPlaces(tx);
    const { ids, building, floor, stack } = body;
    const to = {
      building: building === undefined ? sql`building` : sql`${building}`,
      floor: floor === undefined ? sql`floor` : sql`${floor}::int`,
      stack: stack === undefined ? sql`stack` : sql`${stack === "" ? null : stack}::text`,
    };
    const { rows } = await sql<{ propertyId: number }>`
      UPDATE units SET building = ${to.building}, floor = ${to.floor}, stack = ${to.stack}, corrected = true
      WHERE id = ANY(${ids}::bigint[]) AND merged_into IS NULL
        AND (building, floor, stack) IS DISTINCT FROM (${to.building}, ${to.floor}, ${to.stack})
      RETURNING property_id AS "propertyId"`.execute(tx);
    for (const propertyId of new Set(rows.map((row) => row.propertyId))) {
      const { name } = await readPlaceRow(tx, propertyId);
      await recordAudit(tx, {
        by,
        action: "property.correct-homes",
        subject: { type: "property", id: propertyId },
        detail: { name, homes: rows.filter((row) => row.propertyId === propertyId).length },
      });
      await checkPlansFor(tx, propertyId);
    }
    return rows.length;
  });
}
