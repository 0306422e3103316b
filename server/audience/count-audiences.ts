import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { type Audience, inAudience } from "./audience.ts";

/** How many people each of these reaches now; an audience that several have is counted once. */
export async function countAudiences(
  db: Db,
  audiences: readonly { audience: Audience; ids: readonly number[] }[],
): Promise<{ id: number; people: number }[]> {
  const counted = [];
  for (const { audience, ids } of audiences) {
    const among = await inAudience(db, audience);
    const { rows } = await sql<{ people: number }>`
      SELECT count(*) AS people FROM users u WHERE ${among}`.execute(db);
    counted.push(...ids.map((id) => ({ id, people: rows[0]?.people ?? 0 })));
  }
  return counted;
}
