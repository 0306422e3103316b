import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";

/** A worker's right to what it has claimed. It uses the database's clock, which all workers share. */

export async function takeLease(db: Db, name: string, seconds: number): Promise<number> {
  const { rows } = await sql<{ token: number }>`
    INSERT INTO workers (name, lease_until) VALUES (${name}, now() + ${seconds}::float8 * interval '1 second')
    RETURNING token`.execute(db);
  return rows[0]!.token;
}

/** False: it ran out, others may have taken over, and the token must not be used anymore. */
export async function renewLease(db: Db, token: number, seconds: number): Promise<boolean> {
  const { rows } = await sql`
    UPDATE workers SET lease_until = now() + ${seconds}::float8 * interval '1 second'
    WHERE token = ${token} AND lease_until > now() RETURNING token`.execute(db);
  return rows.length === 1;
}

export async function endLease(db: Db, token: number): Promise<void> {
  await sql`DELETE FROM workers WHERE token = ${token}`.execute(db);
}
