import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { MEGABYTE } from "#contract/calls/attachments.ts";
import { IDS_PER_MONTH } from "#server/db/months.ts";
import type { Db } from "#server/db/database.ts";
import { archiveNext } from "#server/delivery/archive/archive-month.ts";
import { ensureWebBuild } from "#server/web-build.ts";
import { person } from "./message.ts";
import { startPostgres } from "./postgres.ts";
import { delivered, importPeople, send, startProduct, Worlds, type World } from "./product.ts";
import { count, percentile } from "./table.ts";
import { time, times } from "./time.ts";

/**
 * Whether a year of daily messages to everyone slows anything down: pages, a run, VACUUM and a start, before and after
 * twelve months are filled with copies of one run. Then the oldest month is archived while pages are read. Prints
 * figures and asserts nothing. YEAR_PEOPLE and YEAR_DAYS (per month) make it smaller; the whole, 36 million messages,
 * takes twenty minutes and 40 GB.
 */

const PEOPLE = Number(process.env["YEAR_PEOPLE"] ?? 100_000);
const DAYS = Number(process.env["YEAR_DAYS"] ?? 30);
const MONTHS = 12;
const TIMES = 15;

await ensureWebBuild();
const postgres = await startPostgres();
const worlds = new Worlds(postgres.url);
try {
  await worlds.with({}, async (world) => {
    await importPeople(world, PEOPLE, person);
    const first = await send(world, "All Tenants", { channels: ["email"] });
    await delivered(world, first);
    const before = await measure(world, first);
    const filling = performance.now();
    for (let back = MONTHS; back > 0; back -= 1) await fill(world.db, first, back);
    console.log(
      `${count(MONTHS * DAYS * PEOPLE)} messages, filled in ${since(filling)}, ${await size(world.db)}`,
    );
    // As autovacuum does over a year.
    await sql`VACUUM (ANALYZE)`.execute(world.db);
    const after = await measure(world, first);
    console.table(
      Object.fromEntries(
        Object.keys(after).map((what) => [
          what,
          {
            "before, ms": before[what]?.toFixed(1),
            "after, ms": after[what]?.toFixed(1),
            ratio: ((after[what] ?? NaN) / (before[what] ?? NaN)).toFixed(2),
          },
        ]),
      ),
    );
    await archiveOldest(world);
  });
} finally {
  await worlds.close();
  await postgres.stop();
}

