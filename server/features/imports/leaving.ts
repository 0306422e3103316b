import { sql } from "kysely";
import type { importResults } from "#contract/calls/import-results.ts";
import type { BodyOf, ReplyOf } from "#contract/endpoint.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { nameOf } from "#server/audience/person.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { findUnbegun } from "#server/features/imports/change.ts";
import { livingInCovered } from "#server/features/imports/covered.ts";
import { findImport } from "#server/features/imports/staged.ts";
import { readSetting } from "#server/features/settings/queries.ts";
import { todayAt } from "#server/places/today.ts";

const SHOWN = 200;

type Leaving = ReplyOf<typeof importResults.leaving>;
type Property = Leaving["properties"][number];

/** Who lives at a property that the checked file covers and isn't in it. */
export async function readLeaving(db: Db, id: number, userId: number): Promise<Leaving> {
  await findImport(db, id, userId);
  const stop = await readSetting(db, "importStop");
  const counted = await countLeaving(db, id);
  const { rows } = await sql<{ property: number; id: number; name: string; propertyUnit: string | null }>`
    SELECT * FROM (
      SELECT l.property_id AS property, u.id, ${nameOf("u")} AS name, u.property_unit AS "propertyUnit",
        row_number() OVER (PARTITION BY l.property_id ORDER BY by_number(fold(coalesce(u.property_unit, ''))), u.id) AS place
      FROM (${livingInCovered(id)}) l JOIN users u ON u.id = l.person_id WHERE l.missing) x
    WHERE place <= ${SHOWN} ORDER BY property, place`.execute(db);
  const first = Map.groupBy(rows, ({ property }) => property);
  return {
    stop,
    properties: counted.map((property) => ({
      ...property,
      over: isOver(property, stop),
      first: (first.get(property.id) ?? []).map(({ id: person, name, propertyUnit }) => ({
        id: person,
        name,
        propertyUnit,
      })),
    })),
  };
}

type Counted = Pick<Property, "id" | "name" | "today" | "people" | "leaving">;

async function countLeaving(db: Db, id: number): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    SELECT p.id, p.name, ${todayAt("p")}::text AS today, count(*) AS people, count(*) FILTER (WHERE l.missing) AS leaving
    FROM (${livingInCovered(id)}) l JOIN properties p ON p.id = l.property_id
    GROUP BY p.id HAVING count(*) FILTER (WHERE l.missing) > 0 ORDER BY p.name_key, p.id`.execute(db);
  return rows;
}

const isOver = ({ people, leaving }: Counted, stop: number) => leaving * 100 > people * stop;

/** Sets for which properties the file is complete: who is missing there moves out once its rows are imported. */
export async function chooseLeaving(
  db: Db,
  id: number,
  { lastDay, properties }: BodyOf<typeof importResults.leave>,
  userId: number,
): Promise<{ people: number }> {
  return transaction(db, async (tx) => {
    await findUnbegun(tx, id, userId);
    await sql`DELETE FROM import_people WHERE import_id = ${id} AND kind = 'leaving'`.execute(tx);
    if (properties.length === 0) return { people: 0 };
    const stop = await readSetting(tx, "importStop");
    const found = new Map((await countLeaving(tx, id)).map((one) => [one.id, one]));
    for (const { id: propertyId, people, again } of properties) {
      const property = found.get(propertyId);
      if (property?.leaving !== people) throw refusal("leaving-changed");
      if (isOver(property, stop) && !again)
        throw refusal("many-leave", { name: property.name, leaving: people, people: property.people, stop });
    }
    const ids = properties.map((property) => property.id);
    const { numAffectedRows = 0n } = await sql`
      INSERT INTO import_people (import_id, person_id, kind, day, properties)
      SELECT ${id}::bigint, person_id, 'leaving', ${lastDay}::date, array_agg(property_id)
      FROM (${livingInCovered(id)}) l WHERE l.missing AND l.property_id = ANY(${ids}::bigint[])
      GROUP BY person_id`.execute(tx);
    return { people: Number(numAffectedRows) };
  });
}
