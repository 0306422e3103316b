import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { detailCounts, runProgress } from "#contract/run-progress.ts";
import { channelSet } from "#server/audience/person.ts";
import { deliveriesOf } from "./deliveries.ts";
import type { DeliveriesQuestion } from "./list-deliveries.ts";
import { fanOutSome } from "#server/delivery/runs/fan-out.ts";
import { cancelRun } from "#server/delivery/runs/cancel-run.ts";
import { progressOf } from "./progress.ts";
import { until } from "#server/testing/until.ts";
import { withEngines } from "#server/delivery/testing/engine.ts";
import { sendAgain } from "#server/delivery/retry/send-again.ts";
import { ACCEPTED, FakeTransport } from "#server/delivery/testing/fake-transport.ts";
import { recordAccounts } from "#server/delivery/accounts/accounts.ts";
import { accountFor } from "#server/delivery/testing/quick-worker.ts";
import { addPeople, addPerson, notificationStatus, send } from "#server/delivery/testing/scene.ts";

const engine = withEngines();

async function currentProgress(notificationId: number) {
  const progress = (await progressOf(engine.db, [notificationId])).get(notificationId);
  return runProgress.parse(progress);
}

/** What is not zero. */
async function outcomes(notificationId: number) {
  const counted = Object.entries((await currentProgress(notificationId)).outcomes);
  return Object.fromEntries(counted.filter(([, people]) => people > 0));
}

async function list(runId: number, question: Partial<DeliveriesQuestion>) {
  const { total, rows } = await deliveriesOf(engine.db, runId, {
    show: "all",
    page: 1,
    pageSize: 25,
    ...question,
  });
  return { total, rows: rows.map(({ name, channel }) => `${name.split(" ")[0]} ${channel}`) };
}

/** Three who are reached by email though push is off, one whom nothing reaches, and two who share an address. */
async function sendToSix() {
  const { db } = engine;
  await addPeople(db, 3);
  await addPerson(db, { first_name: "None", email: null });
  await addPerson(db, {
    first_name: "Holder",
    email: "home@example.com",
    channels: channelSet(["email", "sms", "push"]),
  });
  await addPerson(db, { first_name: "Sharer", email: "home@example.com" });
  return send(db, { channels: ["email", "push"] });
}

const ended = (notificationId: number) =>
  until(async () => expect(await notificationStatus(engine.db, notificationId)).not.toBe("Sending"));

describe("a run on two channels", () => {
  test("counts each person once, by the best that became of them", async () => {
    const { notificationId } = await sendToSix();
    await fanOutSome(engine.db);
    expect(await outcomes(notificationId)).toEqual({ waiting: 5, skipped: 1 });
    expect(await currentProgress(notificationId)).toMatchObject({ people: 6, peopleWaiting: 5 });

    await engine.start(new FakeTransport());
    await ended(notificationId);
    expect(await outcomes(notificationId)).toEqual({ sent: 4, shared: 1, skipped: 1 });
    expect(await currentProgress(notificationId)).toMatchObject({ total: 12, peopleWaiting: 0 });
  });

  test("lists people who got nothing first, apart from those reached another way", async () => {
    await engine.start(new FakeTransport());
    const { runId, notificationId } = await sendToSix();
    await ended(notificationId);
    expect(await list(runId, { show: "unreached" })).toEqual({ total: 1, rows: ["None email", "None push"] });
    const all = await list(runId, {});
    expect(all.total).toBe(6);
    expect(all.rows).toHaveLength(12);
    expect(all.rows.slice(0, 2)).toEqual(["None email", "None push"]);
    expect(new Set(all.rows).size).toBe(12);
    expect(await list(runId, { show: "unreached", q: "holder" })).toEqual({ total: 0, rows: [] });
    expect(await list(runId, { q: "sharer" })).toEqual({ total: 1, rows: ["Sharer email", "Sharer push"] });
    expect(await list(runId, { page: 2, pageSize: 4 })).toEqual({ total: 6, rows: all.rows.slice(8) });
  });
});

