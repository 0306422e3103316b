import { sql } from "kysely";
import { expect, test } from "vitest";
import { reasonSentence } from "#contract/delivery-reasons.ts";
import { channelSet } from "#server/audience/person.ts";
import type { ResidencyRole } from "#contract/homes.ts";
import type { Db } from "#server/db/database.ts";
import { cancelRun } from "../runs/cancel-run.ts";
import { finishRuns } from "../runs/finish-runs.ts";
import { addResend, resendSome, resendTotals } from "./resend.ts";
import { retryPreview, sendAgain } from "./send-again.ts";
import { statuses } from "../testing/run-totals.ts";
import { until } from "#server/testing/until.ts";
import { withEngines } from "../testing/engine.ts";
import { ACCEPTED, FakeTransport } from "../testing/fake-transport.ts";
import {
  addHome,
  addNotification,
  addPeople,
  addPerson,
  moveIn,
  notificationStatus,
  send,
} from "../testing/scene.ts";

const engine = withEngines();

/** An address that bounced is suppressed by a look at all refusals, which may come after the end of the run. */
const suppressed = (count: number) =>
  until(async () =>
    expect(await engine.db.selectFrom("suppressions").select("address").execute()).toHaveLength(count),
  );
const ends = (notificationId: number, status: string) =>
  until(async () => expect(await notificationStatus(engine.db, notificationId)).toBe(status));

test("retries people who were not reached, with their current address and consent", async () => {
  const { db } = engine;
  await addPerson(db, { first_name: "Fine" });
  const wrong = await addPerson(db, { first_name: "Wrong", email: "wrong@example.com" });
  const none = await addPerson(db, { first_name: "None", email: null });
  await addPerson(db, { first_name: "Out", channels: channelSet(["sms"]) });
  await addPerson(db, { first_name: "Dead", email: "dead@example.com" });
  const transport = new FakeTransport({
    behavior: ({ address }) =>
      /^(wrong|dead)@/.test(address)
        ? { kind: "refused", of: "recipient", code: "550 5.1.1", detail: "nobody", suppress: true }
        : ACCEPTED,
  });
  await engine.start(transport);
  const { runId, notificationId } = await send(db);
  await ends(notificationId, "Partially Delivered");
  await suppressed(2);

  await db.updateTable("users").set({ email: "right@example.com" }).where("id", "=", wrong).execute();
  await db
    .updateTable("users")
    .set({ email: "new@example.com", first_name: "Nina" })
    .where("id", "=", none)
    .execute();
  expect(await retryPreview(db, notificationId, { unconfirmed: false })).toEqual({
    messages: 2,
    sandboxOnly: false,
    blocked: [
      { channel: "email", reason: "suppressed", count: 1, sentence: reasonSentence("suppressed", "email") },
    ],
  });
  expect(await sendAgain(db, notificationId)).toEqual({
    requeued: 2,
    stillUnreachable: 1,
    sandboxOnly: false,
  });
  await until(async () => expect(await statuses(db, runId)).toEqual({ accepted: 3, failed: 1, skipped: 1 }));
  await ends(notificationId, "Partially Delivered");
  expect(
    transport.received
      .map(({ address }) => address)
      .slice(-2)
      .toSorted(),
  ).toEqual(["new@example.com", "right@example.com"]);
  expect(transport.received.find(({ address }) => address === "new@example.com")?.values["first_name"]).toBe(
    "Nina",
  );
  expect(await sendAgain(db, notificationId)).toMatchObject({ requeued: 0, stillUnreachable: 1 });
  expect(await notificationStatus(db, notificationId)).toBe("Partially Delivered");
});

