import { setTimeout as sleep } from "node:timers/promises";
import { sql, type KyselyPlugin } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { refusing } from "#server/testing/refusing.ts";
import { until } from "#server/testing/until.ts";
import { startRun } from "../runs/start-run.ts";
import { statuses } from "../testing/run-totals.ts";
import { withEngines } from "../testing/engine.ts";
import { ACCEPTED, adapterFor, FakeTransport } from "../testing/fake-transport.ts";
import { accountFor, linksFor, quiet } from "../testing/quick-worker.ts";
import {
  addNotification,
  addPeople,
  addPerson,
  dependencies,
  fanOutAll,
  notificationStatus,
  send,
} from "../testing/scene.ts";

/** Faults that a worker lives through: what it held is neither lost nor sent twice. */

const engine = withEngines();

const ends = (notificationId: number, status: string) =>
  until(async () => expect(await notificationStatus(engine.db, notificationId)).toBe(status));

/** Each message takes a moment, so that some are on the wire whenever something happens. */
const unhurried = () =>
  new FakeTransport({
    behavior: () => new Promise((resolve) => setTimeout(() => resolve(ACCEPTED), 20)),
  });

/** Of each claim that took something, committed as it is, decides whether its answer arrives. */
function losingClaims(isLost: (claim: number) => boolean): KyselyPlugin {
  let claims = 0;
  return {
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => {
      const claimed = result.rows.some((row) => row["preferencesToken"] && row["status"] === "sending");
      if (claimed && isLost((claims += 1))) return Promise.reject(new Error("connection reset"));
      return Promise.resolve(result);
    },
  };
}

test("what was claimed by a claim whose answer never came goes out, and what is on the wire only once", async () => {
  await addPeople(engine.db, 60);
  const transport = unhurried();
  const lossy = engine.db.withPlugin(losingClaims((claim) => claim === 2));
  await engine.start(transport, { db: lossy });
  const { runId, notificationId } = await send(engine.db);
  await ends(notificationId, "Delivered");
  expect(await statuses(engine.db, runId)).toEqual({ accepted: 60 });
  expect(new Set(transport.received.map(({ deliveryId }) => deliveryId)).size).toBe(60);
  expect(transport.received).toHaveLength(60);
  const events = await engine.db.selectFrom("delivery_events").select("kind").execute();
  expect(events.map(({ kind }) => kind)).toContain("taken-over");
});

test("a fault between claim and send ends the session and loses nothing", async () => {
  await addPeople(engine.db, 30);
  let faults = 0;
  const transport = unhurried();
  await engine.start(transport, {
    linksFor: (token) => {
      faults += 1;
      if (faults === 3) throw new Error("a fault of ours");
      return linksFor(token);
    },
  });
  const { notificationId } = await send(engine.db);
  await ends(notificationId, "Delivered");
  expect(new Set(transport.received.map(({ deliveryId }) => deliveryId)).size).toBe(30);
  expect(transport.received).toHaveLength(30);
});

test("where a one-time link cannot be made, its run waits a moment, at no cost, and alone", async () => {
  const { db } = engine;
  await addPerson(db);
  const plain = await send(db);
  const notificationId = await addNotification(db, { content: "Here: {{one_time_link}}" });
  await sql`UPDATE notifications SET kind = 'credentials' WHERE id = ${notificationId}`.execute(db);
  await startRun(db, notificationId, dependencies);
  // So that one claim takes both.
  await fanOutAll(db);
  const statusWhenAsked: string[] = [];
  const transport = new FakeTransport();
  await engine.start(transport, {
    mintOneTimeLinks: async (ids) => {
      statusWhenAsked.push(await notificationStatus(db, plain.notificationId));
      if (statusWhenAsked.length === 1) throw new Error("a fault of ours");
      return new Map(
        ids.map((id) => [id, { url: `https://maple.example/set-password/${id}`, expires: "Friday" }]),
      );
    },
  });
  await ends(notificationId, "Delivered");
  expect(statusWhenAsked).toEqual(["Sending", "Delivered"]);
  expect(transport.received.map(({ links }) => links.password !== undefined)).toEqual([false, true]);
  const rows = await db
    .selectFrom("deliveries")
    .select(["attempts", "failures", "lost_leases"])
    .where("status", "=", "accepted")
    .execute();
  expect(rows).toEqual([1, 2].map(() => ({ attempts: 1, failures: 0, lost_leases: 0 })));
});

