import { sql } from "kysely";
import type { ReplyOf } from "#contract/endpoint.ts";
import type { HomeDetail, places, ResidencyRow } from "#contract/calls/places.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { homeArchivedThrough } from "#server/activity/home-notices.ts";
import { nameOf } from "#server/audience/person.ts";
import type { Db } from "#server/db/database.ts";
import { readHomesOf, readPlaceRow, waysOf } from "#server/features/places/read-properties.ts";
import { refuseUnknown } from "#server/features/people/stored-person.ts";
import { readToday } from "#server/places/settle.ts";
import { lastMove } from "#server/places/undo-move.ts";

/** One home with everyone who lives there, lived there or will. Throws not-found. */
export async function readHome(db: Db, id: number): Promise<HomeDetail> {
  const [home] = await readHomesOf(db, sql`h.id = ${id}`);
  if (!home) throw refusal("no-such-home");
  const { propertyId } = home;
  const [property, today, archivedThrough, residents] = await Promise.all([
    readPlaceRow(db, propertyId),
    readToday(db),
    homeArchivedThrough(db, id),
    sql<ResidencyRow>`
      SELECT r.id, r.person_id AS "personId", ${nameOf("u")} AS name, u.deleted_at IS NOT NULL AS deleted, r.role,
        r.first_day::text AS "firstDay", r.last_day::text AS "lastDay", r.lease_ends::text AS "leaseEnds",
        CASE WHEN u.deleted_at IS NULL THEN ${waysOf} ELSE '{}' END AS channels
      FROM residencies r JOIN users u ON u.id = r.person_id WHERE r.unit_id = ${id}
      ORDER BY r.last_day DESC NULLS FIRST, r.first_day DESC NULLS LAST, r.id`.execute(db),
  ]);
  return { ...home, property, today: today(propertyId), residents: residents.rows, archivedThrough };
}

type PersonHomes = ReplyOf<typeof places.ofPerson>;

/** A person's homes, the latest first. Throws not-found. */
export async function readHomesOfPerson(db: Db, personId: number): Promise<PersonHomes> {
  await refuseUnknown(db, personId);
  const [today, { rows }, undoable] = await Promise.all([
    readToday(db),
    sql<PersonHomes["homes"][number]>`
      SELECT r.id, r.role, r.first_day::text AS "firstDay", r.last_day::text AS "lastDay", r.lease_ends::text AS "leaseEnds",
        h.id AS "homeId", h.written AS home, p.id AS "propertyId", p.name AS property
      FROM residencies r JOIN units h ON h.id = r.unit_id JOIN properties p ON p.id = h.property_id
      WHERE r.person_id = ${personId} ORDER BY r.last_day DESC NULLS FIRST, r.first_day DESC NULLS LAST, r.id`.execute(
      db,
    ),
    lastMove(db, personId),
  ]);
  return { today: today(rows[0]?.propertyId), homes: rows, undoable: undoable !== null };
}