test("says beforehand and afterwards whether it only goes to the Sandbox", async () => {
  const { db } = engine;
  await addPeople(db, 1);
  const behavior = () => ({ kind: "refused", of: "message", code: "554", detail: "spam" }) as const;
  const email = new FakeTransport({ behavior });
  const sandbox = new FakeTransport({ kind: "sandbox", simulated: true, behavior });
  await engine.start(email, { sandbox });
  const { notificationId } = await send(db, { channels: ["email", "sms"] });
  await ends(notificationId, "Failed");
  const retried = async (foreseen: object, answer: object) => {
    expect(await retryPreview(db, notificationId)).toMatchObject(foreseen);
    expect(await sendAgain(db, notificationId)).toMatchObject(answer);
    await ends(notificationId, "Failed");
  };
  await retried({ messages: 2, sandboxOnly: false }, { requeued: 2, sandboxOnly: false });
  await db.updateTable("users").set({ email: null }).execute();
  await retried({ messages: 1, sandboxOnly: true }, { requeued: 1, sandboxOnly: true });
  await db.updateTable("users").set({ phone: null }).execute();
  await retried({ messages: 0, sandboxOnly: false }, { requeued: 0, sandboxOnly: false });
});

test("a retry waits for everyone whose outcome it changes before it holds a counter", async () => {
  const { db } = engine;
  const own = await addPerson(db, { email: "twin@example.com" });
  await addPerson(db, { email: "twin@example.com" });
  const behavior = () => ({ kind: "refused", of: "message", code: "554", detail: "spam" }) as const;
  const worker = await engine.start(new FakeTransport({ behavior }));
  const { runId, notificationId } = await send(db);
  await ends(notificationId, "Failed");
  await worker.stop();
  // The other one no longer shares an address, and this one's message is queued, each by a statement of its own.
  await db.updateTable("users").set({ email: "new@example.com" }).where("id", "=", own).execute();
  const retried = await db.transaction().execute(async (tx) => {
    await sql`SELECT FROM run_people WHERE run_id = ${runId} AND user_id = ${own} FOR UPDATE`.execute(tx);
    const retrying = sendAgain(db, notificationId);
    await until(async () => {
      const { rows } = await sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
      expect(rows).toHaveLength(1);
    });
    // Otherwise they would wait for each other.
    await sql`INSERT INTO run_outcomes (run_id, outcome, waiting, shard, count) VALUES (${runId}, 'skipped', false, 0, 0)
      ON CONFLICT (run_id, outcome, waiting, shard) DO UPDATE SET count = run_outcomes.count`.execute(tx);
    return { retrying };
  });
  expect(await retried.retrying).toMatchObject({ requeued: 2 });
});

test("a double click sends once", async () => {
  const { db } = engine;
  await addPeople(db, 3);
  const transport = new FakeTransport({
    behavior: () => ({ kind: "refused", of: "message", code: "554", detail: "spam" }),
  });
  await engine.start(transport);
  const { notificationId } = await send(db);
  await ends(notificationId, "Failed");
  transport.behavior = () => ACCEPTED;
  const answers = await Promise.all([sendAgain(db, notificationId), sendAgain(db, notificationId)]);
  expect(new Set(answers.map(({ requeued }) => requeued))).toEqual(new Set([0, 3]));
  await ends(notificationId, "Delivered");
  expect(transport.received).toHaveLength(3);
});

test("what may have arrived is sent again only when that is asked for", async () => {
  const { db } = engine;
  await addPeople(db, 2);
  const transport = new FakeTransport({
    behavior: ({ deliveryId }) =>
      deliveryId % 2 ? ACCEPTED : { kind: "uncertain", code: "connection_lost", detail: "no answer" },
  });
  await engine.start(transport);
  const { runId, notificationId } = await send(db);
  await until(async () => expect(await statuses(db, runId)).toEqual({ accepted: 1, uncertain: 1 }));
  expect(await notificationStatus(db, notificationId)).toBe("Sending");
  expect((await sendAgain(db, notificationId)).requeued).toBe(0);

  await sql`UPDATE deliveries SET unconfirmed = 1, due_at = now(), expires_at = now() WHERE status = 'uncertain'`.execute(
    db,
  );
  await ends(notificationId, "Partially Delivered");
  expect((await sendAgain(db, notificationId)).requeued).toBe(0);
  expect((await retryPreview(db, notificationId, { unconfirmed: false })).messages).toBe(0);
  expect((await retryPreview(db, notificationId, { unconfirmed: true })).messages).toBe(1);
  transport.behavior = () => ACCEPTED;
  expect((await sendAgain(db, notificationId, { unconfirmed: true })).requeued).toBe(1);
  await ends(notificationId, "Delivered");
});

