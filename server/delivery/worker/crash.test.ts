import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { timelineOf } from "#server/activity/timeline.ts";
import { connect } from "#server/db/database.ts";
import { recount, statuses } from "../testing/run-totals.ts";
import { refusing } from "#server/testing/refusing.ts";
import { until } from "#server/testing/until.ts";
import { withEngines } from "../testing/engine.ts";
import { ACCEPTED, FakeTransport } from "../testing/fake-transport.ts";
import {
  addPeople,
  addPerson,
  claimSome,
  fanOutAll,
  notificationStatus,
  send,
  type Started,
} from "../testing/scene.ts";
import { servingAccounts, recordAccounts } from "../accounts/accounts.ts";
import { openTransports } from "../accounts/open-transports.ts";
import { accountFor, shortLease } from "../testing/quick-worker.ts";
import type { Claimed } from "./claim.ts";
import { cancelRun } from "../runs/cancel-run.ts";
import { takeLease } from "./worker-session.ts";
import { writeJournal } from "./journal.ts";
import { OutcomeWriter } from "./outcome-writer.ts";
import { reapDeadWorkers } from "./reap.ts";
import { decideUnconfirmed } from "./unconfirmed.ts";
import { record, type Change } from "./record.ts";

const engine = withEngines();

const transport = new FakeTransport();
const transports = openTransports([accountFor(transport)], []);
const reap = (among = transports) => reapDeadWorkers(engine.db, among, () => 0);
const endLeases = () => sql`UPDATE workers SET lease_until = now()`.execute(engine.db);
const passTime = () => sql`UPDATE deliveries SET due_at = now()`.execute(engine.db);

/** A run whose deliveries a worker has claimed, step by step instead of by its loops. */
async function claimed(people = 1, options: Parameters<typeof send>[1] = {}) {
  const { db } = engine;
  await addPeople(db, people);
  await recordAccounts(db, [accountFor(transport)]);
  await sql`UPDATE accounts SET state = 'ok' WHERE kind = 'fake'`.execute(db);
  const started = await send(db, options);
  await fanOutAll(db);
  return { ...started, ...(await claimAgain()) };
}

async function claimAgain(
  which: "any" | "suspects" = "any",
): Promise<{ token: number; deliveries: Claimed[] }> {
  const token = await takeLease(engine.db, "test", 30);
  const account = (await servingAccounts(engine.db)).find(({ channel }) => channel === "email")!;
  return { token, deliveries: await claimSome(engine.db, { token, account, limit: 1000, which }) };
}

/** It is about to be sent, and the journal says so. */
const begin = (token: number, ...begins: readonly Claimed[]) =>
  writeJournal(engine.db, token, { begins }).then((entry) => entry?.begun ?? []);

const accepted = (delivery: Claimed, token: number): Change => ({
  id: delivery.id,
  token,
  claim: delivery.claim,
  was: "sending",
  begun: true,
  status: "accepted",
  reason: null,
  detail: null,
  delayMs: null,
  attempt: { accountId: 1, outcome: "accepted", code: null, words: null },
});

async function only() {
  return engine.db.selectFrom("deliveries").selectAll().executeTakeFirstOrThrow();
}

test("died between claim and send: it goes again, at no cost, and the timeline knows", async () => {
  await claimed();
  expect(await reap()).toEqual([]);
  await endLeases();
  expect(await reap()).toHaveLength(1);
  expect(await only()).toMatchObject({
    status: "queued",
    reason: "handed-back",
    attempts: 0,
    failures: 0,
    lost_leases: 1,
  });
  expect(await engine.db.selectFrom("delivery_events").select("kind").execute()).toEqual([
    { kind: "taken-over" },
  ]);
  expect((await claimAgain()).deliveries).toHaveLength(1);
});

test("all that a dead worker held is taken over at once", async () => {
  const { runId } = await claimed(501);
  await endLeases();
  expect(await reap()).toHaveLength(501);
  expect(await statuses(engine.db, runId)).toEqual({ queued: 501 });
});

