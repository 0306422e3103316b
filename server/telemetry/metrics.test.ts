import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, inject, test } from "vitest";
import { connect } from "#server/db/database.ts";
import { listen } from "#server/db/listen.ts";
import { withEngines } from "#server/delivery/testing/engine.ts";
import { ACCEPTED, FakeTransport } from "#server/delivery/testing/fake-transport.ts";
import { accountFor } from "#server/delivery/testing/quick-worker.ts";
import { addNotification, addPeople, fanOutAll, send } from "#server/delivery/testing/scene.ts";
import { createMetricsServer } from "#server/telemetry/metrics-server.ts";
import { until } from "#server/testing/until.ts";

const engine = withEngines();
const token = "a-token-for-prometheus";

/** The value of a sample with these labels, summed over others; undefined if there is none. */
async function scraped(app = server()) {
  const reply = await app.inject({ url: "/metrics", headers: { authorization: `Bearer ${token}` } });
  expect(reply.statusCode).toBe(200);
  return (name: string, labels: Record<string, string | number> = {}): number | undefined => {
    const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    const samples = reply.body
      .split("\n")
      .filter((line) => /^porchlight_(\w+)/.exec(line)?.[1] === name)
      .filter((line) => wanted.every((label) => line.includes(label)));
    if (samples.length > 0) return samples.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
    return undefined;
  };
}

const server = (db = engine.db) =>
  createMetricsServer({ db, health: engine.db, pools: { worker: db }, token });