describe("a run of which a channel goes to the Sandbox", () => {
  const REFUSED = { kind: "refused", of: "recipient", code: "550", detail: "No" } as const;
  const sandbox = () => new FakeTransport({ kind: "sandbox", simulated: true });
  const channels = ["email", "sms"] as const;

  test("claims no one for it, while the other is under way and after it has failed", async () => {
    const { db } = engine;
    await addPerson(db, { first_name: "Ann", email: "ann@example.com" });
    await addPerson(db, { first_name: "Bob", email: "bob@example.com", phone: null });
    await addPerson(db, { first_name: "Cas", email: null });
    let answer: (outcome: typeof ACCEPTED) => void = () => undefined;
    const slow = new Promise<typeof ACCEPTED>((resolve) => (answer = resolve));
    const email = new FakeTransport({
      behavior: ({ address }) => (address.startsWith("bob") ? slow : REFUSED),
    });
    await engine.start(email, { sandbox: sandbox() });
    const { notificationId, runId } = await send(db, { channels: [...channels] });
    await until(async () => expect((await currentProgress(notificationId)).byChannel.sms?.accepted).toBe(2));
    await until(async () =>
      expect(await outcomes(notificationId)).toEqual({ failed: 1, waiting: 1, skipped: 1 }),
    );
    expect(await currentProgress(notificationId)).toMatchObject({
      simulated: true,
      simulatedChannels: ["sms"],
    });

    answer(ACCEPTED);
    await ended(notificationId);
    expect(await notificationStatus(db, notificationId)).toBe("Partially Delivered");
    expect(await outcomes(notificationId)).toEqual({ sent: 1, failed: 1, skipped: 1 });
    expect(detailCounts(await currentProgress(notificationId))).toMatchObject({
      sent_count: 1,
      failed_count: 1,
    });
    const missed = { total: 2, rows: ["Ann email", "Cas email"] };
    expect(await list(runId, { show: "unreached" })).toEqual(missed);
    expect(await list(runId, { show: "unreached", q: "lee" })).toEqual(missed);
    expect(await list(runId, { show: "reached" })).toEqual({ total: 1, rows: ["Bob email"] });
    const all = ["Ann email", "Ann sms", "Cas email", "Cas sms", "Bob email", "Bob sms"];
    expect(await list(runId, {})).toEqual({ total: 3, rows: all });
    expect(await list(runId, { q: "lee" })).toEqual({ total: 3, rows: all });
    expect(await list(runId, { page: 2, pageSize: 2 })).toEqual({ total: 3, rows: all.slice(4) });
  });

  test("has failed when nothing went out for real, and is no rehearsal while that waits", async () => {
    const { db } = engine;
    await addPeople(db, 1);
    await engine.start(new FakeTransport({ behavior: () => REFUSED }), { sandbox: sandbox() });
    await sql`UPDATE accounts SET state = 'paused' WHERE NOT simulated`.execute(db);
    const { notificationId } = await send(db, { channels: [...channels] });
    await until(async () => expect((await currentProgress(notificationId)).byChannel.sms?.accepted).toBe(1));
    expect(await outcomes(notificationId)).toEqual({ waiting: 1 });
    await sql`UPDATE accounts SET state = 'ok' WHERE NOT simulated`.execute(db);
    await ended(notificationId);
    expect(await notificationStatus(db, notificationId)).toBe("Failed");
    expect(await outcomes(notificationId)).toEqual({ failed: 1 });
  });

  test("counts persons over two that went out for real", async () => {
    const { db } = engine;
    await addPerson(db, { channels: channelSet(["email", "sms", "push"]) });
    await addPerson(db, { email: null, phone: null, channels: channelSet(["email", "sms", "push"]) });
    const texts = new FakeTransport({ kind: "texts", channel: "sms" });
    await engine.start([accountFor(new FakeTransport({ behavior: () => REFUSED })), accountFor(texts)], {
      sandbox: sandbox(),
    });
    const { notificationId } = await send(db, { channels: ["email", "sms", "push"] });
    await ended(notificationId);
    expect(await outcomes(notificationId)).toEqual({ sent: 1, skipped: 1 });
    expect((await currentProgress(notificationId)).simulatedChannels).toEqual(["push"]);
  });

  test("is a rehearsal when all of them do, even for people who have none of the others", async () => {
    const { db } = engine;
    await addPeople(db, 2);
    await addPerson(db, { phone: null });
    await engine.start(new FakeTransport(), { sandbox: sandbox() });
    const { notificationId, runId } = await send(db, { channels: ["sms", "push"] });
    await ended(notificationId);
    expect(await notificationStatus(db, notificationId)).toBe("Partially Delivered");
    expect(await outcomes(notificationId)).toEqual({ sent: 2, skipped: 1 });
    expect(await currentProgress(notificationId)).toMatchObject({ simulated: true, simulatedChannels: [] });
    const { total, rows } = await list(runId, { show: "reached" });
    expect([total, rows.length]).toEqual([2, 4]);
  });
});

test("what is meant to go out never goes to the Sandbox, and a rehearsal never goes out", async () => {
  const { db } = engine;
  await addPeople(db, 2);
  const rehearsed = new FakeTransport({ kind: "sandbox", simulated: true });
  const email = new FakeTransport();
  const worker = await engine.start(email, { sandbox: rehearsed });
  await worker.stop();
  const meant = await send(db);
  await recordAccounts(db, []);
  const rehearsal = await send(db);
  await engine.start([], { sandbox: rehearsed });
  await ended(rehearsal.notificationId);
  await until(async () =>
    expect(await currentProgress(meant.notificationId)).toMatchObject({
      stalled: "waiting for an account for email",
      secondsLeft: null,
      notes: ["Email: 2 waiting. No account for email is connected anymore. Connect one to send them."],
    }),
  );
  expect([rehearsed.received.length, email.received.length]).toEqual([2, 0]);
  await engine.start(email, { sandbox: rehearsed });
  await ended(meant.notificationId);
  expect([rehearsed.received.length, email.received.length]).toEqual([2, 2]);
  expect((await currentProgress(rehearsal.notificationId)).simulated).toBe(true);
  expect((await currentProgress(meant.notificationId)).simulated).toBe(false);
});