test("two who now have one address get one message", async () => {
  const { db } = engine;
  await addPerson(db, { first_name: "Ann", email: null });
  await addPerson(db, { first_name: "Bob", email: null });
  await addPerson(db, { first_name: "Cas", email: "cas@example.com" });
  await engine.start(new FakeTransport());
  const { runId, notificationId } = await send(db);
  await ends(notificationId, "Partially Delivered");
  await db
    .updateTable("users")
    .set({ email: "Home@example.com" })
    .where("first_name", "in", ["Ann", "Bob"])
    .execute();
  expect(await retryPreview(db, notificationId, { unconfirmed: false })).toEqual({
    messages: 1,
    sandboxOnly: false,
    blocked: [],
  });
  expect(await sendAgain(db, notificationId)).toMatchObject({ requeued: 1, stillUnreachable: 0 });
  await ends(notificationId, "Delivered");
  await db.updateTable("users").set({ email: "cas@example.com" }).where("first_name", "=", "Bob").execute();
  // He was reached at the address that he shared.
  expect(await sendAgain(db, notificationId)).toMatchObject({ requeued: 0, stillUnreachable: 0 });
  const everyone = { includeReached: true };
  expect(await sendAgain(db, notificationId, everyone)).toMatchObject({ requeued: 0, stillUnreachable: 0 });
  const bob = await db
    .selectFrom("deliveries")
    .selectAll()
    .where("person_name", "=", "Bob Lee")
    .executeTakeFirstOrThrow();
  expect(bob).toMatchObject({ status: "skipped", reason: "same-address", detail: "Cas Lee" });
  expect(await statuses(db, runId)).toEqual({ accepted: 2, skipped: 1 });
});

/** Anna's message to the address that she shares with Ben is refused; then something changes, and it is sent again. */
async function afterRefusal(change: (db: Db, anna: number) => Promise<unknown>, suppress = false) {
  const { db } = engine;
  await addPerson(db, { first_name: "Fine" });
  const anna = await addPerson(db, { first_name: "Anna", email: "home@example.com" });
  await addPerson(db, { first_name: "Ben", email: "home@example.com" });
  const transport = new FakeTransport({
    behavior: ({ address }) =>
      address === "home@example.com"
        ? { kind: "refused", of: "recipient", code: "550", detail: "no", suppress }
        : ACCEPTED,
  });
  await engine.start(transport);
  const { runId, notificationId } = await send(db);
  await ends(notificationId, "Partially Delivered");
  if (suppress) await suppressed(1);
  transport.behavior = () => ACCEPTED;
  transport.received.length = 0;
  await change(db, anna);
  const foreseen = await retryPreview(db, notificationId, { unconfirmed: false });
  const { requeued } = await sendAgain(db, notificationId);
  if (requeued > 0)
    await until(async () => expect(await notificationStatus(db, notificationId)).not.toBe("Sending"));
  expect(requeued).toBe(foreseen.messages);
  const { rows } = await sql<{ row: string }>`
    SELECT concat_ws(' ', split_part(person_name, ' ', 1), status, reason) AS row FROM deliveries
    WHERE run_id = ${runId} AND person_name NOT LIKE 'Fine%' ORDER BY id`.execute(db);
  return {
    people: rows.map(({ row }) => row),
    sent: transport.received.map(({ address }) => address).toSorted(),
  };
}

