import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { channelSet } from "#server/audience/person.ts";
import type { Outcome } from "../transports/transport.ts";
import { statuses } from "../testing/run-totals.ts";
import { until } from "#server/testing/until.ts";
import { quiet } from "../testing/quick-worker.ts";
import { logFields } from "#server/telemetry/signals.ts";
import { withEngines } from "../testing/engine.ts";
import { ACCEPTED, FakeTransport } from "../testing/fake-transport.ts";
import { addPeople, addPerson, fanOutAll, notificationStatus, send } from "../testing/scene.ts";
import { progressOf } from "#server/activity/progress.ts";

const engine = withEngines();

const ends = (notificationId: number, status: string) =>
  until(async () => expect(await notificationStatus(engine.db, notificationId)).toBe(status));

async function attempts(): Promise<{ outcome: string; code: string | null; detail: string | null }[]> {
  return engine.db.selectFrom("attempts").select(["outcome", "code", "detail"]).orderBy("n").execute();
}

async function onlyDelivery() {
  const [only, ...others] = await engine.db.selectFrom("deliveries").selectAll().execute();
  expect(others).toEqual([]);
  return only!;
}

test("a run reaches everyone once, with a row for every try, and ends Delivered", async () => {
  await addPeople(engine.db, 300);
  const transport = new FakeTransport();
  await engine.start(transport);
  const { runId, notificationId } = await send(engine.db);
  await ends(notificationId, "Delivered");
  expect(await statuses(engine.db, runId)).toEqual({ accepted: 300 });
  expect(new Set(transport.received.map(({ deliveryId }) => deliveryId)).size).toBe(300);
  expect(transport.received).toHaveLength(300);
  expect(await attempts()).toHaveLength(300);
  expect((await progressOf(engine.db, [notificationId])).get(notificationId)).toMatchObject({
    state: "finished",
    counts: { accepted: 300, queued: 0, sending: 0 },
    simulated: false,
    secondsLeft: null,
  });
});

test("a transport is given all it needs, and one object for all messages of a run", async () => {
  await addPerson(engine.db, { first_name: "Ann", email: "Ann@Example.com" });
  await addPerson(engine.db, { first_name: "Bob", property: null });
  const transport = new FakeTransport();
  await engine.start(transport);
  const { notificationId } = await send(engine.db, { content: "Hello {{first_name}} of {{property_name}}" });
  await ends(notificationId, "Delivered");
  const [ann, bob] = transport.received.toSorted((a, b) => a.deliveryId - b.deliveryId);
  expect(ann).toMatchObject({
    attempt: 1,
    address: "ann@example.com",
    name: "Ann Lee",
    values: { first_name: "Ann", property_name: "Maple Court", today: expect.any(String) },
    links: { unsubscribe: expect.stringMatching(/^https:\/\/maple\.example\/u\/[0-9a-f]{40}$/) },
  });
  expect(bob?.values).toMatchObject({ first_name: "Bob", property_name: "Maple Court" });
  expect(ann?.content).toBe(bob?.content);
});

test("several workers send nothing twice", async () => {
  await addPeople(engine.db, 400);
  const channels = [new FakeTransport(), new FakeTransport(), new FakeTransport()];
  for (const transport of channels) await engine.start(transport);
  const { runId, notificationId } = await send(engine.db);
  await ends(notificationId, "Delivered");
  const received = channels.flatMap((transport) => transport.received.map(({ deliveryId }) => deliveryId));
  expect(received).toHaveLength(400);
  expect(new Set(received).size).toBe(400);
  expect(await statuses(engine.db, runId)).toEqual({ accepted: 400 });
});

