import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { sql, type KyselyPlugin } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { connect } from "#server/db/database.ts";
import { fanOutSome } from "../runs/fan-out.ts";
import { servingAccounts } from "../accounts/accounts.ts";
import { refusing } from "#server/testing/refusing.ts";
import { until } from "#server/testing/until.ts";
import { withEngines } from "../testing/engine.ts";
import { addPeople, claimSome, send } from "../testing/scene.ts";
import type { Claimed } from "./claim.ts";
import { openTransports } from "../accounts/open-transports.ts";
import { OutcomeWriter } from "./outcome-writer.ts";
import { writeJournal } from "./journal.ts";
import { takeLease } from "./worker-session.ts";
import { reapDeadWorkers } from "./reap.ts";
import { decideUnconfirmed } from "./unconfirmed.ts";
import type { Change } from "./record.ts";

const engine = withEngines();
const on = { recorded: () => undefined, error: () => undefined };

async function claimed(people: number) {
  const { db } = engine;
  await addPeople(db, people);
  await send(db);
  await fanOutSome(db);
  const token = await takeLease(db, "test", 30);
  const account = (await servingAccounts(db)).find(({ channel }) => channel === "email")!;
  return { token, deliveries: await claimSome(db, { token, account, limit: people, which: "any" }) };
}

const accepted = ({ id, claim }: Claimed, token: number): Change => ({
  id,
  token,
  claim,
  was: "sending",
  begun: true,
  status: "accepted",
  reason: null,
  detail: null,
  delayMs: null,
});

const statusOf = async ({ id }: Claimed) =>
  (await engine.db.selectFrom("deliveries").select("status").where("id", "=", id).executeTakeFirstOrThrow())
    .status;

/** What would be on record if the process died now, by delivery. */
async function onRecord(): Promise<Map<number, string>> {
  const { db } = engine;
  // In this order, because an entry may be settled in between.
  const entries = await db.selectFrom("worker_journal").select("ended").execute();
  const rows = await db.selectFrom("deliveries").select(["id", "status"]).execute();
  const ended = entries.flatMap((entry) => entry.ended as Change[]);
  return new Map([...rows, ...ended].map(({ id, status }) => [id, status]));
}

test("a message may begin once the one before it is on record", async () => {
  const { token, deliveries } = await claimed(20);
  const outcomeWriter = new OutcomeWriter(engine.db, token, on);
  // Two connections, each with its own row of messages.
  const connection = async (own: readonly Claimed[]) => {
    for (const [index, delivery] of own.entries()) {
      expect(await outcomeWriter.begin(delivery)).toBe(true);
      const known = await onRecord();
      for (const before of own.slice(0, index)) expect(known.get(before.id)).toBe("accepted");
      outcomeWriter.settle(accepted(delivery, token));
    }
  };
  await Promise.all([connection(deliveries.slice(0, 10)), connection(deliveries.slice(10))]);
  await outcomeWriter.flushed();
  for (const delivery of deliveries) expect(await statusOf(delivery)).toBe("accepted");
  expect(await engine.db.selectFrom("worker_journal").selectAll().execute()).toEqual([]);
  const { rows } = await sql<{ timely: boolean }>`
    SELECT bool_and(d.begun_at <= d.accepted_at) AS timely FROM deliveries d`.execute(engine.db);
  expect(rows).toEqual([{ timely: true }]);
});