test("a person who shares an address gets the message there once its holder uses another", async () => {
  const corrected = (db: Db, anna: number) =>
    db.updateTable("users").set({ email: "anna@example.com" }).where("id", "=", anna).execute();
  expect(await afterRefusal(corrected)).toEqual({
    people: ["Anna accepted", "Ben accepted"],
    sent: ["anna@example.com", "home@example.com"],
  });
});

test.each([
  ["is gone", { deleted_at: new Date() }, "person-removed"],
  ["wants no email any more", { channels: channelSet(["sms"]) }, "opted-out"],
  ["has no address any more", { email: null }, "no-email"],
])("whoever shares an address is written to there once its holder %s", async (_, values, reason) => {
  const changed = (db: Db, anna: number) =>
    db.updateTable("users").set(values).where("id", "=", anna).execute();
  expect(await afterRefusal(changed)).toEqual({
    people: [`Anna skipped ${reason}`, "Ben accepted"],
    sent: ["home@example.com"],
  });
});

test("one message goes again for both who still share an address", async () => {
  const nothing = () => Promise.resolve();
  expect(await afterRefusal(nothing)).toEqual({
    people: ["Anna accepted", "Ben skipped same-address"],
    sent: ["home@example.com"],
  });
});

test("nothing goes again to a shared address that must not be used", async () => {
  expect(await afterRefusal(() => Promise.resolve(), true)).toEqual({
    people: ["Anna failed no-such-address", "Ben skipped suppressed"],
    sent: [],
  });
});

test("one whose new address is another's holds up neither of the two", async () => {
  const { db } = engine;
  const anna = await addPerson(db, { first_name: "Anna", email: "anna@example.com" });
  await addPerson(db, { first_name: "Zed", email: "zed@example.com" });
  const transport = new FakeTransport({
    behavior: () => ({ kind: "refused", of: "message", code: "554", detail: "spam" }),
  });
  await engine.start(transport);
  const { notificationId } = await send(db);
  await ends(notificationId, "Failed");
  await db.updateTable("users").set({ email: "zed@example.com" }).where("id", "=", anna).execute();
  transport.behavior = () => ACCEPTED;
  expect(await sendAgain(db, notificationId)).toMatchObject({ requeued: 1, stillUnreachable: 0 });
  await until(() => expect(transport.received.map(({ address }) => address)).toEqual(["zed@example.com"]));
});

test.each([
  ["whose addresses were mixed up each get theirs", "anna@example.com", ["accepted", "accepted"]],
  ["where one now has only the other's address", null, ["accepted", "skipped"]],
  ["where one now has a third person's address", "fine@example.com", ["accepted", "skipped"]],
])("two %s", async (_, zedsNew, expected) => {
  const { db } = engine;
  await addPerson(db, { first_name: "Fine", email: "fine@example.com" });
  const anna = await addPerson(db, { first_name: "Anna", email: "anna@example.com" });
  const zed = await addPerson(db, { first_name: "Zed", email: "zed@example.com" });
  const transport = new FakeTransport({
    behavior: ({ address }) =>
      address.startsWith("fine")
        ? ACCEPTED
        : { kind: "refused", of: "recipient", code: "550", detail: "no", suppress: false },
  });
  await engine.start(transport);
  const { runId, notificationId } = await send(db);
  await ends(notificationId, "Partially Delivered");
  const correct = (id: number, email: string | null) =>
    db.updateTable("users").set({ email }).where("id", "=", id).execute();
  await correct(zed, zedsNew);
  await correct(anna, "zed@example.com");
  transport.behavior = () => ACCEPTED;
  const { messages } = await retryPreview(db, notificationId);
  const { requeued } = await sendAgain(db, notificationId);
  const sent = expected.filter((status) => status === "accepted").length;
  expect([messages, requeued]).toEqual([sent, sent]);
  const rows = () =>
    db
      .selectFrom("deliveries")
      .select(["address", "status"])
      .where("run_id", "=", runId)
      .where("user_id", "in", [anna, zed])
      .orderBy("user_id")
      .execute();
  await until(async () =>
    expect(await rows()).toEqual([
      { address: "zed@example.com", status: expected[0] },
      { address: zedsNew, status: expected[1] },
    ]),
  );
  const earlier = await sql<{ address: string }>`
    SELECT e.address FROM earlier_addresses e JOIN deliveries d ON d.id = e.delivery_id
    WHERE d.run_id = ${runId} ORDER BY e.address`.execute(db);
  expect(earlier.rows.map(({ address }) => address)).toEqual(["anna@example.com", "zed@example.com"]);
});