test("what goes into the Sandbox is marked simulated, and nothing else", async () => {
  await addPerson(engine.db);
  const sandbox = new FakeTransport({ kind: "sandbox", simulated: true });
  await engine.start(new FakeTransport(), { sandbox });
  const real = await send(engine.db);
  await ends(real.notificationId, "Delivered");
  const { notificationId } = await send(engine.db, { channels: ["email", "sms"] });
  await ends(notificationId, "Delivered");
  const progress = await progressOf(engine.db, [real.notificationId, notificationId]);
  expect(progress.get(real.notificationId)?.simulated).toBe(false);
  expect(progress.get(notificationId)?.simulated).toBe(true);
});

test("an emergency is claimed by a worker that holds all it may, and is the next that goes out", async () => {
  await addPeople(engine.db, 20);
  const begun: { urgent: boolean; answer: (outcome: Outcome) => void }[] = [];
  const transport = new FakeTransport({
    concurrency: 2,
    behavior: ({ urgent }) => new Promise((answer) => begun.push({ urgent, answer })),
  });
  const given = vi.spyOn(transport, "send");
  await engine.start(transport);
  const bulk = await send(engine.db);
  await until(async () => expect(await statuses(engine.db, bulk.runId)).toEqual({ sending: 4, queued: 16 }));
  await until(() => expect(begun).toHaveLength(2));
  await send(engine.db, { class: "emergency" });
  await until(() => expect(given.mock.calls.flatMap(([messages]) => messages)).toHaveLength(8));
  expect(await statuses(engine.db, bulk.runId)).toEqual({ sending: 4, queued: 16 });

  for (let answered = 0; answered < 40; answered += 1) {
    await until(() => expect(begun.length).toBeGreaterThan(answered));
    begun[answered]!.answer(ACCEPTED);
  }
  const urgent = begun.map((message) => message.urgent);
  expect(urgent.slice(0, 6)).toEqual([false, false, true, true, true, true]);
});

test("a worker claims and settles one batch at a time, so that a beginning waits for no more than one", async () => {
  await addPeople(engine.db, 60);
  const now = new Set<object>();
  const most = { claims: 0, settles: 0, together: 0 };
  const watched = engine.db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      const text = JSON.stringify(node);
      const which = text.includes("picked AS MATERIALIZED") ? "claims" : "settles";
      if (which === "claims" || text.includes("reported AS MATERIALIZED")) {
        now.add(queryId);
        most[which] += 1;
        most.together = Math.max(most.together, now.size);
      }
      return node;
    },
    transformResult: async ({ result, queryId }) => {
      // Long enough for others to begin, were they allowed to.
      if (now.has(queryId)) await sql`SELECT`.execute(engine.db);
      now.delete(queryId);
      return result;
    },
  });
  await engine.start(new FakeTransport({ concurrency: 2 }), { db: watched });
  const { notificationId } = await send(engine.db, { channels: ["email", "sms", "push"] });
  await ends(notificationId, "Delivered");
  expect(most.claims).toBeGreaterThan(3);
  expect(most.settles).toBeGreaterThan(1);
  expect(most.together).toBe(1);
});

test("a run in which everyone is skipped has Failed", async () => {
  await addPerson(engine.db, { email: null });
  await engine.start(new FakeTransport());
  const { runId, notificationId } = await send(engine.db);
  await ends(notificationId, "Failed");
  expect(await statuses(engine.db, runId)).toEqual({ skipped: 1 });
});

test("a run that reached some and not others is Partially Delivered", async () => {
  await addPerson(engine.db);
  await addPerson(engine.db, { first_name: "Bad" });
  const behavior: FakeTransport["behavior"] = ({ name }) =>
    name === "Bad Lee" ? refused("550 5.7.1") : ACCEPTED;
  await engine.start(new FakeTransport({ behavior }));
  const { runId, notificationId } = await send(engine.db);
  await ends(notificationId, "Partially Delivered");
  expect(await statuses(engine.db, runId)).toEqual({ accepted: 1, failed: 1 });
});

const refused = (code: string, more: object = {}): Outcome => ({
  kind: "refused",
  of: "recipient",
  code,
  detail: "the provider's words",
  ...more,
});

