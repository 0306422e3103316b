import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { holds, nameOf } from "#server/audience/person.ts";
import { takeTurns } from "#server/features/people/who-may-change.ts";
import { sampleIds } from "#server/features/sample/rows.ts";
import { audienceOf } from "#server/delivery/schedules/schedule.ts";
import { detach, lockUses } from "#server/features/schedules/use-of-recipient.ts";

/**
 * Removes the sample's people. Someone whom a remaining record refers to, such as a message that a person sent, is kept
 * like any deleted person: in no list and no audience.
 */
export async function removePeople(tx: Db): Promise<void> {
  await takeTurns(tx);
  await leaveScheduled(tx);
  const people = sampleIds("user");
  await sql`DELETE FROM suppressions s USING users h WHERE h.id IN ${people} AND ${holds}`.execute(tx);
  for (const table of [
    "consents",
    "group_members",
    "password_links",
    "sessions",
    "totp_secrets",
    "passkeys",
    "recovery_codes",
  ]) {
    await sql`DELETE FROM ${sql.table(table)} WHERE user_id IN ${people}`.execute(tx);
  }
  const kept = sql`(${sql.join(
    [
      sql`SELECT user_id FROM run_people WHERE user_id IN ${people}`,
      ...(await references(tx)).map(
        ({ table, column }) =>
          sql`SELECT ${sql.ref(column)} FROM ${sql.table(table)} WHERE ${sql.ref(column)} IN ${people}`,
      ),
    ],
    sql` UNION `,
  )})`;
  await sql`
    UPDATE users SET deleted_at = coalesce(deleted_at, now()), updated_at = now() WHERE id IN ${kept}`.execute(
    tx,
  );
  await sql`DELETE FROM users WHERE id IN ${people} AND id NOT IN ${kept}`.execute(tx);
}

/** Takes those whom something scheduled names out of it. */
async function leaveScheduled(tx: Db): Promise<void> {
  const { rows } = await sql<{ id: number; name: string }>`
    SELECT u.id, ${nameOf("u")} AS name FROM users u
    WHERE u.id IN ${sampleIds("user")} AND u.id IN (
      SELECT (m->>'id')::bigint FROM (
        SELECT audience FROM notifications WHERE status IN ('Scheduled', 'Recurring')
        UNION ALL SELECT ${audienceOf} FROM schedules s WHERE s.deleted_at IS NULL AND ${audienceOf} IS NOT NULL
      ) waiting CROSS JOIN jsonb_array_elements(waiting.audience) m WHERE m->>'type' = 'user')
    ORDER BY u.id`.execute(tx);
  for (const { id, name } of rows) {
    const person = { type: "user", id, name } as const;
    await detach(tx, person, await lockUses(tx, person));
  }
}

/** The columns that refer to people and keep them from being deleted. */
async function references(tx: Db): Promise<{ table: string; column: string }[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    SELECT c.conrelid::regclass::text AS table, a.attname AS column FROM pg_constraint c
    JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    WHERE c.contype = 'f' AND c.confrelid = 'users'::regclass AND c.confdeltype = 'a'
      AND c.connamespace = current_schema()::regnamespace`.execute(tx);
  return rows;
}
