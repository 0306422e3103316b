import { sql, type RawBuilder } from "kysely";
import { expect, test, vi } from "vitest";
import { classPolicy, messageClasses } from "#contract/delivery.ts";
import type { Transports } from "../accounts/open-transports.ts";
import { retryDeliveries } from "../retry/retry-deliveries.ts";
import { recount } from "../testing/run-totals.ts";
import { withEngines } from "../testing/engine.ts";
import { addPerson, fanOutAll, send } from "../testing/scene.ts";
import { clampFutureTimes } from "../worker/clock-set-back.ts";
import { record } from "../worker/record.ts";
import { reapDeadWorkers } from "../worker/reap.ts";
import { requeueRefused } from "../worker/refusals.ts";
import { decideUnconfirmed } from "../worker/unconfirmed.ts";
import { departure } from "./departure.ts";

/** Everything that queues a delivery asks when it may leave, so that what holds one back holds it back everywhere. */

const engine = withEngines();

/** A delivery to one person, fanned out, and what became of it since. */
async function placed(change: RawBuilder<unknown>) {
  const { db } = engine;
  const userId = await addPerson(db);
  const { runId, notificationId } = await send(db);
  await fanOutAll(db);
  await sql`UPDATE deliveries SET account_id = (SELECT id FROM accounts WHERE kind = 'fake'), claims = 1,
    lease_token = 7, ${change} WHERE run_id = ${runId}`.execute(db);
  await recount(db);
  const { id } = await db
    .selectFrom("deliveries")
    .select("id")
    .where("run_id", "=", runId)
    .executeTakeFirstOrThrow();
  return { id, runId, notificationId, userId };
}

/** For how many minutes the deliveries wait, and for how many after that they stay valid. */
async function waiting(): Promise<unknown> {
  const { rows } = await sql`
    SELECT status, round(extract(epoch FROM due_at - now()) / 60)::int AS minutes,
      round(extract(epoch FROM expires_at - due_at) / 60)::int AS valid FROM deliveries`.execute(engine.db);
  return rows;
}

const held = () =>
  vi.spyOn(departure, "notBefore").mockImplementation(() => sql`(now() + interval '1 hour')`);
const sending = sql`status = 'sending'`;
const change = { token: 7, claim: 1, begun: true, detail: null } as const;

type Who = [who: string, before: () => Promise<{ id: number; runId: number; userId: number }>, act: Act];
type Act = (placed: { id: number; runId: number; userId: number }) => Promise<unknown>;

test.each<Who>([
  [
    "another try",
    () => placed(sending),
    ({ id }) =>
      record(engine.db, [
        { ...change, id, was: "sending", status: "queued", reason: "retrying", delayMs: 2000, failure: true },
      ]),
  ],
  [
    "one that its account put off",
    () => placed(sending),
    ({ id }) =>
      record(engine.db, [
        { ...change, id, was: "sending", status: "queued", reason: "throttled", delayMs: null },
      ]),
  ],
  [
    "one that a dead process had claimed",
    () => placed(sending),
    () => reapDeadWorkers(engine.db, { recoveryOf: () => "blind" } as unknown as Transports, () => 0),
  ],
  [
    "one that was never answered",
    () => placed(sql`status = 'uncertain', reason = 'unconfirmed', begun_at = now(), unconfirmed = 1`),
    () => decideUnconfirmed(engine.db, { recoveryOf: () => "blind" } as unknown as Transports),
  ],
  [
    "one of an account that refused everyone",
    async () => {
      const delivery = await placed(sql`status = 'failed', reason = 'refused'`);
      await sql`UPDATE accounts SET state = 'paused', on_trial = true WHERE kind = 'fake'`.execute(engine.db);
      await sql`INSERT INTO refusals (delivery_id, account_id, channel, address, code, bounced)
        SELECT id, account_id, channel, address, '550', false FROM deliveries`.execute(engine.db);
      return delivery;
    },
    () => requeueRefused(engine.db),
  ],
  [
    "one that a wrong clock had put off",
    () => placed(sql`due_at = now() + interval '1 day', expires_at = now() + interval '25 hours'`),
    () => clampFutureTimes(engine.db),
  ],
])("%s leaves no earlier than it may", async (_, before, act) => {
  const delivery = await before();
  held();
  await act(delivery);
  expect(await waiting()).toEqual([{ status: "queued", minutes: 60, valid: expect.any(Number) }]);
});

test("a new delivery leaves no earlier than it may, and stays valid for as long", async () => {
  await addPerson(engine.db);
  held();
  await send(engine.db);
  await fanOutAll(engine.db);
  expect(await waiting()).toEqual([{ status: "queued", minutes: 60, valid: 24 * 60 }]);
});

test("one that is sent again leaves no earlier than it may, and stays valid for as long", async () => {
  const { runId, notificationId, userId } = await placed(sql`status = 'failed', reason = 'refused'`);
  held();
  const run = { id: runId, notificationId, class: "general", fields: [] };
  await engine.db
    .transaction()
    .execute((tx) =>
      retryDeliveries(
        tx,
        { ...run, channels: ["email"], simulatedChannels: [], perHome: false, skipIf: null },
        { unconfirmed: false, includeReached: false },
        [userId],
      ),
    );
  expect(await waiting()).toEqual([{ status: "queued", minutes: 60, valid: 24 * 60 }]);
});

test("a clock that is right pulls nothing back from the time before which it may not leave", async () => {
  await placed(sql`due_at = now() + interval '1 hour', expires_at = now() + interval '2 hours'`);
  held();
  await clampFutureTimes(engine.db);
  expect(await waiting()).toEqual([{ status: "queued", minutes: 60, valid: 60 }]);
});

test("no two classes have the same priority, by which a delivery says its class", () => {
  expect(new Set(messageClasses.map((name) => classPolicy[name].priority)).size).toBe(messageClasses.length);
});