test("that was left half done is continued by a worker, and its run only ends then", async () => {
  const { db } = engine;
  await addPeople(db, 5);
  const transport = new FakeTransport({
    // The same for all would be about the message, which then waits.
    behavior: ({ deliveryId }) => ({
      kind: "refused",
      of: "message",
      code: `554 ${deliveryId}`,
      detail: "spam",
    }),
  });
  const first = await engine.start(transport);
  const { runId, notificationId } = await send(db);
  await ends(notificationId, "Failed");
  await first.stop();
  transport.behavior = () => ACCEPTED;
  const resend = await addResend(db, runId, { unconfirmed: false, includeReached: false });
  expect(await resendSome(db, resend, 2)).toEqual({ runId, done: false });
  expect(await statuses(db, runId)).toEqual({ queued: 2, failed: 3 });

  await db.transaction().execute(async (tx) => {
    // Someone is at it, and slow.
    await sql`SELECT FROM resends FOR UPDATE`.execute(tx);
    await engine.start(transport);
    await until(async () => expect(await statuses(db, runId)).toEqual({ accepted: 2, failed: 3 }));
    await finishRuns(db, null);
    expect(await notificationStatus(db, notificationId)).toBe("Sending");
  });
  await ends(notificationId, "Delivered");
  expect(await resendTotals(db, resend)).toEqual({ requeued: 5, stillUnreachable: 0 });
  expect(await resendSome(db)).toBeNull();
});

test("two who now have one address get one message, also in different steps", async () => {
  const { db } = engine;
  await addPerson(db, { first_name: "Ann", email: null });
  await addPerson(db, { first_name: "Bob", email: null });
  const worker = await engine.start(new FakeTransport());
  const { runId, notificationId } = await send(db);
  await ends(notificationId, "Failed");
  await worker.stop();
  await db.updateTable("users").set({ email: "home@example.com" }).execute();
  const resend = await addResend(db, runId, { unconfirmed: false, includeReached: false });
  for (;;) if ((await resendSome(db, resend, 1))!.done) break;
  expect(await statuses(db, runId)).toEqual({ queued: 1, skipped: 1 });
});

test("that is under way ends when the run is stopped", async () => {
  const { db } = engine;
  await addPeople(db, 3);
  const transport = new FakeTransport({
    behavior: () => ({ kind: "refused", of: "message", code: "554", detail: "spam" }),
  });
  const worker = await engine.start(transport);
  const { runId, notificationId } = await send(db);
  await ends(notificationId, "Failed");
  await worker.stop();
  const resend = await addResend(db, runId, { unconfirmed: false, includeReached: false });
  await resendSome(db, resend, 2);
  await cancelRun(db, notificationId);
  expect(await resendSome(db, resend, 2)).toEqual({ runId, done: true });
  expect(await statuses(db, runId)).toEqual({ cancelled: 2, failed: 1 });
});

test("is refused where nothing was sent, or it was stopped", async () => {
  const { db } = engine;
  await addPeople(db, 1);
  await expect(sendAgain(db, await addNotification(db))).rejects.toMatchObject({ code: "conflict" });
  await expect(sendAgain(db, 99_999_999)).rejects.toMatchObject({ code: "not-found" });
  const asked = retryPreview(db, 99_999_999, { unconfirmed: false });
  await expect(asked).rejects.toMatchObject({ code: "not-found" });
  const { notificationId } = await send(db);
  await cancelRun(db, notificationId);
  await expect(sendAgain(db, notificationId)).rejects.toMatchObject({ code: "conflict" });
});

