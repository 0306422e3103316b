import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tellPages } from "#server/delivery/hints.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";
import { until } from "#server/testing/until.ts";

let porchlight: TestApp;
let staff: Caller;
let address: string;

beforeAll(async () => {
  porchlight = await testApp({ heartbeatMs: 50 });
  staff = await porchlight.signedIn("staff");
  address = await porchlight.app.listen({ port: 0, host: "127.0.0.1" });
  // What is said before it listens is lost, and only the next connection makes good for it.
  await until(async () => {
    const listening = await sql`SELECT FROM pg_stat_activity WHERE application_name = 'porchlight listener'
      AND datname = current_database() AND state = 'idle' AND query LIKE 'LISTEN%'`.execute(porchlight.db);
    if (listening.rows.length === 0) throw new Error("nobody listens yet");
  });
});
afterAll(() => porchlight.close());

/** Opens the stream and reads until `enough` says so; returns the events. */
async function listenUntil(
  enough: (events: unknown[]) => boolean,
  whileOpen: () => Promise<unknown>,
): Promise<unknown[]> {
  const abort = new AbortController();
  const reply = await fetch(`${address}/api/events`, {
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
      await tellPages(porchlight.db, { type: "run", runId: 3, notificationId: 7 });
    },
  );
  expect(events.filter(isRun)).toEqual([{ type: "run", notificationId: 7 }]);
  expect(events).not.toContainEqual({ type: "secret" });
});

test("a run that settles often reaches the page seldom, and the last word arrives", async () => {
  const of = (id: number) => (event: unknown) => (event as { notificationId?: number }).notificationId === id;
  const events = await listenUntil(
    // The other run was named last: whatever is told of the first one at once has come before it.
    (seen) => seen.some(of(2)) && seen.filter(of(1)).length >= 2,
    () =>
      tellPages(
        porchlight.db,
        ...Array.from({ length: 200 }, (_, n) => ({ type: "run" as const, runId: n, notificationId: 1 })),
        { type: "run", runId: 999, notificationId: 2 },
      ),
  );
  expect(events.filter(of(1)).length).toBeLessThan(20);
});

test("the stream comes back when its database connection is lost", async () => {
  const events = await listenUntil(
    (seen) => seen.filter((event) => !isRun(event)).length >= 1,
    () =>
      sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE application_name = 'porchlight listener' AND datname = current_database()`.execute(
        porchlight.db,
      ),
  );
  expect(events.at(-1)).toEqual({ type: "notifications" });
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
