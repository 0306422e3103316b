import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import type { Check } from "../transports/transport.ts";
import { checkAccount, recordCheck } from "./check-account.ts";
import { fanOutSome } from "../runs/fan-out.ts";
import { progressOf } from "#server/activity/progress.ts";
import { servingAccounts, accountStates, recordAccounts } from "./accounts.ts";
import { openTransports } from "./open-transports.ts";
import { statuses } from "../testing/run-totals.ts";
import { until } from "#server/testing/until.ts";
import { withEngines } from "../testing/engine.ts";
import { ACCEPTED, FakeTransport } from "../testing/fake-transport.ts";
import { accountFor, linksFor } from "../testing/quick-worker.ts";
import { addPeople, claimSome, notificationStatus, send } from "../testing/scene.ts";
import { openSession, takeLease } from "../worker/worker-session.ts";
import { accountWorks, probeAccount, slowAccount } from "../worker/account-health.ts";
import { AccountWorkers, readServing } from "../worker/account-workers.ts";
import { OutcomeWriter } from "../worker/outcome-writer.ts";
import { AccountObserver } from "../worker/account-observer.ts";

const engine = withEngines();

const emailState = async () => (await accountStates(engine.db)).find(({ channel }) => channel === "email");
const probeNow = () => sql`UPDATE accounts SET retry_at = now() WHERE kind = 'fake'`.execute(engine.db);

test("one wrong key fails no one: the provider is paused, says why, and goes on once it is fixed", async () => {
  await addPeople(engine.db, 50);
  let fixed = false;
  const transport = new FakeTransport({
    behavior: () => (fixed ? ACCEPTED : { kind: "misconfigured", code: "535", detail: "wrong password" }),
    check: (): Check =>
      fixed
        ? { ok: true, detail: "signed in" }
        : { ok: false, of: "misconfigured", code: "535", detail: "wrong password" },
  });
  await engine.start(transport);
  const { runId, notificationId } = await send(engine.db);
  await until(async () =>
    expect(await emailState()).toMatchObject({ state: "Error", reason: "wrong password", waiting: 50 }),
  );
  await until(async () => expect(await statuses(engine.db, runId)).toEqual({ queued: 50 }));
  expect((await progressOf(engine.db, [notificationId])).get(notificationId)?.notes).toEqual([
    "Email: 50 waiting. mail.example isn't accepting messages (“wrong password”). We'll send them as soon as it does.",
  ]);

  await probeNow();
  await until(() => expect(transport.checks).toBeGreaterThan(0));
  expect(await statuses(engine.db, runId)).toEqual({ queued: 50 });
  fixed = true;
  await until(async () => {
    await probeNow();
    expect(await notificationStatus(engine.db, notificationId)).toBe("Delivered");
  });
  expect(await emailState()).toMatchObject({ state: "Connected", reason: "signed in", waiting: 0 });
  const { rows } = await sql<{
    failures: number;
  }>`SELECT sum(failures)::int AS failures FROM deliveries`.execute(engine.db);
  expect(rows[0]?.failures).toBe(0);
});

test("a provider that cannot be reached rests for all, and costs hardly anyone a try", async () => {
  await addPeople(engine.db, 60);
  let reachable = false;
  const transport = new FakeTransport({
    concurrency: 2,
    behavior: () =>
      reachable
        ? ACCEPTED
        : { kind: "unavailable", account: true, code: "connection_refused", detail: "nobody there" },
    check: (): Check =>
      reachable
        ? { ok: true, detail: "" }
        : { ok: false, of: "unavailable", code: "connection_refused", detail: "nobody there" },
  });
  await engine.start(transport);
  const { notificationId } = await send(engine.db);
  await until(async () =>
    expect(await emailState()).toMatchObject({ state: "Not connected", reason: "nobody there" }),
  );
  reachable = true;
  await until(async () => {
    await probeNow();
    await sql`UPDATE deliveries SET due_at = now() WHERE status = 'queued'`.execute(engine.db);
    expect(await notificationStatus(engine.db, notificationId)).toBe("Delivered");
  });
  const { rows } = await sql<{
    failures: number;
  }>`SELECT sum(failures)::int AS failures FROM deliveries`.execute(engine.db);
  expect(rows[0]?.failures).toBeLessThan(20);
});

