import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import fastify from "fastify";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunProgress } from "#contract/run-progress.ts";
import { EVENTS_KEPT_MS, serverEvent } from "#contract/calls/shell.ts";
import { listen } from "#server/db/listen.ts";
import { PAGES_CHANNEL } from "#server/db/notify-channels.ts";
import { fanOutSome } from "#server/delivery/runs/fan-out.ts";
import { notifyPages } from "#server/delivery/hints.ts";
import { eventHub } from "#server/http/events.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";
import { until } from "#server/testing/until.ts";

let porchlight: TestApp;
let staff: Caller;
let address: string;

beforeAll(async () => {
  porchlight = await testApp({ heartbeatMs: 50 });
  staff = await porchlight.signedIn("staff");
  address = await porchlight.app.listen({ port: 0, host: "127.0.0.1" });
  await listening(porchlight, 1);
});
afterAll(() => porchlight.close());

/** What is said before it listens is lost, and only the next connection makes good for it. */
async function listening({ db }: TestApp, connections: number): Promise<void> {
  await until(async () => {
    const { rows } = await sql`SELECT FROM pg_stat_activity WHERE application_name = 'porchlight listener'
      AND datname = current_database() AND state = 'idle' AND query LIKE 'LISTEN%'`.execute(db);
    if (rows.length < connections) throw new Error("not everybody listens yet");
  });
}