test.each([
  [refused("550 5.1.1", { suppress: true }), "no-such-address", 1],
  [refused("invalid_address"), "no-such-address", 0],
  [refused("552 5.2.2"), "mailbox-full", 0],
  [refused("550 5.7.1"), "refused", 0],
  [{ ...refused("554 5.6.0"), of: "message" } as Outcome, "content-refused", 0],
])(
  "a refusal %# is final, with its reason; only a dead address is never used again",
  async (outcome, reason, barred) => {
    await addPerson(engine.db, { email: "ann@example.com" });
    await addPerson(engine.db, { email: "bob@example.com" });
    const transport = new FakeTransport({
      behavior: ({ address }) => (address === "ann@example.com" ? outcome : ACCEPTED),
    });
    await engine.start(transport);
    const { notificationId } = await send(engine.db);
    await ends(notificationId, "Partially Delivered");
    const refusal = await engine.db
      .selectFrom("deliveries")
      .select(["status", "reason", "detail"])
      .where("address", "=", "ann@example.com")
      .execute();
    expect(refusal).toEqual([{ status: "failed", reason, detail: "the provider's words" }]);
    const suppressions = await until(async () => {
      const rows = await engine.db.selectFrom("suppressions").selectAll().execute();
      expect(rows).toHaveLength(barred);
      return rows;
    });
    if (barred)
      expect(suppressions[0]).toMatchObject({
        address: "ann@example.com",
        reason: "the provider's words",
        source: "fake",
      });
  },
);

test("the same refusal of the message for everyone is said of the whole run", async () => {
  await addPeople(engine.db, 3);
  await engine.start(
    new FakeTransport({ behavior: () => ({ ...refused("554 5.6.0"), of: "message" }) as Outcome }),
  );
  const { notificationId } = await send(engine.db);
  await ends(notificationId, "Failed");
  const progress = (await progressOf(engine.db, [notificationId])).get(notificationId);
  expect(progress?.notes[0]).toContain("refused this message for all 3 people");
});

test("what did not get through is tried again, until its time is over", async () => {
  await addPeople(engine.db, 2);
  const transport = new FakeTransport({
    behavior: ({ attempt, deliveryId }) =>
      deliveryId % 2 === 0 && attempt > 2
        ? ACCEPTED
        : { kind: "unavailable", code: "timeout", detail: "no answer" },
  });
  await engine.start(transport);
  const { runId, notificationId } = await send(engine.db);
  // The waits grow to minutes; the test lets them pass.
  const hurry = setInterval(() => {
    void sql`UPDATE deliveries SET due_at = now() WHERE status = 'queued'`
      .execute(engine.db)
      .catch(() => undefined);
  }, 50);
  const rows = () =>
    engine.db.selectFrom("deliveries").select(["status", "attempts", "reason"]).orderBy("status").execute();
  await until(async () =>
    expect(await rows()).toEqual([
      { status: "accepted", attempts: 3, reason: null },
      { status: "queued", attempts: expect.toSatisfy((tries: number) => tries > 15), reason: "retrying" },
    ]),
  );
  await sql`UPDATE deliveries SET expires_at = now()`.execute(engine.db);
  await ends(notificationId, "Partially Delivered").finally(() => clearInterval(hurry));
  expect(await statuses(engine.db, runId)).toEqual({ accepted: 1, expired: 1 });
});

test("being asked to slow down costs nothing, and is obeyed by the whole account", async () => {
  await addPeople(engine.db, 10);
  let left = 3;
  const transport = new FakeTransport({
    concurrency: 1,
    behavior: () =>
      left-- > 0 ? { kind: "throttled", retryAfterMs: 150, code: "421", detail: "slow down" } : ACCEPTED,
  });
  await engine.start(transport);
  const { notificationId } = await send(engine.db);
  await ends(notificationId, "Delivered");
  const rows = await engine.db.selectFrom("deliveries").select(["failures", "attempts"]).execute();
  expect(rows.every(({ failures }) => failures === 0)).toBe(true);
  expect(rows.reduce((sum, row) => sum + row.attempts, 0)).toBe(13);
});