test("a new account waits for its first test; one that is no longer configured is switched off", async () => {
  const { db } = engine;
  const transport = new FakeTransport();
  await sql`DELETE FROM accounts WHERE source = 'environment'`.execute(db);
  await recordAccounts(db, [accountFor(transport)]);
  expect(await emailState()).toMatchObject({
    kind: "fake",
    state: "Not connected",
    reason: "mail.example has not answered yet.",
  });
  await recordAccounts(db, []);
  expect(await emailState()).toMatchObject({ kind: "sandbox", state: "Sandbox" });
  await recordAccounts(db, [accountFor(transport, { ratePerSecond: 5 })]);
  expect((await servingAccounts(db)).find(({ channel }) => channel === "email")).toMatchObject({
    kind: "fake",
    ratePerSecond: 5,
  });
});

test("the log says when a provider stops accepting messages and when it resumes", async () => {
  const { db } = engine;
  let answer: Check = { ok: false, of: "misconfigured", code: "535", detail: "wrong password" };
  const told: unknown[] = [];
  const note = ({ account, state, reason }: Record<string, unknown>) => told.push([account, state, reason]);
  await engine.start(new FakeTransport({ check: () => answer }), {
    log: { info: note, warn: note, error: note },
  });
  await sql`UPDATE accounts SET state = 'unchecked', retry_at = now() WHERE kind = 'fake'`.execute(db);
  await until(() => expect(told).toEqual([["mail.example", "paused", "wrong password"]]));
  answer = { ok: true, detail: "Connected" };
  await sql`UPDATE accounts SET retry_at = now() WHERE kind = 'fake'`.execute(db);
  await until(() => expect(told.at(-1)).toEqual(["mail.example", "ok", "Connected"]));
  expect(told).toHaveLength(2);
});

test("a worker that does not know of new settings yet neither tests the old ones nor writes down what they said", async () => {
  const { db } = engine;
  const transport = new FakeTransport();
  await recordAccounts(db, [accountFor(transport)]);
  const { id } = (await emailState())!;
  await sql`UPDATE accounts SET state = 'paused', retry_at = now() WHERE id = ${id}`.execute(db);
  const before = (await servingAccounts(db)).find((account) => account.id === id)!;
  await sql`UPDATE accounts SET state = 'unchecked', retry_at = now(), updated_at = now() WHERE id = ${id}`.execute(
    db,
  );
  await probeAccount(db, before, transport);
  expect(transport.checks).toBe(0);
  await recordCheck(db, before, { ok: false, of: "misconfigured", code: "535", detail: "wrong password" });
  expect(await emailState()).toMatchObject({ state: "Not connected" });
  await probeAccount(
    db,
    (await servingAccounts(db)).find((account) => account.id === id)!,
    transport,
  );
  expect(await emailState()).toMatchObject({ state: "Connected" });
});

test("a click asks the provider itself and says what it answered", async () => {
  const { db } = engine;
  let answer: Check = { ok: false, of: "misconfigured", code: "535", detail: "wrong password" };
  const transport = new FakeTransport({ check: () => answer });
  const accounts = [accountFor(transport)];
  await recordAccounts(db, accounts);
  const transports = openTransports(accounts, []);
  const { id } = (await emailState())!;
  expect(await checkAccount(db, id, transports)).toMatchObject({ state: "Error", reason: "wrong password" });
  answer = { ok: true, detail: "Connected, signed in as office" };
  expect(await checkAccount(db, id, transports)).toMatchObject({
    state: "Connected",
    reason: "Connected, signed in as office",
  });
  await expect(checkAccount(db, 9999, transports)).rejects.toMatchObject({ code: "not-found" });
  await expect(checkAccount(db, id, openTransports([], []))).rejects.toMatchObject({
    code: "unavailable",
  });
});

test.each([
  ["is paused", sql`state = 'paused'`],
  ["rests", sql`state = 'resting'`],
  ["was never tested", sql`state = 'unchecked'`],
  ["asked us to wait", sql`retry_at = now() + interval '1 minute'`],
  ["is switched off", sql`enabled = false`],
])("a provider that %s is handed nothing, also by a worker that has not heard of it", async (_, change) => {
  const { db } = engine;
  await addPeople(db, 1);
  await recordAccounts(db, [accountFor(new FakeTransport())]);
  await sql`UPDATE accounts SET state = 'ok', retry_at = NULL WHERE kind = 'fake'`.execute(db);
  const account = (await servingAccounts(db)).find(({ channel }) => channel === "email")!;
  await send(db);
  await fanOutSome(db);
  const question = { token: await takeLease(db, "test", 30), account, limit: 10, which: "any" as const };
  await sql`UPDATE accounts SET ${change} WHERE id = ${account.id}`.execute(db);
  expect(await claimSome(db, question)).toEqual([]);
  await sql`UPDATE accounts SET state = 'ok', retry_at = NULL, enabled = true WHERE id = ${account.id}`.execute(
    db,
  );
  expect(await claimSome(db, question)).toHaveLength(1);
});

