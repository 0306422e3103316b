import fc from "fast-check";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { deliveryStatuses, personOutcomes, type Channel } from "#contract/delivery.ts";
import { deliveriesOf } from "#server/activity/deliveries.ts";
import { channelSet } from "#server/audience/person.ts";
import { cancelRun } from "./cancel-run.ts";
import type { Outcome } from "../transports/transport.ts";
import { fanOutSome } from "./fan-out.ts";
import { progressOf } from "#server/activity/progress.ts";
import { servingAccounts, recordAccounts } from "../accounts/accounts.ts";
import { openTransports } from "../accounts/open-transports.ts";
import { sendAgain } from "../retry/send-again.ts";
import { imbalance, statuses } from "../testing/run-totals.ts";
import { withEngines } from "../testing/engine.ts";
import { FakeTransport } from "../testing/fake-transport.ts";
import { accountFor } from "../testing/quick-worker.ts";
import { addPeople, addPerson, claimSome, clear, send } from "../testing/scene.ts";
import type { Claimed } from "../worker/claim.ts";
import { decide } from "../worker/decide.ts";
import { writeJournal } from "../worker/journal.ts";
import { takeLease } from "../worker/worker-session.ts";
import { reapDeadWorkers } from "../worker/reap.ts";
import { record } from "../worker/record.ts";
import { decideUnconfirmed } from "../worker/unconfirmed.ts";

const engine = withEngines();

const outcome: fc.Arbitrary<Outcome> = fc.constantFrom<Outcome>(
  { kind: "accepted" },
  { kind: "accepted", delivered: true },
  { kind: "refused", of: "recipient", code: "550 5.1.1", detail: "nobody", suppress: true },
  { kind: "refused", of: "message", code: "554", detail: "no" },
  { kind: "throttled", retryAfterMs: 0, code: "421", detail: "slow" },
  { kind: "throttled", retryAfterMs: 100 * 3_600_000, code: "421", detail: "very slow" },
  { kind: "unavailable", code: "timeout", detail: "nothing" },
  { kind: "misconfigured", code: "535", detail: "no" },
  { kind: "uncertain", code: "lost", detail: "nothing" },
);

type Step =
  | { do: "spread"; atOnce: boolean }
  | { do: "cancel" | "take over" | "wait" | "opt out" | "remove" }
  | { do: "again"; everyone: boolean }
  | { do: "move"; to: "twin@example.com" | "own" | null }
  | { do: "send"; on: Channel; begin: boolean; settle: boolean; outcomes: Outcome[] };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("spread" as const), atOnce: fc.boolean() }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("send" as const),
      on: fc.constantFrom<Channel>("email", "email", "sms"),
      begin: fc.boolean(),
      settle: fc.boolean(),
      outcomes: fc.array(outcome, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom<Step>(
      { do: "take over" },
      { do: "wait" },
      { do: "opt out" },
      { do: "remove" },
    ),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("again" as const), everyone: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("move" as const),
      to: fc.constantFrom<"twin@example.com" | "own" | null>("twin@example.com", "own", null),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ do: "cancel" }) },
);

const transport = new FakeTransport();
const transports = openTransports([accountFor(transport)], []);

/** Claims some, begins them or not, and settles fewer than it claimed: the rest is left to anyone who takes over. */
async function sendSome({ on, begin, settle, outcomes }: Extract<Step, { do: "send" }>): Promise<void> {
  const { db } = engine;
  const token = await takeLease(db, "test", 30);
  const account = (await servingAccounts(db)).find(({ channel }) => channel === on)!;
  const claimed = await claimSome(db, { token, account, limit: outcomes.length + 1, which: "any" });
  const ours = claimed.filter(({ status }) => status === "sending");
  const settled = outcomes
    .slice(0, ours.length)
    .map((said, index) => changeOf(ours[index]!, said, token, begin));
  if (!begin) return void (await record(db, settled));
  const { entry: upTo, at } = (await writeJournal(db, token, { begins: ours }))!;
  const open = ours.slice(settled.length).map((delivery) => ({ ...delivery, at }));
  // Or it dies before, and its journal tells.
  if (settle) await record(db, settled, { token, after: 0, upTo, open });
  else await writeJournal(db, token, { begins: [], ended: settled });
}

const changeOf = (delivery: Claimed, said: Outcome, token: number, begun: boolean) => ({
  id: delivery.id,
  token,
  claim: delivery.claim,
  was: "sending" as const,
  begun,
  ...decide(said, delivery, "blind", () => 0),
  attempt: { accountId: 1, outcome: said.kind, code: null, words: said.detail ?? null },
});

