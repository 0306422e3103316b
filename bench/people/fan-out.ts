import { performance } from "node:perf_hooks";
import { sql } from "kysely";
import type { Channel } from "#contract/delivery.ts";
import { connect, type Db } from "#server/db/database.ts";
import { migrate } from "#server/db/migrate.ts";
import { fanOutSome, FIRST_CHUNK, nextChunk } from "#server/delivery/runs/fan-out.ts";
import { startRun } from "#server/delivery/runs/start-run.ts";

type FanOut = {
  serverUrl: string;
  /** Of the new database. */
  name: string;
  people: number;
  channels: readonly Channel[];
  /** Before the run starts. */
  prepare?: (copy: Db) => Promise<unknown>;
};

type FanOutTimes = {
  /** In milliseconds. */
  all: number;
  /** The longest chunk, in milliseconds. */
  longest: number;
  /** Bytes of write-ahead log, which a busy machine doesn't change. */
  written: number;
};

/** Fan-out to everyone in chunks, as the worker does it, in a new database. */
export async function fanOutAnew(
  db: Db,
  { serverUrl, name, people, channels, prepare }: FanOut,
): Promise<FanOutTimes> {
  await sql.raw(`CREATE DATABASE ${name}`).execute(db);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const copy = connect(url.href, { answerWithin: 0 });
  await migrate(copy);
  await sql`ALTER TABLE users SET (autovacuum_enabled = off)`.execute(copy);
  await sql`DO $$ DECLARE partition regclass; BEGIN
    FOR partition IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'deliveries'::regclass LOOP
      EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = off)', partition);
    END LOOP; END $$`.execute(copy);
  await sql`INSERT INTO users (username, email, phone, first_name, last_name, role, property_unit, channels)
    SELECT 'p' || n, 'p' || (n - (n % 5) / 4) || '@example.com', '+1415' || lpad((n - (n % 3) / 2)::text, 7, '0'), 'Pat', 'Lee',
      'tenant', 'Maple Court ' || n, 7 FROM generate_series(1, ${people}::int) n`.execute(copy);
  await prepare?.(copy);
  const taken = await spreadAll(copy, channels);
  await copy.destroy();
  await sql.raw(`DROP DATABASE ${name}`).execute(db);
  return taken;
}

async function spreadAll(copy: Db, channels: readonly Channel[]): Promise<FanOutTimes> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO notifications (title, message_type, content, channels, audience, audience_text, status, created_by_name)
    SELECT 'Water off', 'custom', 'Hello {{first_name}}.', ${channels}::text[],
      jsonb_build_array(jsonb_build_object('type', 'group', 'id', id, 'name', name)), 'Everyone', 'Draft', 'Bench'
    FROM user_groups WHERE name = 'Everyone' RETURNING id`.execute(copy);
  await startRun(copy, rows[0]?.id ?? 0, {
    organization: async () => ({
      sender: { siteName: "Maple", smsPrefix: "", emailSignature: "", emailFooter: "" },
      timeZone: "America/New_York",
    }),
  });
  const before = await written(copy);
  const began = performance.now();
  let longest = 0;
  for (let most = FIRST_CHUNK; ;) {
    const started = performance.now();
    const chunk = await fanOutSome(copy, most);
    const ms = performance.now() - started;
    longest = Math.max(longest, ms);
    if (!chunk || chunk.done) {
      const all = performance.now() - began;
      return { all, longest, written: (await written(copy)) - before };
    }
    most = nextChunk(chunk.people, ms);
  }
}

async function written(copy: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS bytes`.execute(copy);
  return rows[0]?.bytes ?? 0;
}
