import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tellPages } from "#server/delivery/hints.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let staff: Caller;
let address: string;

beforeAll(async () => {
  porchlight = await testApp({ heartbeatMs: 50 });
  staff = await porchlight.signedIn("staff");
  address = await porchlight.app.listen({ port: 0, host: "127.0.0.1" });
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
  const events = await listenUntil(
    (seen) => seen.filter(isRun).length >= 2,
    async () => {
      for (let n = 0; n < 200; n += 1)
        await tellPages(porchlight.db, { type: "run", runId: 1, notificationId: 1 });
    },
  );
  expect(events.filter(isRun).length).toBeLessThan(20);
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