test("died in the middle of a send: nothing is repeated before its answer had time to arrive", async () => {
  const { token, deliveries } = await claimed();
  await begin(token, deliveries[0]!);
  await endLeases();
  await reap();
  expect(await only()).toMatchObject({
    status: "uncertain",
    reason: "unconfirmed",
    attempts: 1,
    unconfirmed: 1,
    begun_at: expect.any(Date),
  });
  expect((await claimAgain()).deliveries).toEqual([]);
  expect(await decideUnconfirmed(engine.db, transports)).toEqual([]);
  expect(await engine.db.selectFrom("attempts").select(["outcome", "code"]).execute()).toEqual([
    { outcome: "uncertain", code: "process_ended" },
  ]);
});

test("an email without an answer goes once more, and is then given up as unconfirmed", async () => {
  const { token, deliveries } = await claimed();
  await begin(token, deliveries[0]!);
  await endLeases();
  await reap();
  await passTime();
  await decideUnconfirmed(engine.db, transports);
  const second = await claimAgain();
  expect(second.deliveries).toMatchObject([{ id: deliveries[0]!.id, attempts: 1, unconfirmed: 1 }]);
  await begin(second.token, second.deliveries[0]!);
  await endLeases();
  await reap();
  expect(await only()).toMatchObject({ status: "failed", reason: "unconfirmed", attempts: 2 });
});

test("a text message without an answer is not repeated, unless it is an emergency", async () => {
  const { db } = engine;
  await addPerson(db);
  for (const messageClass of ["general", "emergency"] as const) {
    const { runId } = await send(db, { channels: ["sms"], class: messageClass });
    await fanOutAll(db);
    await sql`UPDATE deliveries SET due_at = now(), lease_token = 1, status = 'uncertain', reason = 'unconfirmed'
      WHERE run_id = ${runId}`.execute(db);
    await recount(db);
    await decideUnconfirmed(db, transports);
    expect(await statuses(db, runId)).toEqual(messageClass === "emergency" ? { queued: 1 } : { failed: 1 });
    const { id } = await db
      .selectFrom("deliveries")
      .select("id")
      .where("run_id", "=", runId)
      .executeTakeFirstOrThrow();
    const sentences = (await timelineOf(db, id))!.events.map(({ sentence }) => sentence);
    const repeated = "We got no answer, so we're sending it once more.";
    expect(sentences.includes(repeated)).toBe(messageClass === "emergency");
  }
});

