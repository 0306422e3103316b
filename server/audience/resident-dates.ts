import { type RawBuilder, sql } from "kysely";
import { dayAfter, livingRoles } from "#contract/homes.ts";
import type { ResidentDate } from "#contract/recurrence.ts";
import type { Db } from "#server/db/database.ts";
import { type Audience, inAudience } from "./audience.ts";
import { nameOf } from "./person.ts";

/** Whose date it is: the people that a schedule by residents' dates writes to (docs/decisions/0205-residents-dates.md). */

/** By which date, whom, and without those who were written to for it. */
export type DateQuestion = {
  residentDate: ResidentDate;
  /** Days after the date; before it if negative. */
  dayOffset: number;
  audience: Audience;
  /** Null: it isn't stored yet. */
  scheduleId: number | null;
};

export type DueResident = {
  personId: number;
  residencyId: number;
  name: string;
  /** As the person's details would name it. */
  home: string;
  date: string;
  /** The day on which they are written to. */
  day: string;
};

const columns: Record<ResidentDate, RawBuilder<string>> = {
  "move-in": sql`r.first_day`,
  "move-out": sql`r.last_day`,
  "lease-end": sql`r.lease_ends`,
};

/** The end of a lease is no one's date anymore if they leave before it. */
const stands: Record<ResidentDate, RawBuilder<boolean>> = {
  "move-in": sql`true`,
  "move-out": sql`true`,
  "lease-end": sql`(r.last_day IS NULL OR r.last_day >= r.lease_ends)`,
};

/** What is on file as "for ever" is no date. */
const LAST = "9998-12-31";

type Days = { from: string; to?: string | undefined };

/** FROM and WHERE: the residencies `r` of people `u` in homes `h` of properties `p` whose date makes a run on these days. */
async function dated(
  db: Db,
  { residentDate, dayOffset, audience, scheduleId }: DateQuestion,
  { from, to }: Days,
): Promise<RawBuilder<unknown>> {
  const date = columns[residentDate];
  const [first, last] = [from, to].map((day) => day && dayAfter(day, -dayOffset));
  return sql`FROM residencies r JOIN units h ON h.id = r.unit_id JOIN properties p ON p.id = h.property_id
      JOIN users u ON u.id = r.person_id
    WHERE ${date} >= ${first}::date AND ${date} <= ${last ?? LAST}::date
      AND r.role IN (${sql.join(livingRoles.map((role) => sql.lit(role)))}) AND ${stands[residentDate]}
      AND ${await inAudience(db, audience, "residencies")}
      AND NOT EXISTS (SELECT FROM resident_dates w WHERE w.schedule_id = ${scheduleId}::bigint
        AND w.person_id = r.person_id AND w.resident_date = ${residentDate} AND w.date = ${date})`;
}

/** The days that have someone, in order, and how many people each has. */
export async function daysWithResidents(
  db: Db,
  question: DateQuestion,
  { most, ...days }: Days & { most: number },
): Promise<{ day: string; people: number }[]> {
  const date = columns[question.residentDate];
  const { rows } = await sql<{ day: string; people: number }>`
    SELECT (${date} + ${question.dayOffset}::int)::text AS day, count(DISTINCT r.person_id)::int AS people
    ${await dated(db, question, days)} GROUP BY ${date} ORDER BY ${date} LIMIT ${most}`.execute(db);
  return rows;
}

/** Who they are, each once for each date, by day and name. The leaseholder's home first, of several with one date. */
export async function dueResidents(
  db: Db,
  question: DateQuestion,
  { most, ...days }: Days & { most?: number },
): Promise<DueResident[]> {
  const date = columns[question.residentDate];
  const { rows } = await sql<DueResident>`
    SELECT * FROM (
      SELECT DISTINCT ON (${date}, r.person_id) r.person_id AS "personId", r.id AS "residencyId", ${nameOf("u")} AS name,
        coalesce(r.home, p.name || CASE WHEN h.written = '' THEN '' ELSE ' / ' || h.written END) AS home,
        ${date}::text AS date, (${date} + ${question.dayOffset}::int)::text AS day
      ${await dated(db, question, days)}
      ORDER BY ${date}, r.person_id, r.role <> 'leaseholder', r.id
    ) due ORDER BY day, name, "personId" ${most === undefined ? sql`` : sql`LIMIT ${most}`}`.execute(db);
  return rows;
}