test("a transport that never reports is given up: its message is in doubt, what it had not begun goes back", async () => {
  await addPeople(engine.db, 2);
  const received: number[] = [];
  const transport = new FakeTransport({
    concurrency: 1,
    behavior: ({ deliveryId }) => {
      received.push(deliveryId);
      return new Promise(() => undefined);
    },
  });
  const offers = vi.spyOn(transport, "send");
  const worker = await engine.start(transport);
  const { runId } = await send(engine.db);
  await until(() => expect(received).toHaveLength(1));
  await until(async () => expect(await statuses(engine.db, runId)).toEqual({ sending: 2 }));
  timeFlies();
  await until(async () => expect(await statuses(engine.db, runId)).toMatchObject({ uncertain: 1 }));
  // The hanging call is given up as well: what waits in it is claimed and offered again, long before the stop.
  await until(() => {
    const offered = offers.mock.calls.flatMap(([messages]) => messages.map(({ deliveryId }) => deliveryId));
    expect(offered.filter((id) => id !== received[0]).length).toBeGreaterThan(1);
  });
  // A later call waits behind the same connection, and the stop does not wait for it.
  await worker.stop();
  expect(await statuses(engine.db, runId)).toEqual({ uncertain: 1, queued: 1 });
  expect(received).toHaveLength(1);
});

test("an account whose transport hangs gets a new one, and goes on", async () => {
  const { db } = engine;
  await addPeople(db, 3);
  const opened: FakeTransport[] = [];
  const open = () => {
    const transport = new FakeTransport({
      concurrency: 2,
      behavior: () => (opened.length === 1 ? new Promise<never>(() => undefined) : ACCEPTED),
    });
    opened.push(transport);
    return transport;
  };
  const errors: unknown[] = [];
  const account = accountFor(new FakeTransport());
  await engine.start([{ ...account, adapter: { ...account.adapter, open } }], {
    adapters: [adapterFor(new FakeTransport({ kind: "sandbox" }))],
    log: { ...quiet, error: ({ err }) => errors.push(err) },
  });
  const { runId } = await send(db);
  await until(async () => expect(await statuses(db, runId)).toEqual({ sending: 3 }));
  timeFlies();
  await until(async () => expect(await statuses(db, runId)).toEqual({ uncertain: 2, accepted: 1 }));
  expect(opened).toHaveLength(2);
  expect(errors).toContainEqual(expect.objectContaining({ message: expect.stringContaining("hung") }));
});

test("a transport that reports a long message's progress is not given up, however long it takes", async () => {
  await addPeople(engine.db, 1);
  const transport = new FakeTransport();
  vi.spyOn(transport, "send").mockImplementation(async ([message], progress) => {
    await progress.begun?.(message!);
    for (let step = 0; step < 30; step += 1) {
      await sleep(30);
      progress.advanced?.(message!);
    }
    await progress.settled(message!, ACCEPTED);
  });
  timeFlies();
  await engine.start(transport);
  const { runId, notificationId } = await send(engine.db);
  await ends(notificationId, "Delivered");
  expect(await statuses(engine.db, runId)).toEqual({ accepted: 1 });
});

test.each([
  " WHERE lease_until > ",
  "ended FROM worker_journal j",
  "SELECT FROM refused_contents",
  "FROM resends s WHERE s.run_id = r.id",
])("a duty that keeps failing (%s) stops no other", async (statement) => {
  const { db } = engine;
  await addPeople(db, 20);
  const { runId } = await send(db);
  await fanOutAll(db);
  await sql`UPDATE runs SET state = 'cancelled'`.execute(db);
  const failed: unknown[] = [];
  const log = { ...quiet, error: (fields: Record<string, unknown>) => failed.push(fields["err"]) };
  await engine.start([], { db: refusing(db, statement), log });
  await until(async () => {
    expect(await statuses(db, runId)).toEqual({ cancelled: 20 });
    expect((await sql`SELECT FROM open_cancellations`.execute(db)).rows).toEqual([]);
    expect(failed).not.toEqual([]);
  });
});

/** From now on ten seconds pass in a twentieth of one, as far as this process measures time. */
function timeFlies(): void {
  let passed = 0;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + passed);
  const time = setInterval(() => (passed += 10_000), 50);
  onTestFinished(() => clearInterval(time));
}