test("messages without an answer are locked in the order in which receipts lock them", async () => {
  const { db } = engine;
  await addPeople(db, 2);
  const { runId } = await send(db);
  await fanOutAll(db);
  // The later one is due first.
  await sql`UPDATE deliveries SET due_at = now() - id % 1000 * interval '1 minute', lease_token = 1,
    status = 'uncertain', reason = 'unconfirmed' WHERE run_id = ${runId}`.execute(db);
  await recount(db);
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM deliveries WHERE run_id = ${runId} ORDER BY id`.execute(db);
  const [first, second] = rows.map(({ id }) => id);
  const { deciding } = await db.transaction().execute(async (tx) => {
    await sql`SELECT FROM deliveries WHERE id = ${first} FOR UPDATE`.execute(tx);
    const deciding = decideUnconfirmed(db, transports);
    await until(async () => {
      const waiting = await sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
      expect(waiting.rows).toHaveLength(1);
    });
    await sql`SELECT FROM deliveries WHERE id = ${second} FOR UPDATE NOWAIT`.execute(tx);
    return { deciding };
  });
  await deciding;
  expect(await statuses(db, runId)).toEqual({ queued: 2 });
});

test("with a provider that recognizes a message by its key, it is sent again at once", async () => {
  const { token, deliveries } = await claimed();
  await begin(token, deliveries[0]!);
  await endLeases();
  const keyed = new FakeTransport({ recovery: "keyed" });
  await reap(openTransports([accountFor(keyed)], []));
  expect(await only()).toMatchObject({ status: "queued", reason: "retrying", failures: 1 });
});

test("died before it could settle, or slept past its lease: what it says afterwards changes nothing", async () => {
  const { token, deliveries } = await claimed(2);
  const [first, second] = deliveries as [Claimed, Claimed];
  await begin(token, first);
  await endLeases();
  await reap();
  expect(await begin(token, second)).toEqual([]);
  const late = [accepted(first, token), { ...accepted(second, token), begun: false }];
  expect(await record(engine.db, late)).toEqual([]);
  const rows = await engine.db.selectFrom("deliveries").select("status").orderBy("id").execute();
  expect(rows).toEqual([{ status: "uncertain" }, { status: "queued" }]);
  expect(await engine.db.selectFrom("attempts").select("n").execute()).toHaveLength(1);
});

test("what a dead worker says of a delivery that another has claimed since changes nothing", async () => {
  const { token, deliveries } = await claimed();
  const [delivery] = deliveries as [Claimed];
  await endLeases();
  await reap();
  const heir = await claimAgain();
  const [inherited] = heir.deliveries as [Claimed];
  expect(await begin(heir.token, inherited)).toEqual([delivery.id]);
  expect(await begin(token, delivery)).toEqual([]);
  expect(await record(engine.db, [accepted(delivery, token)])).toEqual([]);
  expect(await record(engine.db, [accepted(inherited, heir.token)])).toHaveLength(1);
});

test("a worker that takes over waits for what is beginning at that moment, and nothing begins afterwards", async () => {
  const { token, deliveries } = await claimed(2);
  const [first, second] = deliveries as [Claimed, Claimed];
  const taken = await engine.db.transaction().execute(async (tx) => {
    // As if it stood still since: by its clock, the lease is not over.
    await sql`SELECT`.execute(tx);
    await endLeases();
    await writeJournal(tx, token, { begins: [first] });
    const reaping = reap();
    await until(async () => {
      const waiting = await sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(engine.db);
      expect(waiting.rows).toHaveLength(1);
    });
    return { reaping };
  });
  await taken.reaping;
  expect(await begin(token, second)).toEqual([]);
  const rows = await engine.db.selectFrom("deliveries").select("status").orderBy("id").execute();
  expect(rows).toEqual([{ status: "uncertain" }, { status: "queued" }]);
});

test("died before it settled what its journal says has ended: that is what is on record", async () => {
  const { token, deliveries } = await claimed(3);
  const [first, second, third] = deliveries as [Claimed, Claimed, Claimed];
  await begin(token, first, second);
  const refused = { ...accepted(second, token), status: "failed", reason: "refused" } as const;
  await writeJournal(engine.db, token, { begins: [third], ended: [accepted(first, token), refused] });
  await endLeases();
  await reap();
  const rows = await engine.db
    .selectFrom("deliveries")
    .select(["status", "attempts"])
    .orderBy("id")
    .execute();
  expect(rows).toEqual([
    { status: "accepted", attempts: 1 },
    { status: "failed", attempts: 1 },
    { status: "uncertain", attempts: 1 },
  ]);
  expect(await engine.db.selectFrom("worker_journal").selectAll().execute()).toEqual([]);
  expect(await engine.db.selectFrom("workers").selectAll().execute()).toEqual([]);
});

test("two workers that take over the same journal settle each of its messages once", async () => {
  const { token, deliveries } = await claimed(3);
  const [first, second, third] = deliveries as [Claimed, Claimed, Claimed];
  await begin(token, first, second);
  await writeJournal(engine.db, token, { begins: [], ended: [accepted(first, token)] });
  await endLeases();
  // Each reads the journal before the other settles it.
  const bothRead = Promise.withResolvers<void>();
  let readers = 0;
  const inStep = engine.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!Object.keys(result.rows[0] ?? {}).includes("ended")) return result;
      readers += 1;
      if (readers === 2) bothRead.resolve();
      await bothRead.promise;
      return result;
    },
  });
  const moved = await Promise.all([1, 2].map(() => reapDeadWorkers(inStep, transports, () => 0)));
  expect(
    moved
      .flat()
      .map(({ id }) => id)
      .toSorted((a, b) => a - b),
  ).toEqual([first.id, second.id, third.id]);
  const rows = await engine.db
    .selectFrom("deliveries")
    .select(["status", "attempts", "lost_leases"])
    .orderBy("id")
    .execute();
  expect(rows).toEqual([
    { status: "accepted", attempts: 1, lost_leases: 0 },
    { status: "uncertain", attempts: 1, lost_leases: 0 },
    { status: "queued", attempts: 0, lost_leases: 1 },
  ]);
  expect(await engine.db.selectFrom("worker_journal").selectAll().execute()).toEqual([]);
});

test("what a worker couldn't settle before it stopped is settled by those who take over", async () => {
  await addPeople(engine.db, 3);
  const transport = new FakeTransport({ concurrency: 1 });
  const unable = refusing(engine.db, "jsonb_to_recordset");
  const worker = await engine.start(transport, { db: unable, times: shortLease });
  await send(engine.db);
  await until(() => expect(transport.received).toHaveLength(3));
  const stopping = worker.stop();
  await endLeases();
  await stopping;
  expect(await engine.db.selectFrom("workers").selectAll().execute()).toEqual([]);
  expect((await only()).status).toBe("sending");
  await reap();
  const rows = await engine.db
    .selectFrom("deliveries")
    .select(["status", "attempts"])
    .orderBy("id")
    .execute();
  // The last answer was to be recorded with the next message.
  expect(rows).toEqual([
    { status: "accepted", attempts: 1 },
    { status: "accepted", attempts: 1 },
    { status: "uncertain", attempts: 1 },
  ]);
  expect(await engine.db.selectFrom("worker_journal").selectAll().execute()).toEqual([]);
});

test("cancelling and taking over, which wait for the same workers, don't wait for each other", async () => {
  const { db } = engine;
  const { token: one, deliveries, notificationId } = await claimed();
  const two = await takeLease(db, "test", 30);
  const writing = await Promise.all([1, 2].map(() => db.startTransaction().execute()));
  // As if they stood still since: by their clocks, the leases are not over.
  for (const tx of writing) await sql`SELECT`.execute(tx);
  await endLeases();
  // Stored in the other order, in which they would be locked without being sorted.
  await until(async () => {
    await sql`UPDATE workers SET name = name WHERE token = ${one}`.execute(db);
    const stored = await sql<{ token: number }>`SELECT token FROM workers ORDER BY ctid`.execute(db);
    expect(stored.rows.map(({ token }) => token)).toEqual([two, one]);
  });
  await writeJournal(writing[0]!, one, { begins: deliveries });
  await writeJournal(writing[1]!, two, { begins: [] });
  const bothWait = () =>
    until(async () => {
      const waiting = await sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
      expect(waiting.rows).toHaveLength(2);
    });
  const ending = Promise.all([cancelRun(db, notificationId), reap()]);
  await bothWait();
  await writing[1]!.commit().execute();
  await bothWait();
  await writing[0]!.commit().execute();
  await ending;
  expect((await only()).status).toBe("uncertain");
});

test("what is open while the rest of a journal is settled is still known to have begun, and later and other entries stay", async () => {
  const { token, deliveries } = await claimed(3);
  const [first, second, third] = deliveries as [Claimed, Claimed, Claimed];
  const another = await takeLease(engine.db, "test", 30);
  await writeJournal(engine.db, another, { begins: [] });
  const { entry: upTo, at } = (await writeJournal(engine.db, token, { begins: [first, second] }))!;
  await begin(token, third);
  await record(engine.db, [accepted(first, token)], { token, after: 0, upTo, open: [{ ...second, at }] });
  const left = await engine.db
    .selectFrom("worker_journal")
    .select(["token", "begun"])
    .orderBy("id")
    .execute();
  expect(left).toEqual([
    { token: another, begun: [] },
    { token, begun: [third.id] },
  ]);
  await endLeases();
  await reap();
  const rows = await engine.db.selectFrom("deliveries").select("status").orderBy("id").execute();
  expect(rows).toEqual([{ status: "accepted" }, { status: "uncertain" }, { status: "uncertain" }]);
});

test("what a journal says of an earlier claim changes nothing about a later one", async () => {
  const { token, deliveries } = await claimed();
  const [first] = deliveries as [Claimed];
  await begin(token, first);
  const deferred = { ...accepted(first, token), status: "queued", reason: "retrying" } as const;
  await record(engine.db, [deferred]);
  const account = (await servingAccounts(engine.db)).find(({ channel }) => channel === "email")!;
  const [second] = await claimSome(engine.db, { token, account, limit: 1, which: "any" });
  await writeJournal(engine.db, token, { begins: [second!], ended: [deferred] });
  await endLeases();
  await reap();
  expect(await only()).toMatchObject({ status: "uncertain", attempts: 2, failures: 0 });
});

test("a hand-back whose commit went unheard is repeated without harm to the next try", async () => {
  const { token, deliveries } = await claimed();
  const handedBack = { ...accepted(deliveries[0]!, token), begun: false, status: "queued" } as const;
  expect(await record(engine.db, [handedBack])).toHaveLength(1);
  const account = (await servingAccounts(engine.db)).find(({ channel }) => channel === "email")!;
  const [again] = await claimSome(engine.db, { token, account, limit: 1, which: "any" });
  await begin(token, again!);
  expect(await record(engine.db, [handedBack])).toEqual([]);
  expect((await only()).status).toBe("sending");
  // Nor does an open message of the earlier claim mark the later one as begun.
  await record(engine.db, [], { token, after: 0, upTo: 0, open: [{ ...deliveries[0]!, at: new Date() }] });
  expect((await only()).begun_at).toBeNull();
});

test("an entry that was written twice, because its answer was lost, counts once", async () => {
  const { token, deliveries } = await claimed(2);
  const [first, second] = deliveries as [Claimed, Claimed];
  await begin(token, first);
  const entry = { begins: [second], ended: [accepted(first, token)] };
  await writeJournal(engine.db, token, entry);
  await writeJournal(engine.db, token, entry);
  await endLeases();
  await reap();
  const rows = await engine.db
    .selectFrom("deliveries")
    .select(["status", "attempts"])
    .orderBy("id")
    .execute();
  expect(rows).toEqual([
    { status: "accepted", attempts: 1 },
    { status: "uncertain", attempts: 1 },
  ]);
});

test("what a provider said is kept however odd, also when only the journal has it", async () => {
  const { token, deliveries } = await claimed();
  await begin(token, deliveries[0]!);
  const words = `no${String.fromCharCode(0, 0xd800)}!`;
  const odd = { accountId: 1, outcome: "accepted", code: null, words } as const;
  await writeJournal(engine.db, token, {
    begins: [],
    ended: [{ ...accepted(deliveries[0]!, token), attempt: odd }],
  });
  await endLeases();
  await reap();
  const tried = await engine.db.selectFrom("attempts").select("detail").executeTakeFirstOrThrow();
  expect(tried.detail).toMatch(/^no.*!$/);
});

test("what can't be settled of a journal is reported and in doubt, and others are taken over", async () => {
  const bad = await claimed();
  await begin(bad.token, bad.deliveries[0]!);
  const unknown = { ...accepted(bad.deliveries[0]!, bad.token), status: "unheard-of" as "accepted" };
  await writeJournal(engine.db, bad.token, { begins: [], ended: [unknown] });
  await send(engine.db);
  await fanOutAll(engine.db);
  const good = await claimAgain();
  await begin(good.token, good.deliveries[0]!);
  await endLeases();
  const errors: unknown[] = [];
  await reapDeadWorkers(
    engine.db,
    transports,
    () => 0,
    (error) => errors.push(error),
  );
  // What the database said, and which delivery it is about.
  expect(errors.map(String)).toEqual([
    expect.stringContaining("deliveries_status"),
    `Error: The outcome of delivery ${bad.deliveries[0]!.id} can't be stored`,
  ]);
  const rows = await engine.db.selectFrom("deliveries").select("status").orderBy("id").execute();
  expect(rows).toEqual([{ status: "uncertain" }, { status: "uncertain" }]);
});