test("a run on one channel says the same of its people as of its messages", async () => {
  const { db } = engine;
  await addPeople(db, 2);
  await addPerson(db, { first_name: "None", email: null });
  await addPerson(db, { first_name: "Holder", email: "home@example.com" });
  await addPerson(db, { first_name: "Sharer", email: "home@example.com" });
  await engine.start(new FakeTransport());
  const { notificationId } = await send(db);
  await ended(notificationId);
  expect(await outcomes(notificationId)).toEqual({ sent: 3, shared: 1, skipped: 1 });
});

describe("people who share an address get the outcome of the person whose message goes there", () => {
  const REFUSED = { kind: "refused", of: "recipient", code: "550", detail: "No", suppress: false } as const;
  const refusingHome = () =>
    new FakeTransport({ behavior: ({ address }) => (address === "home@example.com" ? REFUSED : ACCEPTED) });

  async function sendToHome(channels: ("email" | "push")[]) {
    const { db } = engine;
    await addPerson(db, { first_name: "Fine", email: "fine@example.com" });
    await addPerson(db, { first_name: "Anna", email: "home@example.com" });
    await addPerson(db, { first_name: "Ben", email: "home@example.com" });
    await addPerson(db, {
      first_name: "Cas",
      email: "home@example.com",
      channels: channelSet(["email", "sms", "push"]),
    });
    return send(db, { channels });
  }

  test("are not reached if it fails, and are listed as such with the reason", async () => {
    await engine.start(refusingHome());
    const { runId, notificationId } = await sendToHome(["email"]);
    expect(await outcomes(notificationId)).not.toHaveProperty("shared");
    await ended(notificationId);
    expect(await outcomes(notificationId)).toEqual({ sent: 1, failed: 3 });
    const missed = { total: 3, rows: ["Anna email", "Ben email", "Cas email"] };
    expect(await list(runId, { show: "unreached" })).toEqual(missed);
    expect(await list(runId, { show: "unreached", q: "lee" })).toEqual(missed);
  });

  test("unless another channel reached them", async () => {
    await engine.start(refusingHome());
    const { runId, notificationId } = await sendToHome(["email", "push"]);
    await ended(notificationId);
    expect(await outcomes(notificationId)).toEqual({ sent: 2, failed: 2 });
    const missed = ["Anna email", "Anna push", "Ben email", "Ben push"];
    expect((await list(runId, { show: "unreached" })).rows.toSorted()).toEqual(missed);
    expect(await list(runId, {})).toMatchObject({ total: 4 });
  });

  test("who was cancelled with it", async () => {
    const { runId, notificationId } = await sendToHome(["email"]);
    await fanOutSome(engine.db);
    expect(await outcomes(notificationId)).toEqual({ waiting: 4 });
    expect(await list(runId, { show: "cancelled" })).toMatchObject({ total: 0 });
    await cancelRun(engine.db, notificationId);
    expect(await outcomes(notificationId)).toEqual({ cancelled: 4 });
    expect(await list(runId, { show: "cancelled" })).toMatchObject({ total: 4 });
    expect(await list(runId, { show: "unreached" })).toMatchObject({ total: 0 });
  });

  test("also when that is another one by now, which no counter tells", async () => {
    const { db } = engine;
    const behavior: FakeTransport["behavior"] = ({ name }) =>
      name === "Anna Lee" ? { kind: "uncertain", code: "connection_lost", detail: "no answer" } : ACCEPTED;
    await engine.start(new FakeTransport({ behavior }));
    const { runId, notificationId } = await sendToHome(["email"]);
    await until(async () => expect(await outcomes(notificationId)).toEqual({ sent: 1, unconfirmed: 3 }));
    await sql`UPDATE deliveries SET unconfirmed = 1, due_at = now(), expires_at = now()
      WHERE status = 'uncertain'`.execute(db);
    await ended(notificationId);
    expect(await outcomes(notificationId)).toEqual({ sent: 1, failed: 3 });

    await db
      .updateTable("users")
      .set({ email: "fine@example.com" })
      .where("first_name", "=", "Ben")
      .execute();
    expect(await sendAgain(db, notificationId)).toMatchObject({ requeued: 0, stillUnreachable: 0 });
    expect(await outcomes(notificationId)).toEqual({ sent: 1, shared: 1, failed: 2 });
    const { rows } = await deliveriesOf(db, runId, { show: "all", q: "ben", page: 1, pageSize: 1 });
    expect(rows[0]).toMatchObject({
      sentence: "Covered by Fine Lee's email. The provider accepted it.",
      next: "",
    });
  });
});
