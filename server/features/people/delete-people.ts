import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";

/** Removes people from lists, audiences and groups. Who may sign in must also lose their sessions and factors. */
export async function deletePeople(tx: Db, ids: readonly number[]): Promise<void> {
  const these = sql`ANY(${[...ids]}::bigint[])`;
  await sql`UPDATE users SET deleted_at = now(), updated_at = now() WHERE id = ${these}`.execute(tx);
  await sql`DELETE FROM group_members WHERE user_id = ${these}`.execute(tx);
  await sql`DELETE FROM password_links WHERE user_id = ${these}`.execute(tx);
}