function since(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(0)} s`;
}

async function size(db: Db): Promise<string> {
  const { rows } = await sql<{ size: string }>`
    SELECT pg_size_pretty(pg_database_size(current_database())) AS size`.execute(db);
  return rows[0]!.size;
}

/** Copies of the first run, one for each day of the month that was `back` months ago. */
async function fill(db: Db, notificationId: number, back: number): Promise<void> {
  const { rows } = await sql<{ run: number; first: number; month: number }>`
    SELECT r.id AS run, (SELECT min(d.id) FROM deliveries d WHERE d.run_id = r.id) AS first,
      month_of(now() - ${back} * interval '1 month') AS month
    FROM runs r WHERE notification_id = ${notificationId}`.execute(db);
  const { run, first, month } = rows[0]!;
  await sql`SELECT create_month(${month}::bigint)`.execute(db);
  const ids = sql.lit(month * IDS_PER_MONTH);
  const shift = sql`(day - 1) * ${sql.lit(PEOPLE * 2)} - ${sql.lit(first)} + ${ids} + ${sql.lit(DAYS)} + 1`;
  const earlier = (column: string) =>
    sql`${sql.id(column)} - ${sql.lit(back)} * interval '1 month' - extract(day FROM now())::int * interval '1 day' + day * interval '1 day'`;
  await copy(
    db,
    "notifications",
    sql`SELECT * FROM notifications WHERE id = ${notificationId}`,
    {
      id: null,
      client_key: sql`${month} || '-' || day`,
      title: sql`title || ' ' || ${month} || '-' || day`,
    },
    earlier,
  );
  await copy(
    db,
    "runs",
    sql`SELECT * FROM runs WHERE id = ${run}`,
    {
      id: sql`${ids} + day`,
      notification_id: sql`(SELECT n.id FROM notifications n WHERE n.client_key = ${month} || '-' || day)`,
    },
    earlier,
  );
  const ofRun = (table: string) => sql`SELECT * FROM ${sql.table(table)} WHERE run_id = ${run}`;
  const runId = { run_id: sql`${ids} + day` };
  await copy(db, "deliveries", ofRun("deliveries"), { ...runId, id: sql`id + ${shift}` }, earlier);
  const attempts = sql`SELECT * FROM attempts
    WHERE delivery_id BETWEEN ${sql.lit(first)} AND ${sql.lit(first + PEOPLE - 1)}`;
  await copy(db, "attempts", attempts, { delivery_id: sql`delivery_id + ${shift}` }, earlier);
  for (const table of ["run_people", "run_counts", "run_outcomes"])
    await copy(db, table, ofRun(table), runId, earlier);
}

type Expression = ReturnType<typeof sql>;

/** `own`: columns that differ from day to day; null: left to its default. */
async function copy(
  db: Db,
  table: string,
  rows: Expression,
  own: Readonly<Record<string, Expression | null>>,
  earlier: (column: string) => Expression,
): Promise<void> {
  const { rows: columns } = await sql<{ name: string; type: string }>`
    SELECT column_name AS name, data_type AS type FROM information_schema.columns
    WHERE table_name = ${table} AND is_generated = 'NEVER' ORDER BY ordinal_position`.execute(db);
  const copied = columns.filter(({ name }) => own[name] !== null);
  const values = copied.map(
    ({ name, type }) => own[name] ?? (type.startsWith("timestamp") ? earlier(name) : sql.id(name)),
  );
  await sql`INSERT INTO ${sql.table(table)} (${sql.join(copied.map(({ name }) => sql.id(name)))})
    SELECT ${sql.join(values)} FROM (${rows}) source, generate_series(1, ${sql.lit(DAYS)}) day
    ORDER BY day`.execute(db);
}

/** Milliseconds, the median of several where it is short. */
async function measure(world: World, notificationId: number): Promise<Record<string, number>> {
  const { call, db } = world;
  const { rows } = await sql<{ id: number }>`SELECT id FROM users WHERE role = 'tenant' LIMIT 1`.execute(db);
  const user = rows[0]!.id;
  const last = Math.floor(PEOPLE / 25);
  const oldest = await sql<{ id: number }>`SELECT id FROM notifications ORDER BY list_time LIMIT 1`.execute(
    db,
  );
  const old = oldest.rows[0]!.id;
  const pages: Record<string, string> = {
    Dashboard: "/api/dashboard",
    "Recent notifications": "/api/notifications/recent",
    Notifications: "/api/notifications",
    "Notifications, failed": "/api/notifications?status=Failed",
    "Notifications, searched": "/api/notifications?q=water",
    "The bell and the banners": "/api/shell",
    "A notification of today": `/api/notifications/${notificationId}`,
    "Its people": `/api/notifications/${notificationId}/deliveries`,
    "Its people, last page": `/api/notifications/${notificationId}/deliveries?page=${last}`,
    "The oldest notification": `/api/notifications/${old}`,
    "Its people, searched": `/api/notifications/${old}/deliveries?q=lopez`,
    "A person": `/api/users/${user}`,
    "What was sent to them": `/api/users/${user}/deliveries`,
    Users: "/api/users",
    Templates: "/api/templates",
    Schedules: "/api/schedules",
  };
  const taken: Record<string, number> = {};
  for (const [what, path] of Object.entries(pages)) taken[what] = await median(() => call("GET", path));
  taken["A run to everyone"] = await time(async () => {
    await delivered(world, await send(world, "All Tenants", { channels: ["email"] }));
  });
  const month = await sql<{ name: string }>`
    SELECT tableoid::regclass::text AS name FROM deliveries ORDER BY id DESC LIMIT 1`.execute(db);
  taken["VACUUM of this month"] = await time(() =>
    sql`VACUUM (ANALYZE) ${sql.table(month.rows[0]!.name)}`.execute(db),
  );
  const url = new URL(postgres.url);
  const { rows: names } = await sql<{ name: string }>`SELECT current_database() AS name`.execute(db);
  url.pathname = `/${names[0]!.name}`;
  const second = await startProduct({ DATABASE_URL: url.href });
  taken["Start of another process"] = second.readyMs;
  await second.stop();
  return taken;
}

async function archiveOldest({ call, db }: World): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "porchlight-archive-"));
  const waits: number[] = [];
  const done = new AbortController();
  const reading = (async () => {
    while (!done.signal.aborted) {
      waits.push(await time(() => call("GET", "/api/notifications")));
      // Nobody may load rows without end.
      await sleep(500);
    }
  })();
  const before = process.memoryUsage.rss();
  const started = performance.now();
  const month = await archiveNext(db, { folder, keepMonths: MONTHS - 1 });
  // At most, because the highest may have been before.
  const more = (process.resourceUsage().maxRSS * 1024 - before) / MEGABYTE;
  done.abort();
  await reading;
  await rm(folder, { recursive: true });
  console.log(
    `${month} archived in ${since(started)} with at most ${more.toFixed(0)} MB more memory, ${await size(db)} left; a page of notifications took ` +
      `${percentile(waits, 0.5).toFixed(1)} ms meanwhile, p99 ${percentile(waits, 0.99).toFixed(1)} ms`,
  );
}

async function median(once: () => Promise<unknown>): Promise<number> {
  return percentile(await times(TIMES, once), 0.5);
}
