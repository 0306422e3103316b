import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { liftOptOut, optOut } from "#server/audience/opt-outs.ts";
import { logFields } from "#server/telemetry/signals.ts";
import { until } from "#server/testing/until.ts";
import { accountColumns, type Account } from "../accounts/accounts.ts";
import type { Transports } from "../accounts/open-transports.ts";
import { recount, statuses } from "../testing/run-totals.ts";
import { withEngines } from "../testing/engine.ts";
import { FakeTransport } from "../testing/fake-transport.ts";
import { addPeople, addPerson, notificationStatus, send } from "../testing/scene.ts";
import type { Outcome, OutgoingMessage } from "../transports/transport.ts";
import { referenceOf, type ProviderEvent, type Receipt } from "../transports/webhook.ts";
import { sendAgain } from "../retry/send-again.ts";
import { decideUnconfirmed } from "../worker/unconfirmed.ts";
import { processIncomingTexts } from "./incoming-texts.ts";
import { matching, type Open } from "./match.ts";
import { processReceipts } from "./process.ts";
import { receiveCall } from "./receive-call.ts";

const engine = withEngines();

/** A provider whose calls always verify and contain the events as JSON. */
const transports = {
  webhookOf: () => ({
    webhook: {
      isGenuine: () => true,
      read: ({ body }) =>
        (JSON.parse(body.toString()) as ProviderEvent[]).map((event) => ({
          ...event,
          at: new Date(event.at),
        })),
    },
    settings: {},
    apiUrl: "",
  }),
} as Pick<Transports, "webhookOf"> as Transports;

async function tell(...receipts: ProviderEvent[]): Promise<void> {
  const { rows } = await sql<Account>`
    SELECT ${accountColumns} FROM accounts WHERE name = 'mail.example' AND channel = 'email'`.execute(
    engine.db,
  );
  const call = { url: "", headers: {}, body: Buffer.from(JSON.stringify(receipts)), receivedAt: new Date() };
  await receiveCall(engine.db, rows[0]!, transports, call);
}

let events = 0;
function receipt(message: OutgoingMessage, what: Receipt["what"], more: Partial<Receipt> = {}): Receipt {
  events += 1;
  return { what, eventId: `event-${events}`, reference: referenceOf(message), at: new Date(), ...more };
}

const accepted = (messageId: string): Outcome => ({ kind: "accepted", messageId });
const lost: Outcome = { kind: "uncertain", code: "connection_lost", detail: "The answer never came." };
const ends = (notificationId: number, status: string) =>
  until(async () => expect(await notificationStatus(engine.db, notificationId)).toBe(status));
const counted = (runId: number, expected: object) =>
  until(async () => expect(await statuses(engine.db, runId)).toEqual(expected));
const processed = () =>
  until(async () => {
    const { rows } = await sql`SELECT FROM receipts WHERE processed_at IS NULL`.execute(engine.db);
    expect(rows).toEqual([]);
  });
const kinds = async () =>
  (await engine.db.selectFrom("delivery_events").select("kind").orderBy("id").execute()).map(
    ({ kind }) => kind,
  );

test.each(["messageId", "reference"] as const)(
  "a receipt that arrives before the acceptance is recorded waits for it (matched by %s)",
  async (by) => {
    await addPerson(engine.db);
    const answer = Promise.withResolvers<void>();
    let sent: OutgoingMessage | undefined;
    const behavior: FakeTransport["behavior"] = async (message) => {
      sent = message;
      await answer.promise;
      return accepted("m1");
    };
    await engine.start(new FakeTransport({ behavior }));
    const { runId, notificationId } = await send(engine.db);
    await until(() => expect(sent).toBeDefined());
    await tell(
      receipt(sent!, "delivered", by === "messageId" ? { reference: undefined, messageId: "m1" } : {}),
    );
    await until(async () => {
      const { rows } = await sql`SELECT FROM receipts WHERE retry_at > now()`.execute(engine.db);
      expect(rows).toHaveLength(1);
    });
    expect(await statuses(engine.db, runId)).toEqual({ sending: 1 });
    if (by === "reference") {
      // However long that takes: its worker may have died.
      await sql`UPDATE receipts SET received_at = now() - interval '16 minutes', retry_at = now()`.execute(
        engine.db,
      );
      await until(async () => {
        const { rows } = await sql`SELECT FROM receipts WHERE retry_at > now() + interval '1 minute'`.execute(
          engine.db,
        );
        expect(rows).toHaveLength(1);
      });
      await sql`UPDATE receipts SET received_at = now(), retry_at = now()`.execute(engine.db);
    }
    answer.resolve();
    await counted(runId, { delivered: 1 });
    await ends(notificationId, "Delivered");
  },
);