/** These accept what they are given while a run is spread. */
async function sandboxes() {
  const { rows } = await sql<{ id: number; channel: Channel }>`
    SELECT id, channel FROM accounts WHERE simulated`.execute(engine.db);
  return { token: 1, accounts: rows.map((account) => ({ ...account, accepts: () => sql`true` })) };
}

async function take(next: Step, notificationId: number): Promise<void> {
  const { db } = engine;
  switch (next.do) {
    case "spread":
      await fanOutSome(db, 3, next.atOnce ? { sandbox: await sandboxes() } : {});
      return;
    case "send":
      return sendSome(next);
    case "cancel":
      return cancelRun(db, notificationId).catch(() => undefined);
    case "again":
      await sendAgain(db, notificationId, { unconfirmed: true, includeReached: next.everyone }).catch(
        () => undefined,
      );
      return;
    case "take over":
      await sql`UPDATE workers SET lease_until = now()`.execute(db);
      await reapDeadWorkers(db, transports, () => 0);
      return;
    case "wait":
      await sql`UPDATE deliveries SET due_at = now()`.execute(db);
      await decideUnconfirmed(db, transports);
      return;
    case "opt out":
      await sql`UPDATE users SET channels = channels # ${channelSet(["email"])} WHERE id % 3 = 0`.execute(db);
      return;
    case "remove":
      await sql`UPDATE users SET deleted_at = now() WHERE id % 5 = 0`.execute(db);
      return;
    case "move":
      await sql`UPDATE users SET email = ${next.to === "own" ? sql`username || '@example.com'` : next.to}
        WHERE id % 2 = 0`.execute(db);
  }
}

/** How many different deliveries the pages of the list have. */
async function deliveriesPaged(runId: number): Promise<number> {
  const ids = new Set<number>();
  for (let page = 1; ; page += 1) {
    const { rows, total } = await deliveriesOf(engine.db, runId, { show: "all", page, pageSize: 7 });
    for (const { id } of rows) ids.add(id);
    if (page * 7 >= total) return ids.size;
  }
}

test("no worker shares a counter with what is not a worker", async () => {
  const { db } = engine;
  await addPeople(db, 1);
  const { runId } = await send(db);
  await fanOutSome(db);
  const account = (await servingAccounts(db)).find(({ channel }) => channel === "email")!;
  let token: number;
  do token = await takeLease(db, "test", 30);
  while (token % 16 > 0);
  expect(await claimSome(db, { token, account, limit: 1, which: "any" })).toHaveLength(1);
  const { rows } = await sql<{ shards: number }>`
    SELECT count(DISTINCT shard)::int AS shards FROM run_counts WHERE run_id = ${runId}`.execute(db);
  expect(rows[0]?.shards).toBe(2);
});

const onChannels = fc.constantFrom<Channel[]>(["email"], ["email", "sms"], ["sms"]);

// Texts go to the Sandbox, beside real email or as a rehearsal.
test("whatever happens, in whatever order: the totals agree with a recount, and no one is lost or doubled", async () => {
  const { db } = engine;
  const steps = fc.array(step, { minLength: 3, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(onChannels, steps, async (on, steps) => {
      await clear(db);
      await recordAccounts(db, [accountFor(transport)]);
      await sql`UPDATE accounts SET state = 'ok', retry_at = NULL WHERE kind = 'fake'`.execute(db);
      await addPeople(db, 6);
      await addPerson(db, { email: null });
      await addPerson(db, { email: "Twin@example.com" });
      await addPerson(db, { email: "twin@example.com" });
      await sql`UPDATE users SET phone = '+15550000099' WHERE id % 4 = 0`.execute(db);
      const { runId, notificationId } = await send(db, { channels: on });
      await fanOutSome(db, 3);
      for (const next of steps) {
        await take(next, notificationId);
        expect(await imbalance(db)).toEqual([]);
      }
      const counted = await statuses(db, runId);
      const progress = (await progressOf(db, [notificationId])).get(notificationId)!;
      for (const status of deliveryStatuses) expect(progress.counts[status]).toBe(counted[status] ?? 0);
      // A row for each person that was spread, and a row in the timeline for each try.
      expect(progress.total).toBe(progress.people * on.length);
      expect(personOutcomes.reduce((sum, one) => sum + progress.outcomes[one], 0)).toBe(progress.people);
      expect(await deliveriesPaged(runId)).toBe(progress.total);
      const { rows } = await sql`SELECT id FROM deliveries d
        WHERE attempts <> (SELECT count(*) FROM attempts a WHERE a.delivery_id = d.id)`.execute(db);
      expect(rows).toEqual([]);
    }),
    { numRuns: 40 },
  );
}, 240_000);
