import { performance } from "node:perf_hooks";
import { sql } from "kysely";
import { connect, type Db } from "#server/db/database.ts";
import { fanOutAnew } from "../people/fan-out.ts";
import { count, type Row } from "../table.ts";
import type { Bench } from "./measure.ts";

const channels = ["email", "sms", "push"] as const;

/** Who gets what, with reasons and totals, beside nothing but writing as many rows with their indexes. */
export async function fanOut({ serverUrl, people }: Bench): Promise<Row[]> {
  const db = connect(serverUrl, { max: 1, answerWithin: 0 });
  let bare = 0;
  try {
    const { all } = await fanOutAnew(db, {
      serverUrl,
      name: `porchlight_bench_${process.pid}_fan_out`,
      people,
      channels,
      prepare: async (copy) => {
        bare = await bareInsert(copy);
      },
    });
    const rows = people * channels.length;
    return [
      {
        what: `Fan-out of ${count(people)} × ${channels.length} channels ÷ bare INSERT … SELECT`,
        figure: `${count((rows * 1000) / all)} and ${count((rows * 1000) / bare)} rows/s`,
        value: all / bare,
        unit: "x",
        aim: { atMost: 3 },
      },
    ];
  } finally {
    await db.destroy();
  }
}

async function bareInsert(db: Db): Promise<number> {
  await sql`CREATE TABLE bare (LIKE deliveries INCLUDING ALL)`.execute(db);
  const started = performance.now();
  await sql`
    INSERT INTO bare (id, run_id, user_id, channel, address, priority, expires_at, person_name, person_unit, field_values, status)
    SELECT next_delivery_id(1), 1, u.id, c.channel, c.channel || u.id, 2, now(), u.first_name || ' ' || u.last_name, u.property_unit,
      jsonb_build_object('first_name', u.first_name), 'queued'
    FROM users u, unnest(${channels}::text[]) c (channel) WHERE u.role = 'tenant'`.execute(db);
  const ms = performance.now() - started;
  await sql`DROP TABLE bare`.execute(db);
  return ms;
}