test("a receipt settles an unconfirmed delivery, and nothing is resent", async () => {
  await addPeople(engine.db, 3);
  const transport = new FakeTransport({ behavior: () => lost });
  await engine.start(transport);
  const { runId, notificationId } = await send(engine.db);
  await counted(runId, { uncertain: 3 });
  const [one, two, three] = transport.received;
  await tell(receipt(one!, "delivered"), receipt(two!, "bounced"), receipt(three!, "accepted"));
  await counted(runId, { delivered: 1, bounced: 1, accepted: 1 });
  await ends(notificationId, "Partially Delivered");
  await sql`UPDATE deliveries SET due_at = now() - interval '1 hour'`.execute(engine.db);
  expect(await decideUnconfirmed(engine.db, transports)).toEqual([]);
  expect(transport.received).toHaveLength(3);
});

test("a message that is waiting for a retry is not resent once a receipt says it arrived", async () => {
  await addPerson(engine.db);
  const transport = new FakeTransport({ behavior: () => lost });
  const worker = await engine.start(transport);
  const { runId, notificationId } = await send(engine.db);
  await counted(runId, { uncertain: 1 });
  await worker.stop();
  const sent = [...transport.received];
  // After that many failures, the wait is no sign of a clock that was set back.
  await sql`UPDATE deliveries SET status = 'queued', reason = 'retrying', failures = 9,
    due_at = now() + interval '10 minutes'`.execute(engine.db);
  await recount(engine.db);
  await engine.start(transport);
  await tell(receipt(sent[0]!, "delivered"));
  await counted(runId, { delivered: 1 });
  await ends(notificationId, "Delivered");
  expect(transport.received).toEqual(sent);
});

test("after a manual retry, a receipt for the earlier message only affects the address it went to", async () => {
  const { db } = engine;
  const id = await addPerson(db, { email: "old@example.com" });
  const transport = new FakeTransport({ behavior: () => accepted("m1") });
  await engine.start(transport);
  const { runId, notificationId } = await send(db);
  await ends(notificationId, "Delivered");
  const [first] = transport.received;
  await tell(receipt(first!, "opened"), receipt(first!, "bounced", { messageId: "m1" }));
  await counted(runId, { bounced: 1 });
  await db.updateTable("users").set({ email: "new@example.com" }).where("id", "=", id).execute();
  transport.behavior = () => lost;
  expect(await sendAgain(db, notificationId)).toMatchObject({ requeued: 1 });
  await counted(runId, { uncertain: 1 });
  expect(await db.selectFrom("runs").select("opened").executeTakeFirst()).toEqual({ opened: 0 });
  const [, second] = transport.received;
  expect(referenceOf(second!)).toBe(`${referenceOf(first!)}r1`);
  // Vonage identifies messages only by reference.
  await tell(
    receipt(first!, "failed", { suppress: true, code: "unsubscribed" }),
    receipt(first!, "complained"),
  );
  await processed();
  expect(await statuses(db, runId)).toEqual({ uncertain: 1 });
  const { rows } = await sql`SELECT address, kind FROM suppressions`.execute(db);
  expect(rows).toEqual([{ address: "old@example.com", kind: "unsubscribe" }]);
  await tell(receipt(second!, "delivered", { messageId: "m2" }));
  await counted(runId, { delivered: 1 });
});