test("a run whose attachment is gone fails its messages; nothing goes out without it", async () => {
  const { db } = engine;
  await addPerson(db);
  const sha256 = Buffer.alloc(32);
  await sql`INSERT INTO attachment_bytes VALUES (${sha256}, '\\x01')`.execute(db);
  const file = await sql<{ id: number }>`INSERT INTO attachments (sha256, name, type, size)
    VALUES (${sha256}, 'plan.pdf', 'application/pdf', 1) RETURNING id`.execute(db);
  const { notificationId, runId } = await send(db, { attachmentIds: [file.rows[0]!.id] });
  await sql`DELETE FROM attachments`.execute(db);
  const transport = new FakeTransport();
  const about: object[] = [];
  await engine.start(transport, { log: { ...quiet, error: () => about.push(logFields()) } });
  await ends(notificationId, "Failed");
  const delivery = await onlyDelivery();
  expect(delivery).toMatchObject({ status: "failed", reason: "content-refused" });
  expect(transport.received).toEqual([]);
  expect(about).toEqual([{ accountId: delivery.account_id, runId, deliveryId: delivery.id }]);
});

test("an error in a run's fan-out names the run in the log", async () => {
  const { db } = engine;
  await addPerson(db);
  const { runId, notificationId } = await send(db);
  await sql`ALTER TABLE deliveries ADD CONSTRAINT none CHECK (id = 0) NOT VALID`.execute(db);
  const lines: object[] = [];
  await engine.start(new FakeTransport(), { log: { ...quiet, error: (fields) => lines.push(fields) } });
  await until(() => expect(lines).toContainEqual(expect.objectContaining({ runId })));
  await sql`ALTER TABLE deliveries DROP CONSTRAINT none`.execute(db);
  await ends(notificationId, "Delivered");
});

test("a run whose audience was deleted before the fan-out has Failed", async () => {
  const person = await addPerson(engine.db);
  const { runId, notificationId } = await send(engine.db);
  await engine.db.updateTable("users").set({ deleted_at: new Date() }).where("id", "=", person).execute();
  await engine.start(new FakeTransport());
  await ends(notificationId, "Failed");
  expect(await statuses(engine.db, runId)).toEqual({});
});

test("a provider's words are kept, however odd", async () => {
  await addPerson(engine.db);
  await engine.start(
    new FakeTransport({ behavior: () => refused("5\u0000", { detail: "no \ud800\u0000 way" }) }),
  );
  const { notificationId } = await send(engine.db);
  await ends(notificationId, "Failed");
  expect(await attempts()).toEqual([{ outcome: "refused", code: "5", detail: "no \ufffd way" }]);
});

test("a message too old to send is not sent", async () => {
  await addPerson(engine.db);
  const { notificationId } = await send(engine.db);
  const transport = new FakeTransport({ behavior: () => ({ kind: "unavailable", code: "x", detail: "" }) });
  await engine.start(transport);
  await until(async () => expect((await onlyDelivery()).reason).toBe("retrying"));
  await sql`UPDATE deliveries SET expires_at = now(), due_at = now()`.execute(engine.db);
  await ends(notificationId, "Failed");
  expect(await onlyDelivery()).toMatchObject({ status: "expired", reason: "expired" });
});