test("an outcome written twice counts once", async () => {
  const { token, deliveries, runId } = await claimed();
  await begin(token, deliveries[0]!);
  const change = accepted(deliveries[0]!, token);
  expect(await record(engine.db, [change, change])).toHaveLength(1);
  expect(await record(engine.db, [change])).toEqual([]);
  expect(await statuses(engine.db, runId)).toEqual({ accepted: 1 });
});

test("whose lease has run out claims nothing", async () => {
  await claimed();
  const account = (await servingAccounts(engine.db)).find(({ channel }) => channel === "email")!;
  const token = await takeLease(engine.db, "test", -1);
  await sql`UPDATE deliveries SET status = 'queued'`.execute(engine.db);
  expect(await claimSome(engine.db, { token, account, limit: 10, which: "any" })).toEqual([]);
  await sql`UPDATE deliveries SET status = 'sending'`.execute(engine.db);
});

test("a delivery that its process died with three times waits and goes again, and only its time limit gives it up", async () => {
  const { runId } = await claimed(3);
  for (let died = 1; died <= 2; died += 1) {
    await endLeases();
    await reap();
    if (died < 2) await claimAgain();
  }
  // Now each is a suspect: none is claimed together with others anymore.
  expect((await claimAgain()).deliveries).toEqual([]);
  const account = (await servingAccounts(engine.db)).find(({ channel }) => channel === "email")!;
  const token = await takeLease(engine.db, "test", 30);
  const [alone] = await claimSome(engine.db, { token, account, limit: 1, which: "suspects" });
  await endLeases();
  await reapDeadWorkers(engine.db, transports, () => 1);
  const row = () =>
    engine.db.selectFrom("deliveries").selectAll().where("id", "=", alone!.id).executeTakeFirstOrThrow();
  const waiting = await row();
  expect(waiting).toMatchObject({ status: "queued", reason: "handed-back", lost_leases: 3, attempts: 0 });
  expect(waiting.due_at.getTime()).toBeGreaterThan(waiting.updated_at.getTime());
  expect(await statuses(engine.db, runId)).toEqual({ queued: 3 });

  await sql`UPDATE deliveries SET due_at = now(), expires_at = now() WHERE id = ${alone!.id}`.execute(
    engine.db,
  );
  await claimSome(engine.db, {
    token: await takeLease(engine.db, "test", 30),
    account,
    limit: 3,
    which: "suspects",
  });
  expect(await row()).toMatchObject({ status: "expired" });
});

