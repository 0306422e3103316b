import { type RawBuilder, sql } from "kysely";
import { isMonthFirst } from "#contract/text/home-dates.ts";
import type { HomeField } from "#contract/text/message-fields.ts";
import { GROUND, PENTHOUSE } from "#contract/text/unit-name.ts";

/** What a message says about a home of a person of `users u`. Looked up for each person, so only where a message needs it. */

/** As `writtenDate`: "November 30, 2026". */
const written = (date: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql`to_char(${date}, ${sql.lit(isMonthFirst() ? "FMMonth FMDD, YYYY" : "FMDD FMMonth YYYY")})`;

/** "3", or the name of a floor that has one. */
const floor = sql<string | null>`CASE WHEN h.floor = ${sql.lit(PENTHOUSE)} THEN 'penthouse'
  WHEN h.floor = ${sql.lit(GROUND)} THEN 'ground' WHEN h.floor = -1 THEN 'basement'
  WHEN h.floor < 0 THEN 'basement ' || -h.floor ELSE h.floor::text END`;

const values: Record<HomeField, () => RawBuilder<string | null>> = {
  unit: () => sql`nullif(h.written, '')`,
  building: () => sql`nullif(h.building, '')`,
  floor: () => floor,
  move_in_date: () => written(sql`r.first_day`),
  move_out_date: () => written(sql`r.last_day`),
  lease_end: () => written(sql`r.lease_ends`),
};

/** Null: not on file. By the home whose date it is in this notification, otherwise the one that their details name. */
export function homeValue(field: HomeField, notificationId?: number): RawBuilder<string | null> {
  const named = sql`(SELECT n.id FROM residencies n WHERE n.person_id = u.id AND n.shown)`;
  const its =
    notificationId === undefined
      ? named
      : sql`coalesce((SELECT d.id FROM resident_dates w JOIN residencies d ON d.id = w.residency_id
          WHERE w.notification_id = ${notificationId}::bigint AND w.person_id = u.id LIMIT 1), ${named})`;
  const value = sql<
    string | null
  >`(SELECT ${values[field]()} FROM residencies r JOIN units h ON h.id = r.unit_id WHERE r.id = ${its})`;
  // Colleagues may have a home in their details alone.
  return field === "unit" ? sql`coalesce(${value}, nullif(trim(u.unit), ''))` : value;
}
