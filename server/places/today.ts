import { type RawBuilder, sql } from "kysely";
import { settingTable } from "#contract/calls/settings.ts";

/** The organization's time zone. */
const organizationZone = sql<string>`coalesce((SELECT value FROM settings WHERE key = 'timezone'), ${sql.lit(
  settingTable.timezone.default,
)})`;

/** A property's time zone, of `properties` under this alias. */
export const zoneOf = (alias: string): RawBuilder<string> =>
  sql`coalesce(${sql.ref(`${alias}.time_zone`)}, ${organizationZone})`;

/** Today there. */
export const todayAt = (alias: string): RawBuilder<string> =>
  sql`(now() AT TIME ZONE ${zoneOf(alias)})::date`;

/** The days of `residencies` under this alias as instants in the zone of `properties p`; null: always. */
export const instantsOf = (alias: string): RawBuilder<unknown> => {
  const [first, last] = [sql.ref(`${alias}.first_day`), sql.ref(`${alias}.last_day`)];
  return sql`CASE WHEN ${first} IS NOT NULL OR ${last} IS NOT NULL THEN
    tstzrange(${first}::timestamp AT TIME ZONE ${zoneOf("p")}, (${last} + 1)::timestamp AT TIME ZONE ${zoneOf("p")}) END`;
};