test("a receipt or text that can't be applied doesn't hold up the others", async () => {
  const { db } = engine;
  await addPeople(db, 2);
  const transport = new FakeTransport();
  const worker = await engine.start(transport);
  const { runId, notificationId } = await send(db);
  await ends(notificationId, "Delivered");
  await worker.stop();
  const [one, two] = transport.received;
  const text = { what: "text", from: "+14155550100", to: "+14155550101", at: new Date() } as const;
  await tell(receipt(one!, "delivered"), receipt(two!, "delivered"));
  await tell({ ...text, eventId: "bad", text: "?" }, { ...text, eventId: "stop", text: "STOP" });
  await sql`UPDATE receipts SET event = event || '{"at": "never"}' WHERE event ->> 'reference' = ${referenceOf(one!)}`.execute(
    db,
  );
  await sql`UPDATE receipts SET event = event - 'text' WHERE event_id = 'bad'`.execute(db);
  const errors: unknown[] = [];
  await processIncomingTexts(db, (error) => errors.push(error));
  await processReceipts(db, (error) => errors.push(error, logFields()));
  expect(errors).toHaveLength(5);
  expect(errors[4]).toMatchObject({ deliveryId: one!.deliveryId });
  expect(await statuses(db, runId)).toEqual({ delivered: 1, accepted: 1 });
  const open = await sql`SELECT FROM receipts WHERE processed_at IS NULL AND retry_at > received_at`.execute(
    db,
  );
  expect(open.rows).toHaveLength(2);
  expect(await db.selectFrom("suppressions").select("kind").execute()).toEqual([{ kind: "unsubscribe" }]);
  await sql`UPDATE receipts SET received_at = now() - interval '16 minutes', retry_at = now()
    WHERE processed_at IS NULL`.execute(db);
  await processIncomingTexts(db, () => {});
  await processReceipts(db, () => {});
  await processed();
});

test("receipts that can be applied one by one, but not together, say so", async () => {
  const { db } = engine;
  await addPeople(db, 2);
  const transport = new FakeTransport();
  const worker = await engine.start(transport);
  const { runId, notificationId } = await send(db);
  await ends(notificationId, "Delivered");
  await worker.stop();
  await tell(...transport.received.map((message) => receipt(message, "delivered")));
  await sql`CREATE FUNCTION refuse_several() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF (SELECT count(*) FROM changed) > 1 THEN RAISE 'too many'; END IF; RETURN NULL; END $$`.execute(db);
  await sql`CREATE TRIGGER several AFTER UPDATE ON receipts REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_several()`.execute(db);
  onTestFinished(async () => void (await sql`DROP FUNCTION refuse_several CASCADE`.execute(db)));
  const errors: unknown[] = [];
  await processReceipts(db, (error) => errors.push(error));
  expect(errors).toMatchObject([{ cause: { message: "too many" } }]);
  expect(await statuses(db, runId)).toEqual({ delivered: 2 });
});

test("a receipt without a reference is matched by an index scan", async () => {
  const receipts = [
    { id: 1, accountId: 1, receipt: { what: "delivered", eventId: "1", messageId: "m1", at: new Date() } },
  ];
  const plan = await engine.db.transaction().execute(async (tx) => {
    await sql`SET LOCAL enable_seqscan = off`.execute(tx);
    return sql`EXPLAIN ${matching(receipts as Open[])}`.execute(tx);
  });
  expect(JSON.stringify(plan.rows)).toMatch(
    /Index Scan using deliveries_\d+_account_id_provider_message_id_idx/,
  );
});

test("a bounce after the run has ended changes the notification's status; one after delivery only adds an event", async () => {
  await addPeople(engine.db, 2);
  const transport = new FakeTransport({ behavior: ({ deliveryId }) => accepted(`m${deliveryId}`) });
  await engine.start(transport);
  const { runId, notificationId } = await send(engine.db);
  await ends(notificationId, "Delivered");
  const [one, two] = transport.received;
  await tell(receipt(one!, "delivered"));
  await tell(
    receipt(one!, "bounced", { suppress: true, detail: "User unknown" }),
    receipt(one!, "complained"),
  );
  await processed();
  expect(await statuses(engine.db, runId)).toEqual({ delivered: 1, accepted: 1 });
  expect(await kinds()).toEqual(["delivered", "bounced", "complained"]);
  expect(await notificationStatus(engine.db, notificationId)).toBe("Delivered");
  expect(await engine.db.selectFrom("suppressions").select(["address", "reason"]).execute()).toEqual([
    { address: one!.address, reason: "User unknown" },
  ]);
  await tell(receipt(two!, "failed", { detail: "Spam" }));
  await ends(notificationId, "Partially Delivered");
  await tell(receipt(two!, "complained", { suppress: true }));
  await processed();
  expect(
    await engine.db.selectFrom("suppressions").select(["address", "kind"]).orderBy("created_at").execute(),
  ).toEqual([
    { address: one!.address, kind: "bounce" },
    { address: two!.address, kind: "complaint" },
  ]);
});