/** Two homes: in the first the leaseholder's address is dead, in the second it is only busy. */
async function homesWithFailures() {
  const { db } = engine;
  const [first, second] = [await addHome(db, "Maple Court", "1a"), await addHome(db, "Maple Court", "2a")];
  const add = async (name: string, home: number, role: ResidencyRole, email = `${name}@example.com`) => {
    const id = await addPerson(db, { first_name: name, email });
    await moveIn(db, id, home, { role });
    return id;
  };
  const people = {
    dead: await add("dead", first, "leaseholder"),
    bob: await add("bob", first, "occupant"),
    cas: await add("cas", first, "occupant"),
    busy: await add("busy", second, "leaseholder"),
    dee: await add("dee", second, "occupant"),
  };
  // An account that refuses everyone is set back, and blocks no address.
  await addPerson(db, { first_name: "fine" });
  let busy = true;
  const transport = new FakeTransport({
    behavior: ({ address }) => {
      if (address.startsWith("dead@"))
        return { kind: "refused", of: "recipient", code: "550 5.1.1", detail: "nobody", suppress: true };
      if (busy && address.startsWith("busy@"))
        return { kind: "refused", of: "recipient", code: "550 5.7.1", detail: "no", suppress: false };
      return ACCEPTED;
    },
  });
  await engine.start(transport);
  const sent = await send(db, { perHome: true });
  await ends(sent.notificationId, "Partially Delivered");
  await suppressed(1);
  busy = false;
  return { ...sent, people };
}

const toldOf = async (runId: number) => {
  const { rows } = await sql<{ told: string }>`
    SELECT person_name || ': ' || CASE reason WHEN 'same-home' THEN 'through ' || detail ELSE coalesce(reason, status) END AS told
    FROM deliveries WHERE run_id = ${runId} ORDER BY user_id`.execute(engine.db);
  return rows.map(({ told }) => told.replaceAll(" Lee", ""));
};

test("one message per home: a retry goes to the same person, or if they can't get it to the next one in the home", async () => {
  const { db } = engine;
  const { runId, notificationId } = await homesWithFailures();
  expect(await toldOf(runId)).toEqual([
    "dead: no-such-address",
    "bob: through dead",
    "cas: through dead",
    "busy: refused",
    "dee: through busy",
    "fine: accepted",
  ]);
  expect(await retryPreview(db, notificationId)).toMatchObject({ messages: 2 });
  expect(await sendAgain(db, notificationId)).toMatchObject({ requeued: 2 });
  await ends(notificationId, "Partially Delivered");
  await until(async () => expect(await statuses(db, runId)).toMatchObject({ accepted: 3 }));
  expect(await toldOf(runId)).toEqual([
    "dead: no-such-address",
    "bob: accepted",
    "cas: through bob",
    "busy: accepted",
    "dee: through busy",
    "fine: accepted",
  ]);
});

test("one message per home: a corrected address takes the others of the home along, and who has left is not waited for", async () => {
  const { db } = engine;
  const { runId, notificationId, people } = await homesWithFailures();
  await db.updateTable("users").set({ email: "right@example.com" }).where("id", "=", people.dead).execute();
  await db.updateTable("users").set({ deleted_at: new Date() }).where("id", "=", people.busy).execute();
  expect(await sendAgain(db, notificationId)).toMatchObject({ requeued: 2 });
  await until(async () => expect(await statuses(db, runId)).toMatchObject({ accepted: 3 }));
  expect(await toldOf(runId)).toEqual([
    "dead: accepted",
    "bob: through dead",
    "cas: through dead",
    "busy: refused",
    "dee: accepted",
    "fine: accepted",
  ]);
  const { rows } =
    await sql`SELECT DISTINCT address FROM deliveries WHERE run_id = ${runId} AND user_id <= ${people.cas}`.execute(
      db,
    );
  expect(rows).toEqual([{ address: "right@example.com" }]);
});