test("suspects are sent one by one, while the process holds nothing else but emergencies", async () => {
  const { db } = engine;
  await addPeople(db, 40);
  const { runId, notificationId } = await send(db, { channels: ["email", "sms"] });
  await fanOutAll(db);
  const { rows } = await sql<{ id: number }>`
    UPDATE deliveries SET lost_leases = 2 WHERE run_id = ${runId} AND user_id % 10 = 0 RETURNING id`.execute(
    db,
  );
  const suspects = new Set(rows.map(({ id }) => id));
  const onTheWire = new Set<number>();
  let together = 0;
  const transport = new FakeTransport({
    behavior: async ({ deliveryId }) => {
      onTheWire.add(deliveryId);
      if (onTheWire.size > 1 && !suspects.isDisjointFrom(onTheWire)) together += 1;
      await new Promise((resolve) => setTimeout(resolve, 15));
      onTheWire.delete(deliveryId);
      return ACCEPTED;
    },
  });
  await engine.start([accountFor(transport), accountFor(transport, { channel: "sms" })], { adapters: [] });
  await until(async () => expect(await notificationStatus(db, notificationId)).toBe("Delivered"));
  expect([suspects.size, together]).toEqual([8, 0]);
});

test("an emergency does not wait for a suspect that hangs", async () => {
  const { db } = engine;
  await addPeople(db, 1);
  const { runId } = await send(db);
  await fanOutAll(db);
  await sql`UPDATE deliveries SET lost_leases = 2`.execute(db);
  const answer = Promise.withResolvers<typeof ACCEPTED>();
  let first = true;
  const transport = new FakeTransport({
    behavior: () => {
      if (!first) return ACCEPTED;
      first = false;
      return answer.promise;
    },
  });
  await engine.start(transport);
  await until(async () => expect(await statuses(db, runId)).toEqual({ sending: 1 }));
  const urgent = await send(db, { class: "emergency" });
  await until(async () => expect(await notificationStatus(db, urgent.notificationId)).toBe("Delivered"));
  expect(await statuses(db, runId)).toEqual({ sending: 1 });
  answer.resolve(ACCEPTED);
  await until(async () => expect(await statuses(db, runId)).toEqual({ accepted: 1 }));
});

