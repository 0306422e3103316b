import { cpus, loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { connect, type Db } from "#server/db/database.ts";
import { migrate } from "#server/db/migrate.ts";
import { openTransports } from "#server/delivery/accounts/open-transports.ts";
import { startScheduler } from "#server/delivery/schedules/scheduler.ts";
import { adapters } from "#server/delivery/transports/registry.ts";
import { startWorker } from "#server/delivery/worker/worker.ts";
import { content, sender } from "./message.ts";
import { quiet, startPostgres } from "./postgres.ts";

/**
 * 500 schedules that are due in the same minute, with 20,000 emails in all: how late their runs start, and when the last
 * email is settled. One process schedules and sends to the Sandbox, like `npm start`. Prints figures, and fails if a run
 * starts after its minute. BENCH_SCHEDULES and BENCH_PEOPLE (per schedule) set the numbers.
 */

const schedules = Number(process.env["BENCH_SCHEDULES"] ?? 500);
const people = Number(process.env["BENCH_PEOPLE"] ?? 40);
const deliveries = schedules * people;
const MINUTE_MS = 60_000;
const LEAD_MS = 10_000;

const postgres = await startPostgres();
const db = connect(postgres.url);
const transports = openTransports([], adapters);
try {
  await migrate(db);
  await addPeople(db);
  // The first minute that leaves enough time to plan them all.
  const due = new Date(Math.ceil((Date.now() + LEAD_MS) / MINUTE_MS) * MINUTE_MS);
  await addSchedules(db, due.toISOString().slice(11, 16));

  console.log(
    `${cpus().length} × ${cpus()[0]?.model ?? "CPU"}, Node ${process.version}, load ${loadavg()[0]}`,
  );
  const links = { unsubscribe: "https://maple.example/u/x", preferences: "https://maple.example/u/x" };
  const worker = startWorker({ db, listenUrl: postgres.url, transports, linksFor: () => links, log: quiet });
  const organization = () => Promise.resolve({ sender, timeZone: "UTC" });
  const scheduler = startScheduler({ db, dependencies: { organization }, log: quiet });

  const planning = performance.now();
  await until(db, schedules, sql<Count>`SELECT count(*) FROM schedules WHERE next_run_at = ${due}`);
  const planned = performance.now() - planning;
  await until(db, schedules, sql<Count>`SELECT count(*) FROM schedule_occurrences`);
  await until(db, schedules, sql<Count>`SELECT count(*) FROM runs WHERE finished_at IS NOT NULL`);
  const figures = await read(db, due);
  await scheduler.stop();
  await worker.stop();

  console.table({
    "All planned within": seconds(planned),
    "First run started after": seconds(figures.first),
    "Half of the runs started after": seconds(figures.median),
    "Last run started after": seconds(figures.last),
    "Last email settled after": seconds(figures.settled),
  });
  console.log(`${schedules} schedules due in one minute, ${figures.deliveries} emails into the Sandbox.`);
  if (figures.started !== schedules || figures.deliveries !== deliveries) {
    throw new Error(`${figures.started} runs with ${figures.deliveries} emails`);
  }
  if (figures.last >= MINUTE_MS) throw new Error("A run started after its minute.");
} finally {
  await transports.close();
  await db.destroy();
  await postgres.stop();
}

/** A group for each schedule. */
async function addPeople(db: Db): Promise<void> {
  await sql`
    INSERT INTO users (username, email, first_name, last_name, role, property_unit)
    SELECT 'person' || n, 'person' || n || '@example.com', 'Ann' || n, '', 'tenant', 'Maple Court ' || n
    FROM generate_series(1, ${deliveries}::int) n`.execute(db);
  await sql`INSERT INTO user_groups (name) SELECT 'Group ' || n FROM generate_series(1, ${schedules}::int) n`.execute(
    db,
  );
  await sql`
    INSERT INTO group_members (group_id, user_id)
    SELECT g.id, u.id FROM (
      SELECT id, row_number() OVER (ORDER BY id) AS n FROM user_groups WHERE NOT built_in
    ) g JOIN (
      SELECT id, row_number() OVER (ORDER BY id) AS n FROM users
    ) u ON (u.n - 1) / ${people}::int + 1 = g.n`.execute(db);
}

async function addSchedules(db: Db, time: string): Promise<void> {
  await sql`
    WITH template AS (
      INSERT INTO templates (name, type, subject, content)
      VALUES ('Bench', 'Email', ${content.title}, ${content.content}) RETURNING id
    )
    INSERT INTO schedules (name, recurrence, time, template_id, channels, audience, audience_text, created_by_name)
    SELECT g.name, 'daily', ${time}, template.id, '{email}',
      jsonb_build_array(jsonb_build_object('type', 'group', 'id', g.id, 'name', g.name)), g.name, 'Bench'
    FROM user_groups g, template WHERE NOT g.built_in`.execute(db);
  await sql`ANALYZE`.execute(db);
}

type Figures = {
  started: number;
  deliveries: number;
  /** Milliseconds after they were due. */
  first: number;
  median: number;
  last: number;
  settled: number;
};

async function read(db: Db, due: Date): Promise<Figures> {
  const after = (column: string) => sql`extract(epoch FROM ${sql.raw(column)} - ${due}::timestamptz) * 1000`;
  const { rows } = await sql<Figures>`
    SELECT count(*) AS started, sum(people)::int AS deliveries, (${after("min(created_at)")})::float8 AS first,
      (${after("percentile_disc(0.5) WITHIN GROUP (ORDER BY created_at)")})::float8 AS median,
      (${after("max(created_at)")})::float8 AS last, (${after("max(finished_at)")})::float8 AS settled
    FROM runs`.execute(db);
  const [figures] = rows;
  if (!figures) throw new Error("No run has started.");
  return figures;
}

function seconds(ms: number) {
  return { seconds: Number((ms / 1000).toFixed(2)) };
}

type Count = { count: number };

async function until(db: Db, count: number, question: ReturnType<typeof sql<Count>>): Promise<void> {
  for (;;) {
    const { rows } = await question.execute(db);
    if ((rows[0]?.count ?? 0) >= count) return;
    await sleep(200);
  }
}