/** How many entries of the journal, and how many other statements, were asked for. */
function counted() {
  const seen = { entries: 0, others: 0 };
  const db = engine.db.withPlugin({
    transformQuery: ({ node }) => {
      seen[JSON.stringify(node).includes("begin_deliveries") ? "entries" : "others"] += 1;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  return { seen, db };
}

test("what ended and what begins next cost one statement, and many are settled by one more", async () => {
  const { token, deliveries } = await claimed(3);
  const [first, second, third] = deliveries as [Claimed, Claimed, Claimed];
  const { seen, db } = counted();
  const outcomeWriter = new OutcomeWriter(db, token, on);
  // How long outcomes wait for others depends on the machine, so here they wait for as long as it takes.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  expect(await outcomeWriter.begin(first)).toBe(true);
  outcomeWriter.settle(accepted(first, token));
  expect(await Promise.all([outcomeWriter.begin(second), outcomeWriter.begin(third)])).toEqual([true, true]);
  expect((await onRecord()).get(first.id)).toBe("accepted");
  expect(seen).toEqual({ entries: 2, others: 0 });
  outcomeWriter.settle(accepted(second, token), accepted(third, token));
  vi.runAllTimers();
  await outcomeWriter.flushed();
  expect(seen).toEqual({ entries: 2, others: 1 });
  for (const delivery of deliveries) expect(await statusOf(delivery)).toBe("accepted");
});

/** The deliveries that began with the latest entry of the journal. */
const begunLast = async () =>
  (await engine.db.selectFrom("worker_journal").select("begun").orderBy("id", "desc").executeTakeFirst())
    ?.begun;

test("an entry waits until as many ask for it as are on the wire, and for what the last answer's connection sends next", async () => {
  const { token, deliveries } = await claimed(5);
  const [first, second, third, fourth, fifth] = deliveries as [Claimed, Claimed, Claimed, Claimed, Claimed];
  const outcomeWriter = new OutcomeWriter(engine.db, token, on);
  // How long an entry waits at most depends on the machine, so here it waits for as long as it takes.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await Promise.all([first, second, third].map((delivery) => outcomeWriter.begin(delivery)));
  outcomeWriter.settle(accepted(first, token));
  const next = outcomeWriter.begin(fourth);
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  outcomeWriter.settle(accepted(second, token));
  // The connection takes some steps from an answer to its next message.
  for (let step = 0; step < 10; step += 1) await Promise.resolve();
  void outcomeWriter.begin(fifth);
  expect(await next).toBe(true);
  expect(await begunLast()).toEqual([fourth.id, fifth.id]);
});

test("an entry leaves as soon as five messages wait for it, however many are on the wire", async () => {
  const { token, deliveries } = await claimed(25);
  const outcomeWriter = new OutcomeWriter(engine.db, token, on);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await Promise.all(deliveries.slice(0, 20).map((delivery) => outcomeWriter.begin(delivery)));
  const five = deliveries.slice(20);
  expect(await Promise.all(five.map((delivery) => outcomeWriter.begin(delivery)))).toEqual(
    five.map(() => true),
  );
});

test("an entry leaves out what hadn't begun and what is settled already", async () => {
  const { token, deliveries } = await claimed(3);
  const [first, second, third] = deliveries as [Claimed, Claimed, Claimed];
  const outcomeWriter = new OutcomeWriter(engine.db, token, on);
  await outcomeWriter.begin(first);
  outcomeWriter.settle(accepted(first, token));
  await outcomeWriter.flushed();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  outcomeWriter.settle({ ...accepted(second, token), begun: false, status: "queued" });
  await outcomeWriter.begin(third);
  const entries = await engine.db.selectFrom("worker_journal").select(["begun", "ended"]).execute();
  expect(entries).toEqual([{ begun: [third.id], ended: [] }]);
});

test("a delivery says that it has begun while its message is on the wire for long, and says so once", async () => {
  const { token, deliveries } = await claimed(2);
  const outcomeWriter = new OutcomeWriter(engine.db, token, on);
  const stored = async () => {
    const { rows } = await sql<{ begunAt: Date | null; version: string }>`
      SELECT begun_at AS "begunAt", xmin::text AS version FROM deliveries WHERE id = ${deliveries[0]!.id}`.execute(
      engine.db,
    );
    return rows[0]!;
  };
  expect(await outcomeWriter.begin(deliveries[0]!)).toBe(true);
  await until(async () => expect((await stored()).begunAt).toBeInstanceOf(Date));
  expect(await engine.db.selectFrom("worker_journal").selectAll().execute()).toEqual([]);
  const before = await stored();
  expect(await outcomeWriter.begin(deliveries[1]!)).toBe(true);
  outcomeWriter.settle(accepted(deliveries[1]!, token));
  await outcomeWriter.flushed();
  expect(await stored()).toEqual(before);
  outcomeWriter.settle(accepted(deliveries[0]!, token));
  await outcomeWriter.flushed();
  expect(await statusOf(deliveries[0]!)).toBe("accepted");
});

test("many acceptances don't wait for others, and nor does a single failure", async () => {
  const { token, deliveries } = await claimed(1);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const many = Array.from({ length: 200 }, () => accepted(deliveries[0]!, token));
  const failure: Change = { ...accepted(deliveries[0]!, token), status: "failed", reason: "refused" };
  const { seen, db } = counted();
  const outcomeWriter = new OutcomeWriter(db, token, on);
  outcomeWriter.settle(...many.slice(1));
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  expect(seen.others).toBe(0);
  outcomeWriter.settle(many[0]!);
  await outcomeWriter.flushed();
  const before = seen.others;
  expect(before).toBeGreaterThan(0);
  outcomeWriter.settle(failure);
  await outcomeWriter.flushed();
  expect(seen.others).toBe(before + 1);
});

test("while the database is slow to settle, nothing more begins", async () => {
  const { token, deliveries } = await claimed(1);
  const hold = Promise.withResolvers<void>();
  const seen = { settling: 0 };
  const slow: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (Object.keys(result.rows[0] ?? {}).includes("entry")) return result;
      seen.settling += 1;
      await hold.promise;
      return result;
    },
  };
  const { seen: asked, db } = counted();
  const outcomeWriter = new OutcomeWriter(db.withPlugin(slow), token, on);
  // Of deliveries that are no longer its own: nothing is moved.
  const gone = Array.from({ length: 200 }, (_, n) => accepted({ ...deliveries[0]!, id: n + 1 }, token));
  const refused = gone.map((change) => ({ ...change, status: "failed" as const }));
  outcomeWriter.settle(...refused);
  while (seen.settling === 0) await nextTurn();
  for (let n = 0; n < 11; n += 1) outcomeWriter.settle(...refused);
  const first = outcomeWriter.begin(deliveries[0]!);
  expect(await first).toBe(true);
  let second: boolean | undefined;
  void outcomeWriter.begin(deliveries[0]!).then((ours) => (second = ours));
  for (let trip = 0; trip < 50; trip += 1) await sql`SELECT`.execute(engine.db);
  expect([second, asked.entries]).toEqual([undefined, 1]);
  hold.resolve();
  await until(() => expect(second).toBe(true));
  await outcomeWriter.flushed();
});

test("the next entry leaves before the messages that the last one let begin", async () => {
  const { token, deliveries } = await claimed(2);
  const { seen, db } = counted();
  const outcomeWriter = new OutcomeWriter(db, token, on);
  const first = outcomeWriter.begin(deliveries[0]!);
  while (seen.entries === 0) await nextTurn();
  const second = outcomeWriter.begin(deliveries[1]!);
  expect(await first).toBe(true);
  expect(seen.entries).toBe(2);
  expect(await second).toBe(true);
});

test("nothing of a cancelled run may begin", async () => {
  const { token, deliveries } = await claimed(1);
  const { rows } = await sql<{ runId: number }>`
    UPDATE runs SET state = 'cancelled' RETURNING id AS "runId"`.execute(engine.db);
  await send(engine.db);
  await fanOutSome(engine.db);
  const account = (await servingAccounts(engine.db)).find(({ channel }) => channel === "email")!;
  const others = await claimSome(engine.db, { token, account, limit: 1, which: "any" });
  expect(rows).toEqual([{ runId: deliveries[0]!.runId }]);
  const outcomeWriter = new OutcomeWriter(engine.db, token, on);
  const may = [...deliveries, ...others].map((delivery) => outcomeWriter.begin(delivery));
  expect(await Promise.all(may)).toEqual([false, true]);
});

test("nothing begins once the lease has run out, though no one has taken over yet", async () => {
  const { token, deliveries } = await claimed(1);
  const outcomeWriter = new OutcomeWriter(engine.db, token, on);
  await sql`UPDATE workers SET lease_until = now() WHERE token = ${token}`.execute(engine.db);
  expect(await outcomeWriter.begin(deliveries[0]!)).toBe(false);
});

test("without a database nothing begins, and a lost lease ends the waiting", async () => {
  const { token, deliveries } = await claimed(1);
  // No one listens there.
  const own = connect("postgres://nobody@127.0.0.1:1/none");
  let errors = 0;
  const outcomeWriter = new OutcomeWriter(own, token, { ...on, error: () => (errors += 1) });
  let answer: boolean | undefined;
  void outcomeWriter.begin(deliveries[0]!).then((ours) => (answer = ours));
  await until(() => expect(errors).toBeGreaterThan(0));
  expect(answer).toBeUndefined();
  outcomeWriter.close();
  await until(() => expect(answer).toBe(false));
  expect(await outcomeWriter.begin(deliveries[0]!)).toBe(false);
  await outcomeWriter.flushed();
  await own.destroy();
});

test("an acceptance that comes after its lease was lost settles what others called uncertain, and nothing else", async () => {
  const { db } = engine;
  const { token, deliveries } = await claimed(3);
  const [late, repeated, failed] = deliveries as [Claimed, Claimed, Claimed];
  // The database is away when the answers come, and back when others have taken over.
  let away = true;
  const flaky = refusing(db, "", () => away);
  const outcomeWriter = new OutcomeWriter(flaky, token, on);
  away = false;
  for (const delivery of deliveries) expect(await outcomeWriter.begin(delivery)).toBe(true);
  away = true;
  outcomeWriter.settle(accepted(late, token), accepted(repeated, token));
  outcomeWriter.settle({ ...accepted(failed, token), status: "failed", reason: "refused" });
  await sql`UPDATE workers SET lease_until = now()`.execute(db);
  outcomeWriter.close();
  await reapDeadWorkers(db, openTransports([], []), () => 0);
  await sql`UPDATE deliveries SET due_at = now() WHERE id = ${repeated.id}`.execute(db);
  await decideUnconfirmed(db, openTransports([], []));
  expect(await statusOf(late)).toBe("uncertain");
  away = false;
  await outcomeWriter.flushed();
  expect(await Promise.all(deliveries.map(statusOf))).toEqual(["accepted", "queued", "uncertain"]);
  const rows = await db
    .selectFrom("delivery_events")
    .select(["delivery_id", "kind"])
    .where("kind", "=", "answered-late")
    .execute();
  expect(rows).toEqual([{ delivery_id: late.id, kind: "answered-late" }]);
  const tries = await db.selectFrom("attempts").select("n").where("delivery_id", "=", late.id).execute();
  expect(tries).toEqual([{ n: 1 }]);
});

test("once the lease is lost, failures that only the journal has are left to those who take over", async () => {
  const { db } = engine;
  const { token, deliveries } = await claimed(3);
  const [first, second, third] = deliveries as [Claimed, Claimed, Claimed];
  let settles = false;
  const unable = refusing(db, "jsonb_to_recordset", () => !settles);
  const outcomeWriter = new OutcomeWriter(unable, token, on);
  await Promise.all([first, second].map((delivery) => outcomeWriter.begin(delivery)));
  outcomeWriter.settle({ ...accepted(second, token), status: "failed", reason: "refused" });
  expect(await outcomeWriter.begin(third)).toBe(true);
  outcomeWriter.settle(accepted(first, token));
  await sql`UPDATE workers SET lease_until = now()`.execute(db);
  outcomeWriter.close();
  settles = true;
  await outcomeWriter.flushed();
  expect(await Promise.all(deliveries.map(statusOf))).toEqual(["accepted", "sending", "sending"]);
  await reapDeadWorkers(db, openTransports([], []), () => 0);
  expect(await Promise.all(deliveries.map(statusOf))).toEqual(["accepted", "failed", "uncertain"]);
});

test("a process that is asked to stop writes what it may, and does not wait for a database that does not come back", async () => {
  const { token, deliveries } = await claimed(2);
  const written = new OutcomeWriter(engine.db, token, on);
  written.settle(accepted(deliveries[1]!, token));
  written.close();
  written.abandon();
  await written.flushed();
  expect(await statusOf(deliveries[1]!)).toBe("accepted");
  const gone = connect("postgres://porchlight@127.0.0.1:1/none");
  const outcomeWriter = new OutcomeWriter(gone, token, on);
  outcomeWriter.settle(accepted(deliveries[0]!, token));
  outcomeWriter.close();
  outcomeWriter.abandon();
  await expect(outcomeWriter.flushed()).resolves.toBeUndefined();
  await gone.destroy();
  await sql`DELETE FROM workers`.execute(engine.db);
});

/** Fits no index, so the database can't store it. */
const unstorable = (delivery: Claimed, token: number): Change => ({
  ...accepted(delivery, token),
  // Random, because what repeats is compressed.
  messageId: randomBytes(6000).toString("base64"),
});

test("an outcome that can't be stored doesn't hold up the others, and is stored without the provider's words", async () => {
  const { token, deliveries } = await claimed(3);
  const errors: unknown[] = [];
  const outcomeWriter = new OutcomeWriter(engine.db, token, { ...on, error: (error) => errors.push(error) });
  for (const delivery of deliveries) expect(await outcomeWriter.begin(delivery)).toBe(true);
  const [odd, ...others] = deliveries;
  outcomeWriter.settle(unstorable(odd!, token), ...others.map((delivery) => accepted(delivery, token)));
  await outcomeWriter.flushed();
  for (const delivery of deliveries) expect(await statusOf(delivery)).toBe("accepted");
  expect(await engine.db.selectFrom("worker_journal").selectAll().execute()).toEqual([]);
  expect(errors).toHaveLength(1);
});

test("an outcome that can't be stored at all is set aside, and the others are written", async () => {
  const { token, deliveries } = await claimed(2);
  const errors: unknown[] = [];
  const outcomeWriter = new OutcomeWriter(engine.db, token, { ...on, error: (error) => errors.push(error) });
  for (const delivery of deliveries) expect(await outcomeWriter.begin(delivery)).toBe(true);
  const [odd, other] = deliveries;
  const nonsense = { ...accepted(odd!, token), status: "nonsense" as "accepted" };
  outcomeWriter.settle(nonsense, accepted(other!, token));
  await outcomeWriter.flushed();
  expect([await statusOf(odd!), await statusOf(other!)]).toEqual(["sending", "accepted"]);
  expect(errors.map(String)).toContain(`Error: The outcome of delivery ${odd!.id} can't be stored`);
});

test("those who take over a journal settle the rest of it, too", async () => {
  const { token, deliveries } = await claimed(3);
  const [odd, other, last] = deliveries;
  await writeJournal(engine.db, token, { begins: deliveries });
  await writeJournal(engine.db, token, {
    begins: [],
    ended: [unstorable(odd!, token), accepted(other!, token), accepted(last!, token)],
  });
  await sql`UPDATE workers SET lease_until = now() - interval '1 second' WHERE token = ${token}`.execute(
    engine.db,
  );
  const errors: unknown[] = [];
  await reapDeadWorkers(engine.db, openTransports([], []), Math.random, (error) => errors.push(error));
  for (const delivery of deliveries) expect(await statusOf(delivery)).toBe("accepted");
  expect(await engine.db.selectFrom("worker_journal").selectAll().execute()).toEqual([]);
  expect(errors).toHaveLength(1);
});