test("a process that stood still after its commit, until others had repeated the message, does not send it", async () => {
  await addPeople(engine.db, 1);
  const transport = new FakeTransport();
  const original = Reflect.get(OutcomeWriter.prototype, "begin");
  const now = performance.now.bind(performance);
  vi.spyOn(OutcomeWriter.prototype, "begin").mockImplementationOnce(async function (
    this: OutcomeWriter,
    delivery,
  ) {
    const ours = await original.call(this, delivery);
    await endLeases();
    await reap();
    await passTime();
    await decideUnconfirmed(engine.db, transports);
    vi.spyOn(performance, "now").mockImplementation(() => now() + 600_000);
    return ours;
  });
  await engine.start(transport, { times: shortLease });
  const { notificationId } = await send(engine.db);
  await until(async () => expect(await notificationStatus(engine.db, notificationId)).toBe("Delivered"));
  expect(transport.received).toHaveLength(1);
});

test("a worker that loses the database begins nothing more; another finishes its work", async () => {
  await addPeople(engine.db, 60);
  const own = connect(engine.url);
  const doomed = new FakeTransport({
    behavior: () => new Promise((resolve) => setTimeout(() => resolve(ACCEPTED), 10)),
  });
  await engine.start(doomed, { db: own, times: shortLease });
  const { runId, notificationId } = await send(engine.db);
  await until(() => expect(doomed.received.length).toBeGreaterThan(5));
  await own.destroy();
  const successor = new FakeTransport();
  await engine.start(successor);
  await finished({ runId, notificationId });
  const twice = doomed.received.length + successor.received.length - 60;
  expect(twice).toBeLessThanOrEqual(doomed.concurrency);
});

