import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { connect } from "#server/db/database.ts";
import { fanOutSome } from "../fan-out.ts";
import { servingAccounts } from "../accounts.ts";
import { until } from "#server/testing/until.ts";
import { withEngines } from "../testing/engine.ts";
import { addPeople, claimSome, send } from "../testing/scene.ts";
import type { Claimed } from "./claim.ts";
import { openTransports } from "../open-transports.ts";
import { OutcomeWriter } from "./outcome-writer.ts";
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

const accepted = ({ id }: Claimed, token: number): Change => ({
  id,
  token,
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

test("a message may begin once the one before it is on record", async () => {
  const { token, deliveries } = await claimed(20);
  const outcomeWriter = new OutcomeWriter(engine.db, token, on);
  // Two connections, each with its own row of messages.
  const connection = async (own: readonly Claimed[]) => {
    for (const [index, delivery] of own.entries()) {
      expect(await outcomeWriter.begin(delivery.id)).toBe(true);
      for (const before of own.slice(0, index)) expect(await statusOf(before)).toBe("accepted");
      outcomeWriter.settle(accepted(delivery, token));
    }
  };
  await Promise.all([connection(deliveries.slice(0, 10)), connection(deliveries.slice(10))]);
  await outcomeWriter.flushed();
  for (const delivery of deliveries) expect(await statusOf(delivery)).toBe("accepted");
});

function counted() {
  const seen = { statements: 0 };
  const db = engine.db.withPlugin({
    transformQuery: ({ node }) => {
      seen.statements += 1;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  return { seen, db };
}

test("what was settled and what begins next cost one statement", async () => {
  const { token, deliveries } = await claimed(3);
  const [first, second, third] = deliveries as [Claimed, Claimed, Claimed];
  const { seen, db } = counted();
  const outcomeWriter = new OutcomeWriter(db, token, on);
  expect(await outcomeWriter.begin(first.id)).toBe(true);
  outcomeWriter.settle(accepted(first, token));
  expect(await Promise.all([outcomeWriter.begin(second.id), outcomeWriter.begin(third.id)])).toEqual([
    true,
    true,
  ]);
  expect(await statusOf(first)).toBe("accepted");
  expect(seen.statements).toBe(2);
});

test("the answers of half the connections and what they begin next share a commit", async () => {
  const { token, deliveries } = await claimed(50);
  const { seen, db } = counted();
  const outcomeWriter = new OutcomeWriter(db, token, on);
  // How long a commit waits at most depends on the machine, so here it waits for as long as it takes.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let sending = 5;
  const commits = new Map<number, { began: number; sending: number }>();
  // The answers come one after the other, and only some steps later each connection asks for its next message.
  const connection = async (own: readonly Claimed[], turns: number) => {
    for (const delivery of own) {
      expect(await outcomeWriter.begin(delivery.id)).toBe(true);
      const { began = 0 } = commits.get(seen.statements) ?? {};
      commits.set(seen.statements, { began: began + 1, sending });
      for (let turn = 0; turn < turns; turn += 1) await nextTurn();
      outcomeWriter.settle(accepted(delivery, token));
      for (let step = 0; step < 10; step += 1) await Promise.resolve();
    }
    sending -= 1;
  };
  await Promise.all([0, 1, 2, 3, 4].map((n) => connection(deliveries.slice(n * 10, n * 10 + 10), n + 1)));
  await outcomeWriter.flushed();
  for (const commit of commits.values()) expect(commit.began).toBeGreaterThanOrEqual(commit.sending / 2);
});

test("the next commit leaves before the messages that the last one let begin", async () => {
  const { token, deliveries } = await claimed(2);
  const { seen, db } = counted();
  const outcomeWriter = new OutcomeWriter(db, token, on);
  const first = outcomeWriter.begin(deliveries[0]!.id);
  while (seen.statements === 0) await nextTurn();
  const second = outcomeWriter.begin(deliveries[1]!.id);
  expect(await first).toBe(true);
  expect(seen.statements).toBe(2);
  expect(await second).toBe(true);
});

test("what is not the worker's anymore may not begin", async () => {
  const { token, deliveries } = await claimed(2);
  const [first, second] = deliveries as [Claimed, Claimed];
  const outcomeWriter = new OutcomeWriter(engine.db, token, on);
  await engine.db.updateTable("deliveries").set({ lease_token: null }).where("id", "=", first.id).execute();
  expect(await Promise.all([outcomeWriter.begin(first.id), outcomeWriter.begin(second.id)])).toEqual([
    false,
    true,
  ]);
});

test("nothing begins once the lease has run out, though no one has taken over yet", async () => {
  const { token, deliveries } = await claimed(1);
  const outcomeWriter = new OutcomeWriter(engine.db, token, on);
  await sql`UPDATE workers SET lease_until = now() WHERE token = ${token}`.execute(engine.db);
  expect(await outcomeWriter.begin(deliveries[0]!.id)).toBe(false);
});

test("without a database nothing begins, and a lost lease ends the waiting", async () => {
  const { token, deliveries } = await claimed(1);
  // No one listens there.
  const own = connect("postgres://nobody@127.0.0.1:1/none");
  let errors = 0;
  const outcomeWriter = new OutcomeWriter(own, token, { ...on, error: () => (errors += 1) });
  let answer: boolean | undefined;
  void outcomeWriter.begin(deliveries[0]!.id).then((ours) => (answer = ours));
  await until(() => expect(errors).toBeGreaterThan(0));
  expect(answer).toBeUndefined();
  outcomeWriter.close();
  await until(() => expect(answer).toBe(false));
  expect(await outcomeWriter.begin(deliveries[0]!.id)).toBe(false);
  await outcomeWriter.flushed();
  await own.destroy();
});

test("an acceptance that comes after its lease was lost settles what others called uncertain, and nothing else", async () => {
  const { db } = engine;
  const { token, deliveries } = await claimed(3);
  const [late, repeated, failed] = deliveries as [Claimed, Claimed, Claimed];
  // The database is away when the answers come, and back when others have taken over.
  let away = true;
  const flaky = db.withPlugin({
    transformQuery: ({ node }) => {
      if (away) throw new Error("connection refused");
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  const outcomeWriter = new OutcomeWriter(flaky, token, on);
  away = false;
  for (const { id } of deliveries) expect(await outcomeWriter.begin(id)).toBe(true);
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

test("a process that is asked to stop does not wait for a database that does not come back", async () => {
  const { token, deliveries } = await claimed(1);
  const gone = connect("postgres://porchlight@127.0.0.1:1/none");
  const outcomeWriter = new OutcomeWriter(gone, token, on);
  outcomeWriter.settle(accepted(deliveries[0]!, token));
  outcomeWriter.close();
  outcomeWriter.abandon();
  await expect(outcomeWriter.flushed()).resolves.toBeUndefined();
  await gone.destroy();
  await sql`DELETE FROM workers`.execute(engine.db);
});