test("while it asks us to slow down, the rest waits and says why; an emergency is sent, and ends the wait", async () => {
  await addPeople(engine.db, 10);
  let slow = true;
  const transport = new FakeTransport({
    concurrency: 1,
    behavior: () =>
      slow ? { kind: "throttled", retryAfterMs: 900_000, code: "421", detail: "slow down" } : ACCEPTED,
  });
  await engine.start(transport);
  const { notificationId } = await send(engine.db);
  await until(async () =>
    expect(await emailState()).toMatchObject({
      state: "Connected",
      reason: expect.stringMatching(
        /^mail\.example asked us to slow down. For \d+ seconds, we'll only send emergencies through it/,
      ),
    }),
  );
  await until(async () =>
    expect((await progressOf(engine.db, [notificationId])).get(notificationId)?.notes).toEqual([
      expect.stringMatching(/^Email: 10 waiting\. mail\.example asked us to slow down/),
    ]),
  );
  slow = false;
  const person = await engine.db.selectFrom("users").select("id").executeTakeFirstOrThrow();
  const urgent = await send(engine.db, {
    class: "emergency",
    audience: [{ type: "user", id: person.id, name: "" }],
  });
  await until(async () =>
    expect(await notificationStatus(engine.db, urgent.notificationId)).toBe("Delivered"),
  );
  await until(async () => expect(await notificationStatus(engine.db, notificationId)).toBe("Delivered"));
  expect(await emailState()).toMatchObject({ reason: "mail.example is accepting messages." });
});

test("one answer to many messages is written down once", async () => {
  const { db } = engine;
  const account = (await servingAccounts(db)).find(({ channel }) => channel === "email")!;
  let refreshed = 0;
  const observer = new AccountObserver({
    db,
    outcomeWriter: { written: () => Promise.resolve() },
    refresh: async () => void (refreshed += 1),
    onMoved: () => undefined,
    onSetBack: () => undefined,
    onError: (error) => expect.fail(String(error)),
  });
  const answer = { code: "429", detail: "slow down" };
  for (let n = 0; n < 500; n += 1) {
    const message = { address: `a${n}@example.com`, runId: 1, agoMs: 0 };
    observer.settled(account, { kind: "throttled", retryAfterMs: 900_000, ...answer }, message);
    observer.settled(account, { kind: "refused", of: "recipient", ...answer }, message);
  }
  await observer.written();
  expect(refreshed).toBe(2);
  expect(await emailState()).toMatchObject({ reason: expect.stringContaining("asked us to slow down") });
  // Once it is written down, the next answer is.
  await sql`UPDATE accounts SET retry_at = NULL WHERE id = ${account.id}`.execute(db);
  observer.settled(
    account,
    { kind: "throttled", retryAfterMs: 900_000, ...answer },
    {
      address: "b@example.com",
      runId: 1,
      agoMs: 0,
    },
  );
  await observer.written();
  expect(refreshed).toBe(3);
  expect(await emailState()).toMatchObject({ reason: expect.stringContaining("asked us to slow down") });
});

test("a session that can't read its accounts leaves no lease", async () => {
  const { db } = engine;
  await sql`ALTER TABLE accounts RENAME TO away`.execute(db);
  onTestFinished(async () => void (await sql`ALTER TABLE away RENAME TO accounts`.execute(db)));
  const opening = openSession({
    db,
    transports: openTransports([], []),
    links: { linksFor },
    name: "test",
    random: () => 0,
    times: { leaseMs: 30_000, heartbeatMs: 8000, pollMs: 1000, reapMs: 5000, stuckMs: 60_000 },
    onError: () => undefined,
    onAccountState: () => undefined,
  });
  await expect(opening).rejects.toThrow("accounts");
  expect(await db.selectFrom("workers").select("token").execute()).toEqual([]);
});