test("of a killed process nothing is lost, and at most one message a connection is in doubt", async () => {
  await addPeople(engine.db, 300);
  const heir = new FakeTransport();
  await recordAccounts(engine.db, [accountFor(heir)]);
  await sql`UPDATE accounts SET state = 'ok' WHERE kind = 'fake'`.execute(engine.db);
  const started = await send(engine.db);
  const reached: number[] = [];
  for (let kills = 0; kills < 3; kills += 1) {
    const before = reached.length;
    const child = fork(join(import.meta.dirname, "../testing/doomed-worker.ts"), [engine.url]);
    onTestFinished(() => void child.kill("SIGKILL"));
    child.on("message", (id) => reached.push(Number(id)));
    await until(() => expect(reached.length).toBeGreaterThan(before + 20), 150_000);
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  await engine.start(heir);
  await finished(started);
  // Anyone who takes over says so when it does: only now has each of the three been taken over.
  const { rows } = await sql<{
    doubt: number;
  }>`SELECT count(*)::int AS doubt FROM attempts WHERE code = 'process_ended'`.execute(engine.db);
  const everyone = [...reached, ...heir.received.map(({ deliveryId }) => deliveryId)];
  expect(new Set(everyone).size).toBe(300);
  expect(everyone.length - 300).toBeLessThanOrEqual(3 * heir.concurrency);
  expect(rows[0]!.doubt).toBeLessThanOrEqual(3 * heir.concurrency);
  expect(await statuses(engine.db, started.runId)).toEqual({ accepted: 300 });
}, 180_000);

/** Lets the ten minutes pass that an unanswered email waits. */
async function finished({ notificationId }: Started): Promise<void> {
  await until(async () => {
    await sql`UPDATE deliveries SET due_at = now() WHERE status = 'uncertain'`.execute(engine.db);
    expect(await notificationStatus(engine.db, notificationId)).toBe("Delivered");
  }, 120_000);
}