test("an address on a list of the provider's is blocked with the cause that it says", async () => {
  const { db } = engine;
  await addPeople(db, 4);
  const transport = new FakeTransport({ behavior: ({ deliveryId }) => accepted(`m${deliveryId}`) });
  await engine.start(transport);
  const { runId, notificationId } = await send(db);
  await ends(notificationId, "Delivered");
  const told = [
    { code: "unsubscribed", detail: "Unsubscribed Address" },
    { code: "complained", detail: "Spam Reporting Address" },
    { code: "suppressed", detail: "On the suppression list." },
    // As a build of before stored it.
    { code: "5.0.0", detail: "Unsubscribed Address" },
  ];
  const messages = transport.received.toSorted((a, b) => a.deliveryId - b.deliveryId);
  await tell(...told.map((more, index) => receipt(messages[index]!, "failed", { ...more, suppress: true })));
  await counted(runId, { failed: 4 });
  const { rows } = await sql`
    SELECT d.reason, e.detail, s.kind, s.reason AS because
    FROM deliveries d JOIN delivery_events e ON e.delivery_id = d.id JOIN suppressions s ON s.delivery_id = d.id
    ORDER BY d.id`.execute(db);
  expect(rows).toEqual([
    {
      reason: "unsubscribed",
      detail: "Unsubscribed Address",
      kind: "unsubscribe",
      because: "They unsubscribed.",
    },
    {
      reason: "refused",
      detail: "Spam Reporting Address",
      kind: "complaint",
      because: "They marked a message as spam.",
    },
    {
      reason: "refused",
      detail: "On the suppression list.",
      kind: "bounce",
      because: "On the suppression list.",
    },
    {
      reason: "no-such-address",
      detail: "5.0.0 Unsubscribed Address",
      kind: "bounce",
      because: "5.0.0 Unsubscribed Address",
    },
  ]);
});

test("out of order, duplicated and in fifty concurrent calls: each message ends once, and the counters match a recount", async () => {
  await addPeople(engine.db, 60);
  // Members of a household share an address.
  await sql`UPDATE users SET email = 'home' || (id % 50) || '@example.com'`.execute(engine.db);
  const behavior: FakeTransport["behavior"] = ({ deliveryId }) =>
    deliveryId % 5 === 0 ? lost : accepted(`m${deliveryId}`);
  const transport = new FakeTransport({ concurrency: 20, behavior });
  await engine.start(transport);
  await engine.start(new FakeTransport({ behavior }));
  const { runId } = await send(engine.db);
  await until(async () => {
    const { sending = 0, queued = 0, ...ended } = await statuses(engine.db, runId);
    expect([sending, queued, Object.keys(ended).length]).toEqual([0, 0, expect.any(Number)]);
    expect(Object.keys(ended).length).toBeGreaterThan(1);
  });
  const { rows } = await sql<{ id: number; key: string }>`
    SELECT d.id, v.compiled ->> 'key' AS key FROM deliveries d JOIN runs r ON r.id = d.run_id
    JOIN content_versions v ON v.id = r.content_version_id WHERE d.status <> 'skipped'`.execute(engine.db);
  const told = rows.flatMap(({ id, key }, index) => {
    const reference = `${key}-${id}`;
    const one = (what: Receipt["what"]): Receipt => ({
      what,
      eventId: `${what} ${id}`,
      reference,
      at: new Date(),
    });
    return [one("clicked"), one("opened"), one(index % 3 === 0 ? "bounced" : "delivered"), one("accepted")];
  });
  const calls = Array.from({ length: 50 }, (_, call) => told.filter((__, index) => index % 25 === call % 25));
  await Promise.all(calls.map((events) => tell(...events)));
  await processed();
  const bounced = rows.filter((_, index) => index % 3 === 0).length;
  expect(await statuses(engine.db, runId)).toMatchObject({ delivered: rows.length - bounced, bounced });
  const run = await engine.db.selectFrom("runs").select(["opened", "clicked"]).executeTakeFirst();
  expect(run).toEqual({ opened: rows.length, clicked: rows.length });
  expect(await engine.db.selectFrom("webhook_calls").select("id").execute()).toHaveLength(25);
});