const loseTheListener = (db: TestApp["db"]) =>
  sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'porchlight listener' AND datname = current_database()`.execute(db);

/** Opens the stream and reads until `enough` says so; returns the events. */
async function listenUntil(
  enough: (events: unknown[]) => boolean,
  whileOpen: () => Promise<unknown>,
  { since = 0 } = {},
): Promise<unknown[]> {
  const abort = new AbortController();
  const reply = await fetch(`${address}/api/events?since=${since}`, {
    headers: { cookie: staff.cookie },
    signal: abort.signal,
  });
  expect(reply.headers.get("content-type")).toContain("text/event-stream");
  const events: unknown[] = [];
  const said = whileOpen();
  let text = "";
  for await (const chunk of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("data: ")) events.push(JSON.parse(line.slice(6)));
    if (enough(events)) break;
  }
  await said;
  abort.abort();
  return events;
}

const isRun = (event: unknown) => (event as { type: string }).type === "run";

test("what a worker says reaches an open page, and nothing that is no event does", async () => {
  const events = await listenUntil(
    (seen) => seen.some(isRun),
    async () => {
      await sql`SELECT pg_notify('porchlight', 'no json'), pg_notify('porchlight', '{"type":"secret"}')`.execute(
        porchlight.db,
      );
      await notifyPages(porchlight.db, { type: "run", runId: 3, notificationId: 7 });
    },
  );
  expect(events.filter(isRun)).toEqual([{ type: "run", notificationId: 7, progress: null }]);
  expect(events).not.toContainEqual({ type: "secret" });
});

test.each(["notifications", "schedules", "templates", "providers", "settings", "people"] as const)(
  "news of %s reach an open page",
  async (type) => {
    const told = (event: unknown) => (event as { type: string }).type === type;
    const events = await listenUntil(
      (seen) => seen.some(told),
      () => notifyPages(porchlight.db, { type }),
    );
    expect(events).toContainEqual({ type });
  },
);

test("a stream repeats what happened while the page read its data", async () => {
  const told = (id: number) => notifyPages(porchlight.db, { type: "run", runId: id, notificationId: id });
  const idsOf = (events: unknown[]) =>
    events.filter(isRun).map((event) => (event as { notificationId: number }).notificationId);
  const hear = (ids: number[], since: number) =>
    listenUntil(
      (seen) => ids.every((id) => idsOf(seen).includes(id)),
      () => told(ids.at(-1) ?? 0),
      { since },
    );
  await hear([201], 0);
  await hear([202], 0);
  const repeated = await hear([201, 202, 203], EVENTS_KEPT_MS);
  expect(idsOf(repeated).filter((id) => id === 201 || id === 202)).toHaveLength(2);
  expect(idsOf(await hear([204], 0))).toEqual([204]);

  // Of many runs a page reads its lists anew, because each run's figures are a query.
  for (let id = 301; id <= 311; id += 1) await told(id);
  await hear([312], 0);
  const lists = await listenUntil(
    (seen) => seen.some((event) => (event as { type: string }).type === "notifications"),
    async () => undefined,
    { since: EVENTS_KEPT_MS },
  );
  expect(idsOf(lists)).toEqual([]);
});

test("every change of people, groups and blocked addresses is told once, however many rows it has", async () => {
  const heard: string[] = [];
  let connected = () => {};
  const ready = new Promise<void>((resolve) => (connected = resolve));
  const onMessage = (payload: string) => heard.push(payload);
  const witness = listen(porchlight.url, PAGES_CHANNEL, { onMessage, onConnected: connected });
  try {
    await ready;
    for (const change of [
      sql`INSERT INTO users (username, first_name, last_name, role)
          SELECT 'many' || n, 'Ann', 'Many', 'tenant' FROM generate_series(1, 500) n`,
      sql`UPDATE users SET channels = 0 WHERE last_name = 'Many'`,
      sql`INSERT INTO user_groups (name) VALUES ('Heard of')`,
      sql`INSERT INTO group_members (group_id, user_id) SELECT g.id, u.id FROM user_groups g, users u
          WHERE g.name = 'Heard of' AND u.last_name = 'Many'`,
      sql`INSERT INTO suppressions (channel, address, reason, source) VALUES ('email', 'a@b.example', 'x', 'console')`,
    ]) {
      heard.length = 0;
      await change.execute(porchlight.db);
      await until(() => expect(heard).toEqual(['{"type":"people"}']));
    }
    heard.length = 0;
    await sql`UPDATE users SET failures_seen_at = now()`.execute(porchlight.db);
    await notifyPages(porchlight.db, { type: "providers" });
    await until(() => expect(heard).toEqual(['{"type":"providers"}']));
  } finally {
    await witness.stop();
  }
});

test("a run's events carry its state, as its page would read it", async () => {
  await insertPerson(porchlight.db);
  const body = { title: "Told", message: "x", recipients: "All Tenants", channels: ["email"] };
  const sent = await porchlight.call({ method: "POST", url: "/api/send-notification", body }, staff);
  const { id } = sent.json();
  await fanOutSome(porchlight.db);
  const events = await listenUntil(
    (seen) => seen.some(isRun),
    () => notifyPages(porchlight.db, { type: "run", runId: 1, notificationId: id }),
  );
  const detail = await porchlight.call({ method: "GET", url: `/api/notifications/${id}` }, staff);
  expect(serverEvent.parse(events.find(isRun))).toEqual({
    type: "run",
    notificationId: id,
    progress: detail.json().progress,
  });
});

test("a run's state is only read while someone listens, and once for all listeners", async () => {
  const asked: number[] = [];
  const hub = eventHub({
    listenUrl: porchlight.url,
    progressOf: (id) => {
      asked.push(id);
      return Promise.reject(new Error("away"));
    },
    onError: () => undefined,
  });
  const app = fastify();
  app.get("/", (_, reply) => hub.subscribe(reply, { session: "one", allowed: async () => true }));
  app.addHook("preClose", () => hub.stop());
  const at = await app.listen({ port: 0, host: "127.0.0.1" });
  const heard: string[] = [];
  const witness = listen(porchlight.url, PAGES_CHANNEL, { onMessage: (payload) => heard.push(payload) });
  try {
    await listening(porchlight, 3);
    await notifyPages(porchlight.db, { type: "run", runId: 1, notificationId: 1 });
    await until(() => expect(heard).toHaveLength(1));
    expect(asked).toEqual([]);
    const pages = await Promise.all([fetch(at), fetch(at), fetch(at)]);
    await notifyPages(porchlight.db, { type: "run", runId: 2, notificationId: 2 });
    for (const page of pages) await readUntil(page, '"notificationId":2,"progress":null');
    expect(asked).toEqual([2]);
  } finally {
    await witness.stop();
    await app.close();
  }
});

async function readUntil(page: Response, text: string): Promise<void> {
  let read = "";
  for await (const chunk of page.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    read += chunk;
    if (read.includes(text)) return;
  }
}

test("a run that settles often reaches the page seldom, and the last word arrives", async () => {
  const of = (id: number) => (event: unknown) => (event as { notificationId?: number }).notificationId === id;
  const events = await listenUntil(
    // The other run was named last: whatever is told of the first one at once has come before it.
    (seen) => seen.some(of(102)) && seen.filter(of(101)).length >= 2,
    () =>
      notifyPages(
        porchlight.db,
        ...Array.from({ length: 200 }, (_, n) => ({ type: "run" as const, runId: n, notificationId: 101 })),
        { type: "run", runId: 999, notificationId: 102 },
      ),
  );
  expect(events.filter(of(101)).length).toBeLessThan(20);
});

test("when its database connection is back, the stream says that anything may have changed", async () => {
  const events = await listenUntil(
    (seen) => seen.some((event) => (event as { type: string }).type === "reconnected"),
    () => loseTheListener(porchlight.db),
  );
  expect(events).toContainEqual({ type: "reconnected" });
});

test.each([
  ["becomes a tenant", "UPDATE users SET role = 'tenant' WHERE id = "],
  ["is removed", "UPDATE users SET deleted_at = now() WHERE id = "],
  ["is signed out", "DELETE FROM sessions WHERE user_id = "],
])("the stream of somebody who %s ends by itself", async (_, change) => {
  const other = await porchlight.signedIn("staff");
  const reply = await fetch(`${address}/api/events`, { headers: { cookie: other.cookie } });
  await sql`${sql.raw(change)} ${other.userId}`.execute(porchlight.db);
  // Reads to the end: an open stream has none, and the test would not end either.
  expect(await reply.text()).toContain("retry:");
});

describe("with a heartbeat that never comes", () => {
  let patient: TestApp;
  let at: string;
  beforeAll(async () => {
    patient = await testApp({ heartbeatMs: 1_000_000 });
    at = await patient.app.listen({ port: 0, host: "127.0.0.1" });
    await listening(patient, 1);
  });
  afterAll(() => patient.close());
  const open = (as: Caller) => fetch(`${at}/api/events`, { headers: { cookie: as.cookie } });

  test("a stream ends with its session, and only that one", async () => {
    const [leaving, staying] = [await patient.signedIn("staff"), await patient.signedIn("staff")];
    const [ended, kept] = [await open(leaving), await open(staying)];
    await sql`DELETE FROM sessions WHERE user_id = ${leaving.userId}`.execute(patient.db);
    expect(await ended.text()).toContain("retry:");
    await notifyPages(patient.db, { type: "run", runId: 5, notificationId: 5 });
    await readUntil(kept, '"notificationId":5');
  });

  test("a stream ends whose session ended while no one listened", async () => {
    const leaving = await patient.signedIn("staff");
    const ended = await open(leaving);
    await loseTheListener(patient.db);
    await sql`DELETE FROM sessions WHERE user_id = ${leaving.userId}`.execute(patient.db);
    expect(await ended.text()).toContain("retry:");
    await listening(patient, 1);
  });

  test("of one session's too many streams the oldest ends", async () => {
    const caller = await patient.signedIn("staff");
    const streams: Response[] = [];
    for (let n = 0; n < 21; n++) streams.push(await open(caller));
    expect(await streams[0]?.text()).toContain("retry:");
    await notifyPages(patient.db, { type: "run", runId: 6, notificationId: 6 });
    for (const kept of streams.slice(1)) await readUntil(kept, '"notificationId":6');
  });
});

test("a page that does not read is cut off instead of filling the memory", async () => {
  const hub = eventHub({
    listenUrl: porchlight.url,
    // More than what the system itself keeps for a slow reader.
    progressOf: async () => ({ figures: "x".repeat(4_000_000) }) as unknown as RunProgress,
    onError: () => undefined,
  });
  const app = fastify();
  app.get("/", (_, reply) => hub.subscribe(reply, { session: "one", allowed: async () => true }));
  app.addHook("preClose", () => hub.stop());
  const at = await app.listen({ port: 0, host: "127.0.0.1" });
  try {
    await listening(porchlight, 2);
    const [reply] = (await once(get(at), "response")) as [IncomingMessage];
    const cut = once(reply, "close").catch(() => undefined);
    for (let id = 1; id <= 5; id++) {
      await notifyPages(porchlight.db, { type: "run", runId: id, notificationId: id });
    }
    // Reads only now: had the server kept all of it, there would be no end.
    reply.on("error", () => undefined).resume();
    await expect(cut.then(() => "cut")).resolves.toBe("cut");
  } finally {
    await app.close();
  }
});