test("accounts are read one at a time, and requests during a read share the next one", async () => {
  const { db } = engine;
  const fault = () => undefined;
  const reads: string[] = [];
  const counted = db.withPlugin({
    transformQuery: ({ node, queryId }) => (reads.push(queryId.queryId), node),
    transformResult: ({ result }) => Promise.resolve(result),
  });
  const workers = new AccountWorkers(
    {
      db: counted,
      token: 0,
      outcomeWriter: new OutcomeWriter(db, 0, { recorded: fault, error: fault }),
      transports: openTransports([], []),
      load: () => Promise.reject(new Error("Nothing is sent here.")),
      random: () => 0,
      pollMs: 1000,
      claimMs: 1000,
      stuckMs: 60_000,
      onMoved: fault,
      onError: fault,
      onFault: fault,
      onAccountState: fault,
    },
    { accounts: new Map(), months: [] },
  );
  await readServing(counted);
  const queries = reads.splice(0).length;
  expect(queries).toBeGreaterThan(0);
  const first = workers.refresh();
  await nextTurn();
  await Promise.all([first, ...Array.from({ length: 100 }, () => workers.refresh())]);
  expect(reads).toHaveLength(2 * queries);
  await workers.stop();
});

test("what is left goes back at once, with the outcome that caused it, while the slowest is still answering", async () => {
  await addPeople(engine.db, 10);
  let answer: (() => void) | undefined;
  const transport = new FakeTransport({
    concurrency: 2,
    behavior: ({ deliveryId }) =>
      new Promise((resolve) => {
        if (answer === undefined) answer = () => resolve({ kind: "unavailable", code: "x", detail: "" });
        else resolve({ kind: "throttled", retryAfterMs: 900_000, code: "421", detail: `${deliveryId}` });
      }),
  });
  await engine.start(transport);
  const { runId } = await send(engine.db);
  await until(async () => expect(await statuses(engine.db, runId)).toEqual({ queued: 9, sending: 1 }));
  answer?.();
  await until(async () => expect(await statuses(engine.db, runId)).toEqual({ queued: 10 }));
  const { rows } = await sql`
    SELECT DISTINCT reason FROM deliveries WHERE reason IS NOT NULL ORDER BY reason`.execute(engine.db);
  expect(rows).toEqual([{ reason: "retrying" }, { reason: "throttled" }]);
});

test("an emergency overtakes a bulk send under a rate limit", async () => {
  const { db } = engine;
  await addPeople(db, 200);
  const transport = new FakeTransport({ concurrency: 2 });
  await engine.start(transport, { ratePerSecond: 20 });
  await send(db);
  await until(() => expect(transport.received.length).toBeGreaterThan(5));
  const person = await db.selectFrom("users").select("id").executeTakeFirstOrThrow();
  const urgent = await send(db, {
    class: "emergency",
    audience: [{ type: "user", id: person.id, name: "" }],
  });
  await until(async () => expect(await statuses(db, urgent.runId)).not.toEqual({}));
  const before = transport.received.length;
  await until(async () => expect(await notificationStatus(db, urgent.notificationId)).toBe("Delivered"));
  // However slow the machine: what the worker held, and what a claim under way took; each is a full bucket of 20 at
  // most. The bulk send has 200.
  expect(transport.received.length - before).toBeLessThan(60);
});

test("a fifth of the rate is kept for emergencies", async () => {
  const { db } = engine;
  await addPeople(db, 20);
  await recordAccounts(db, [accountFor(new FakeTransport(), { ratePerSecond: 10 })]);
  // A full bucket, and a clock by which none flows in while the test runs.
  await sql`UPDATE accounts SET state = 'ok', tokens = 12, tokens_at = now() + interval '1 day'
    WHERE kind = 'fake'`.execute(db);
  const account = (await servingAccounts(db)).find(({ channel }) => channel === "email")!;
  const token = await takeLease(db, "test", 30);
  const take = async (which: "any" | "urgent") =>
    (await claimSome(db, { token, account, limit: 100, which })).length;
  await send(db);
  await fanOutSome(db);
  expect([await take("any"), await take("any")]).toEqual([10, 0]);
  await send(db, { class: "emergency" });
  await fanOutSome(db);
  expect([await take("any"), await take("urgent"), await take("urgent")]).toEqual([0, 2, 0]);
});

