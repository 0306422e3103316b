import { performance } from "node:perf_hooks";
import { sql } from "kysely";
import type { Channel } from "#contract/delivery.ts";
import { connect, type Db } from "#server/db/database.ts";
import { migrate } from "#server/db/migrate.ts";
import { fanOutSome, FIRST_CHUNK, nextChunk } from "#server/delivery/fan-out.ts";
import { startRun } from "#server/delivery/start-run.ts";

type FanOut = {
  serverUrl: string;
  /** Of the new database. */
  name: string;
  people: number;
  channels: readonly Channel[];
  /** Before the run starts. */
  prepare?: (copy: Db) => Promise<unknown>;
};

/** Fan-out to everyone in chunks, as the worker does it, in a new database. In milliseconds. */
export async function fanOutAnew(
  db: Db,
  { serverUrl, name, people, channels, prepare }: FanOut,
): Promise<{ all: number; longest: number }> {
  await sql.raw(`CREATE DATABASE ${name}`).execute(db);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const copy = connect(url.href, { answerWithin: 0 });
  await migrate(copy);
  await sql`ALTER TABLE users SET (autovacuum_enabled = off)`.execute(copy);
  await sql`ALTER TABLE deliveries SET (autovacuum_enabled = off)`.execute(copy);
  await sql`INSERT INTO users (username, email, phone, first_name, last_name, role, property_unit, channels)
    SELECT 'p' || n, 'p' || (n - (n % 5) / 4) || '@example.com', '+1415' || lpad((n - (n % 3) / 2)::text, 7, '0'), 'Pat', 'Lee',
      'tenant', 'Maple Court ' || n, 7 FROM generate_series(1, ${people}::int) n`.execute(copy);
  await prepare?.(copy);
  const taken = await spreadAll(copy, channels);
  await copy.destroy();
  await sql.raw(`DROP DATABASE ${name}`).execute(db);
  return taken;
}

async function spreadAll(copy: Db, channels: readonly Channel[]): Promise<{ all: number; longest: number }> {
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
  const began = performance.now();
  let longest = 0;
  for (let most = FIRST_CHUNK; ;) {
    const started = performance.now();
    const chunk = await fanOutSome(copy, most);
    const ms = performance.now() - started;
    longest = Math.max(longest, ms);
    if (!chunk || chunk.done) return { all: performance.now() - began, longest };
    most = nextChunk(chunk.people, ms);
  }
}
