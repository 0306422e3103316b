import { type RawBuilder, sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { type Audience, inAudience } from "#server/audience/audience.ts";
import type { FieldValues } from "#server/delivery/content/compiled.ts";
import type { NeededField } from "#server/audience/details.ts";
import { nameOf, personValuesSql } from "#server/audience/person.ts";

export type PreviewPerson = { userId: number; name: string; home: string | null; values: FieldValues };

// Enough of the longest candidates to be sure of the longest text; each is rendered.
const CANDIDATES = 40;

async function read(
  db: Db,
  fields: readonly NeededField[],
  tail: RawBuilder<unknown>,
): Promise<PreviewPerson[]> {
  const found = await sql<PreviewPerson>`
    SELECT u.id AS "userId", ${nameOf("u")} AS name, u.property_unit AS home, ${personValuesSql(fields)} AS values FROM users u ${tail}`.execute(
    db,
  );
  return found.rows;
}

/** The chosen person, or the first one in the audience; null when it is empty. */
export async function previewPerson(
  db: Db,
  fields: readonly NeededField[],
  audience: Audience,
  userId: number | undefined,
): Promise<PreviewPerson | null> {
  const who =
    userId === undefined ? await inAudience(db, audience) : sql`u.id = ${userId} AND u.deleted_at IS NULL`;
  const [person] = await read(db, fields, sql`WHERE ${who} ORDER BY u.id LIMIT 1`);
  return person ?? null;
}

/**
 * The people in the audience with the longest values, and those with the longest values that contain a non-ASCII
 * letter: one of these gets the most expensive text message.
 */
export async function costliestPeople(
  db: Db,
  fields: readonly NeededField[],
  audience: Audience,
): Promise<PreviewPerson[]> {
  if (fields.length === 0) return [];
  const among = await inAudience(db, audience);
  const values = sql`(${personValuesSql(fields)})::text`;
  const [longest, foreign] = await Promise.all([
    read(db, fields, sql`WHERE ${among} ORDER BY length(${values}) DESC LIMIT ${CANDIDATES}`),
    read(
      db,
      fields,
      sql`WHERE ${among} AND ${values} ~ '[^\\x01-\\x7f]' ORDER BY length(${values}) DESC LIMIT ${CANDIDATES}`,
    ),
  ]);
  return [...longest, ...foreign];
}