test("what finds a rate used up is sent as soon as it allows more, not at the next poll", async () => {
  const { db } = engine;
  await addPeople(db, 1);
  await engine.start(new FakeTransport(), { ratePerSecond: 10, times: { pollMs: 600_000 } });
  await sql`UPDATE accounts SET tokens = 0, tokens_at = now() + interval '2 seconds' WHERE kind = 'fake'`.execute(
    db,
  );
  const { notificationId } = await send(db);
  await until(async () => expect(await notificationStatus(db, notificationId)).toBe("Delivered"));
});

test("of several workers one makes the test of a provider", async () => {
  const { db } = engine;
  const transport = new FakeTransport({
    check: () => ({ ok: false, of: "unavailable", code: "connection_refused", detail: "nobody there" }),
  });
  const accounts = [accountFor(transport)];
  await sql`DELETE FROM accounts WHERE source = 'environment'`.execute(db);
  await recordAccounts(db, accounts);
  await probeNow();
  const account = (await servingAccounts(db)).find(({ kind }) => kind === "fake");
  await Promise.all([1, 2, 3, 4].map(() => probeAccount(db, account!, transport)));
  expect(transport.checks).toBe(1);
});

test("a channel is broken when no account of it works and one is paused, and each paused one is named", async () => {
  const { db } = engine;
  const transport = new FakeTransport();
  const names = ["mail.example", "spare.example"];
  await recordAccounts(
    db,
    names.map((name) => accountFor(transport, { name })),
  );
  const put = (name: string, state: string) =>
    sql`UPDATE accounts SET state = ${state}, state_reason = '' WHERE name = ${name}`.execute(db);
  await put("mail.example", "paused");
  await put("spare.example", "ok");
  const paused = [{ name: "mail.example", reason: "mail.example is rejecting our messages." }];
  expect(await emailState()).toMatchObject({ state: "Connected", paused });
  await put("spare.example", "resting");
  expect(await emailState()).toMatchObject({ state: "Error", paused });
  await put("mail.example", "resting");
  expect(await emailState()).toMatchObject({ state: "Not connected", paused: [] });
});

test("several workers together keep to a provider's rate", async () => {
  await addPeople(engine.db, 100);
  const transport = new FakeTransport();
  const started = performance.now();
  await engine.start(transport, { ratePerSecond: 40 });
  await engine.start(transport, { ratePerSecond: 40 });
  const { notificationId } = await send(engine.db);
  await until(async () => expect(await notificationStatus(engine.db, notificationId)).toBe("Delivered"));
  // The bucket may have been full: 40 and a reserve of 8, then 40 a second.
  expect(performance.now() - started).toBeGreaterThan(((100 - 48) / 40) * 1000);
});

test.each([
  ["now", 0],
  ["a time that is over", -5000],
  ["nothing", undefined],
  ["less than it already waits", 100],
])("an account that names %s waits as long as it would by itself, longer each time", async (_, asked) => {
  const { db } = engine;
  const waits: number[] = [];
  for (let n = 0; n < 8; n += 1) {
    waits.push(await slowedFor(asked));
    await sql`UPDATE accounts SET retry_at = now() WHERE kind = 'fake'`.execute(db);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
});

test("an account never waits longer than an hour, whatever it asks for", async () => {
  expect(await slowedFor(1800_000)).toBe(1800);
  await sql`UPDATE accounts SET retry_at = NULL WHERE kind = 'fake'`.execute(engine.db);
  expect(await slowedFor(99_999_999_999_000)).toBe(3600);
});

/** Asks the account to slow down. For how many seconds it does. */
async function slowedFor(retryAfterMs: number | undefined): Promise<number> {
  const { db } = engine;
  const { id } = (await servingAccounts(db)).find(({ channel }) => channel === "email")!;
  await slowAccount(db, id, retryAfterMs);
  const { rows } = await sql<{ seconds: number }>`
    SELECT extract(epoch FROM retry_at - slowed_at)::float8 AS seconds FROM accounts WHERE id = ${id}`.execute(
    db,
  );
  return rows[0]!.seconds;
}

test("what left before an account asked us to slow down doesn't end the wait when it is accepted; what left later does", async () => {
  const { db } = engine;
  const { id } = (await servingAccounts(db)).find(({ channel }) => channel === "email")!;
  const slowed = async () =>
    (await servingAccounts(db)).find((account) => account.id === id)!.slowedSeconds !== null;
  await slowAccount(db, id, 900_000);
  expect(await accountWorks(db, id, 60_000)).toBe(false);
  expect(await slowed()).toBe(true);
  expect(await accountWorks(db, id, 0)).toBe(true);
  expect(await slowed()).toBe(false);
});
