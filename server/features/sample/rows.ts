import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";

export type SampleKind = "user" | "group" | "template" | "schedule" | "notification" | "audit";

/** Records rows as the sample's own, so that they can be removed. */
export async function markAsSample(tx: Db, kind: SampleKind, ids: readonly number[]): Promise<void> {
  await sql`INSERT INTO sample_rows (kind, id) SELECT ${kind}, unnest(${ids}::bigint[])`.execute(tx);
}

export async function isSampleLoaded(db: Db): Promise<boolean> {
  const { rows } = await sql`SELECT FROM sample_rows LIMIT 1`.execute(db);
  return rows.length > 0;
}