test("a pause that would outlast a message is cut in half again and again, until there is no time left", async () => {
  const { db } = engine;
  await addPerson(db);
  let tries = 0;
  const transport = new FakeTransport({
    behavior: () => (tries++ === 0 ? { kind: "unavailable", code: "451", detail: "later" } : ACCEPTED),
  });
  // Its next pause would last a quarter of an hour.
  const { notificationId } = await send(db);
  await fanOutAll(db);
  await sql`UPDATE deliveries SET failures = 10, expires_at = now() + interval '3 seconds'`.execute(db);
  await engine.start(transport);
  await until(async () => {
    // As if the machine were fast enough for each of them.
    await sql`UPDATE deliveries SET due_at = least(due_at, now()), expires_at = now() + interval '3 seconds'
      WHERE status = 'queued' AND due_at < now() + interval '1 minute'`.execute(db);
    expect(await notificationStatus(db, notificationId)).toBe("Delivered");
  });
});

test("what comes back after its time has passed isn't kept for a try that may not be", async () => {
  const { db } = engine;
  await addPerson(db);
  const transport = new FakeTransport({
    behavior: async () => {
      await sql`UPDATE deliveries SET expires_at = now()`.execute(db);
      return { kind: "throttled", code: "421", detail: "in an hour" };
    },
  });
  await engine.start(transport);
  const { notificationId } = await send(db);
  await ends(notificationId, "Failed");
  expect(await onlyDelivery()).toMatchObject({ status: "expired", detail: "in an hour" });
});

test("who opted out, was removed, or whose address died after the run began gets nothing", async () => {
  const { db } = engine;
  await addPerson(db, { first_name: "Out" });
  await addPerson(db, { first_name: "Gone" });
  await addPerson(db, { first_name: "Dead", email: "dead@example.com" });
  await addPerson(db, { first_name: "Fine" });
  const transport = new FakeTransport();
  await engine.start(transport);
  await sql`UPDATE accounts SET retry_at = now() + interval '1 hour' WHERE kind = 'fake'`.execute(db);
  const { runId, notificationId } = await send(db);
  await until(async () => expect(await statuses(db, runId)).toEqual({ queued: 4 }));
  await db
    .updateTable("users")
    .set({ channels: channelSet(["sms"]) })
    .where("first_name", "=", "Out")
    .execute();
  await db.updateTable("users").set({ deleted_at: new Date() }).where("first_name", "=", "Gone").execute();
  await db
    .insertInto("suppressions")
    .values({
      channel: "email",
      address: "dead@example.com",
      reason: "no",
      source: "console",
      delivery_id: null,
    })
    .execute();
  await sql`UPDATE accounts SET retry_at = NULL WHERE kind = 'fake'`.execute(db);
  // Out and Gone are not meant anymore; Dead was to be reached.
  await ends(notificationId, "Partially Delivered");
  const rows = await db
    .selectFrom("deliveries")
    .select(["person_name", "status", "reason"])
    .orderBy("id")
    .execute();
  expect(rows).toEqual([
    { person_name: "Out Lee", status: "skipped", reason: "opted-out" },
    { person_name: "Gone Lee", status: "skipped", reason: "person-removed" },
    { person_name: "Dead Lee", status: "skipped", reason: "suppressed" },
    { person_name: "Fine Lee", status: "accepted", reason: null },
  ]);
  expect(transport.received).toHaveLength(1);
});

test("a stop finishes what is on the wire and hands the rest back", async () => {
  await addPeople(engine.db, 200);
  const slow = new FakeTransport({
    behavior: () => new Promise((resolve) => setTimeout(() => resolve(ACCEPTED), 30)),
  });
  const first = await engine.start(slow);
  const { runId, notificationId } = await send(engine.db);
  await until(() => expect(slow.received.length).toBeGreaterThan(3));
  await first.stop();
  const counts = await statuses(engine.db, runId);
  expect(counts).toEqual({ accepted: slow.received.length, queued: 200 - slow.received.length });
  expect(await engine.db.selectFrom("workers").selectAll().execute()).toEqual([]);
  const second = new FakeTransport();
  await engine.start(second);
  await ends(notificationId, "Delivered");
  expect(slow.received.length + second.received.length).toBe(200);
});