test("an overlong event id, message id or text doesn't cost the call's other events, and is known when it comes again", async () => {
  await addPeople(engine.db, 2);
  const transport = new FakeTransport({ behavior: () => accepted("m".repeat(5000)) });
  await engine.start(transport);
  const { runId } = await send(engine.db);
  await counted(runId, { accepted: 2 });
  const [one, two] = transport.received;
  const long = { eventId: "e".repeat(5000), detail: "\0d\ud800".repeat(5000), code: "c".repeat(5000) };
  const reports = () => [
    receipt(one!, "bounced", { ...long, messageId: "m".repeat(5000), at: new Date(8.64e15) }),
    receipt(two!, "delivered", { eventId: "short" }),
  ];
  await tell(...reports());
  await counted(runId, { bounced: 1, delivered: 1 });
  await tell(...reports());
  const { rows } = await sql<{ id: string }>`SELECT event_id AS id FROM receipts ORDER BY id`.execute(
    engine.db,
  );
  expect(rows.map(({ id }) => id.length <= 255)).toEqual([true, true]);
});

test("an event without a meaning is settled, and one that can't be read is kept", async () => {
  await addPerson(engine.db);
  await engine.start(new FakeTransport());
  await send(engine.db);
  await tell(
    { what: "unreadable", eventId: "odd", at: new Date() },
    { eventId: "nameless", at: new Date() } as ProviderEvent,
    { what: "constructor", eventId: "strange", at: new Date() } as unknown as ProviderEvent,
  );
  await processed();
  const { rows } = await sql<{ id: string; body: boolean }>`
    SELECT r.event_id AS id, c.body IS NOT NULL AS body FROM receipts r JOIN webhook_calls c ON c.id = r.call_id
    ORDER BY r.id`.execute(engine.db);
  expect(rows).toEqual(["odd", "nameless", "strange"].map((id) => ({ id, body: true })));
});

test("a suppression that names no message blocks its address", async () => {
  await addPerson(engine.db, { email: "ann@example.com" });
  await engine.start(new FakeTransport());
  await send(engine.db);
  const at = new Date();
  await tell(
    { what: "unsubscribed", eventId: "1", address: "Ann@Example.com ", suppress: true, at },
    { what: "bounced", eventId: "2", address: "bob@example.com", suppress: true, at },
    { what: "opened", eventId: "3", address: "eve@example.com", at },
  );
  await processed();
  const { rows } = await sql`SELECT address, kind, reason FROM suppressions ORDER BY address`.execute(
    engine.db,
  );
  expect(rows).toEqual([
    { address: "ann@example.com", kind: "unsubscribe", reason: "They unsubscribed." },
    { address: "bob@example.com", kind: "bounce", reason: "A message bounced." },
  ]);
});

test("a provider's unsubscribe stands beside another cause, and is stronger than words that sound like it", async () => {
  const { db } = engine;
  const people = ["bounced", "sounds", "asked"].map((name) => `${name}@example.com`);
  await addPeople(db, 1);
  await engine.start(new FakeTransport());
  await send(db);
  await sql`INSERT INTO suppressions (channel, address, reason, source, kind, opted_out_by, words) VALUES
    ('email', ${people[0]}, 'No such mailbox', 'smtp', 'bounce', NULL, NULL),
    ('email', ${people[1]}, 'Sounds like STOP', 'smtp', 'unsubscribe', 'texted-words', 'no more'),
    ('email', ${people[2]}, 'They turned it off in their profile.', 'console', 'unsubscribe', 'profile', NULL)`.execute(
    db,
  );
  const told = people.map((address, index) => {
    const what = index < 2 ? "unsubscribed" : "complained";
    return { what, eventId: `beside-${index}`, address, suppress: true, at: new Date() } as const;
  });
  const state = async () => {
    const { rows } = await sql`SELECT kind, reason, opted_out_by AS by, words FROM suppressions
      ORDER BY array_position(${people}::text[], address)`.execute(db);
    return rows;
  };
  const both = [
    { kind: "bounce", reason: "No such mailbox", by: "provider", words: null },
    { kind: "unsubscribe", reason: "They unsubscribed.", by: "provider", words: null },
    { kind: "complaint", reason: "They marked a message as spam.", by: "profile", words: null },
  ];
  await tell(...told);
  await processed();
  expect(await state()).toEqual(both);
  // A text doesn't weaken it.
  for (const address of people)
    await optOut(db, { channel: "email", address }, { source: "texted-words", words: "no more" });
  expect(await state()).toEqual(both);
  for (const address of people) await liftOptOut(db, { channel: "email", address }, { source: "console" });
  expect(await state()).toEqual([
    { ...both[0], by: null },
    { ...both[2], by: null },
  ]);
});