test("what waits is reported with its age, without any process that works", async () => {
  await addPeople(engine.db, 3);
  const { db } = engine;
  await send(db, { class: "emergency", channels: ["email", "sms"] });
  await fanOutAll(db);
  await sql`UPDATE deliveries SET due_at = now() - interval '90 seconds' WHERE channel = 'sms'`.execute(db);
  await sql`UPDATE accounts SET state = 'paused' WHERE channel = 'email'`.execute(db);
  await addNotification(db, { status: "Scheduled", scheduledTime: new Date(Date.now() - 120_000) });
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM accounts WHERE channel = 'sms' AND NOT simulated AND enabled`.execute(db);
  const sms = rows[0]!.id;
  await sql`INSERT INTO receipts (account_id, event_id, event, retry_at)
    SELECT ${sms}, n::text, '{"what": "delivered"}', now() + interval '1 minute' * (n - 2)
    FROM generate_series(0, 3) n`.execute(db);
  const of = await scraped();
  expect(of("queue_deliveries", { channel: "email", class: "emergency", status: "queued" })).toBe(3);
  expect(of("queue_oldest_age_seconds", { channel: "sms", class: "emergency" })).toBeGreaterThanOrEqual(90);
  expect(of("queue_oldest_age_seconds", { channel: "sms", class: "general" })).toBe(0);
  expect(of("account_accepting", { account_id: sms })).toBe(1);
  expect(of("account_accepting", { account: "mail.example", channel: "email" })).toBe(0);
  expect(of("scheduler_lag_seconds")).toBeGreaterThanOrEqual(120);
  expect(of("receipts_waiting")).toBe(3);
  expect(of("receipts_oldest_age_seconds")).toBeGreaterThanOrEqual(120);
  expect([of("workers"), of("database_up"), of("fan_out_runs")]).toEqual([0, 1, 0]);
  expect(Math.abs(of("clock_offset_seconds")!)).toBeLessThan(5);
  await sql`DELETE FROM receipts`.execute(db);

  await sql`UPDATE accounts SET enabled = false WHERE channel = 'sms'`.execute(db);
  expect((await scraped())("queue_oldest_age_seconds", { channel: "sms", class: "emergency" })).toBe(0);
});

test("attempts are counted by account and outcome", async () => {
  await addPeople(engine.db, 5);
  // Not by name: the numbers in them go on from other files' tests.
  let sent = 0;
  const behavior = () => {
    sent += 1;
    const refused = { kind: "refused", of: "recipient", code: "550", detail: "" } as const;
    if (sent > 2) return ACCEPTED;
    return sent === 1 ? refused : ({ ...refused, noDevice: true } as const);
  };
  const account = accountFor(new FakeTransport({ behavior }), { name: "counted.example" });
  const app = server();
  await engine.start([account]);
  const before = (await scraped(app))("attempts_total", { account: "counted.example", outcome: "uncertain" });
  expect(before).toBe(0);
  await send(engine.db);
  await until(async () => {
    const of = await scraped(app);
    const labels = { channel: "email", account: "counted.example" };
    const outcomes = ["accepted", "refused", "no-device"].map((outcome) =>
      of("attempts_total", { ...labels, outcome }),
    );
    expect([...outcomes, of("settled_total")]).toEqual([3, 1, 1, 5]);
    expect(of("journal_duration_seconds_count")).toBeGreaterThan(0);
    expect(of("queue_deliveries", { channel: "email", status: "queued" })).toBe(undefined);
    expect([of("fan_out_people_total"), of("workers")]).toEqual([5, 1]);
  });
});

test("an unreachable database is reported as such, and nothing is made up about its state", async () => {
  const away = connect("postgres://nobody@127.0.0.1:1/none");
  const app = server(away);
  const of = await scraped(app);
  expect([of("database_up"), of("workers"), of("scheduler_lag_seconds")]).toEqual([0, undefined, undefined]);
  // Probes don't wait for the connection of the metrics.
  expect((await app.inject({ url: "/readyz" })).statusCode).toBe(200);
  await away.destroy();
});

test("each database connection that breaks is counted once, whatever it was doing", async () => {
  const app = server();
  const broken = async () => (await scraped(app))("database_connections_broken_total");
  // Prometheus sees an increase only from a sample that was there before.
  expect(await broken()).toBe(0);
  const url = inject("postgresServer");
  const db = connect(url, { purpose: "cut", max: 3 });
  const listening = Promise.withResolvers<void>();
  const listener = listen(url, "cut", { onMessage: () => undefined, onConnected: listening.resolve });
  await listening.promise;
  const asleep = sql`SELECT pg_sleep(60)`.execute(db).catch((error: Error) => error.message);
  await db.connection().execute(async (held) => {
    await sql`SELECT 1`.execute(held);
    // This one goes back to the pool.
    await sql`SELECT 1`.execute(db);
    const ours = sql`(application_name = 'porchlight cut' AND query <> '' OR query = 'LISTEN "cut"')`;
    await until(async () => {
      const { rows } = await sql`SELECT FROM pg_stat_activity WHERE ${ours}`.execute(engine.db);
      expect(rows).toHaveLength(4);
    });
    await sql`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE ${ours}`.execute(engine.db);
    await until(async () => expect(await broken()).toBeGreaterThanOrEqual(4));
  });
  expect(await asleep).toMatch(/terminat/);
  await Promise.all([listener.stop(), db.destroy()]);
  expect(await broken()).toBe(4);
});

test("a database that hangs keeps neither a probe nor Prometheus waiting", async () => {
  const hanging = engine.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: () => new Promise(() => undefined),
  });
  const app = createMetricsServer({ db: hanging, health: hanging, pools: {}, token });
  const [readiness, of] = await Promise.all([app.inject({ url: "/readyz" }), scraped(app)]);
  expect(readiness.statusCode).toBe(503);
  expect([of("database_up"), of("workers")]).toEqual([0, undefined]);
}, 60_000);

test("every metric of the alert rules and the dashboard exists, and is of this installation alone", async () => {
  const reply = await server().inject({ url: "/metrics", headers: { authorization: `Bearer ${token}` } });
  const names = new Set([...reply.body.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  for (const file of ["alerts.yaml", "alerts.test.yaml", "grafana-dashboard.json"]) {
    const text = await readFile(join(import.meta.dirname, "../../deploy/monitoring", file), "utf8");
    const used = text.matchAll(/\b(?:porchlight|process|nodejs)_\w+/g).toArray();
    expect(used.length).toBeGreaterThan(10);
    for (const { 0: name, index } of used) {
      expect(names).toContain(name.replace(/(?<=duration_seconds)_(bucket|count|sum)$/, ""));
      // Another installation in the same Prometheus must hide nothing.
      expect(text.slice(index + name.length).replaceAll("\\", "")).toMatch(/^\{job="porchlight"/);
    }
  }
});

test("only who has the token reads the metrics, or without one this machine; health is open", async () => {
  const app = server();
  const answers = await Promise.all([
    app.inject({ url: "/metrics" }),
    app.inject({ url: "/metrics", headers: { authorization: "Bearer another" } }),
    app.inject({ url: "/healthz" }),
    app.inject({ url: "/readyz" }),
  ]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 200, 200]);

  const open = createMetricsServer({ db: engine.db, health: engine.db, pools: {}, token: undefined });
  const [here, elsewhere] = ["127.0.0.1", "192.0.2.7"].map((remoteAddress) =>
    open.inject({ url: "/metrics", remoteAddress }),
  );
  expect([(await here!).statusCode, (await elsewhere!).statusCode]).toEqual([200, 401]);
});
