import { performance } from "node:perf_hooks";
import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { person } from "../message.ts";
import { delivered, groupNamed, importPeople, send, turnPushOn } from "../product.ts";
import { count, type Row } from "../table.ts";
import type { Bench } from "./measure.ts";

const BATCH = 500;
const channels = ["email", "sms", "push"] as const;

/** A run to the Sandbox, beside the three statements that no queue in PostgreSQL can do without, on as many rows. */
export function sandbox({ worlds, messages }: Bench): Promise<Row[]> {
  return worlds.with({}, async (world) => {
    await importPeople(world, messages, person);
    await turnPushOn(world);
    const tenants = await groupNamed(world, "All Tenants");
    const deliveries = messages * channels.length;
    const started = performance.now();
    const id = await send(world, tenants, { channels });
    await delivered(world, id);
    const ours = performance.now() - started;
    const bare = await bareQueue(world.db);
    return [
      {
        what: `Sandbox deliveries ÷ claim, attempt and settle alone, ${BATCH} at a time`,
        figure: `${count((deliveries * 1000) / ours)} and ${count((deliveries * 1000) / bare)} deliveries/s`,
        value: bare / ours,
        unit: "x",
        aim: { atLeast: 0.5 },
      },
    ];
  });
}

/** On copies of the tables with their indexes, over one connection. Returns milliseconds. */
async function bareQueue(db: Db): Promise<number> {
  await sql`CREATE TABLE bare (LIKE deliveries INCLUDING ALL)`.execute(db);
  await sql`CREATE TABLE bare_attempts (LIKE attempts INCLUDING ALL)`.execute(db);
  await sql`INSERT INTO bare (id, run_id, user_id, channel, address, priority, expires_at, person_name, field_values, status)
    SELECT id, run_id, user_id, channel, address, priority, expires_at, person_name, field_values, 'queued'
    FROM deliveries`.execute(db);
  await sql`VACUUM (ANALYZE) bare`.execute(db);
  const started = performance.now();
  await db.connection().execute(async (connection) => {
    for (;;) {
      const { rows } = await sql<{ id: number }>`
        UPDATE bare SET status = 'sending', lease_token = 1 WHERE id IN (
          SELECT id FROM bare WHERE status = 'queued' AND due_at <= now() ORDER BY priority, due_at, id
          LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
        RETURNING id`.execute(connection);
      if (rows.length === 0) return;
      const ids = rows.map(({ id }) => id);
      await connection.transaction().execute(async (tx) => {
        await sql`INSERT INTO bare_attempts (delivery_id, n, account_id, lease_token, started_at, outcome)
          SELECT id, 1, 1, 1, now(), 'accepted' FROM unnest(${ids}::bigint[]) id`.execute(tx);
        await sql`UPDATE bare SET status = 'delivered', attempts = 1, accepted_at = now(), delivered_at = now()
          WHERE id = ANY(${ids}::bigint[]) AND status = 'sending' AND lease_token = 1`.execute(tx);
      });
    }
  });
  return performance.now() - started;
}
