import { sql } from "kysely";
import { expect, test } from "vitest";
import { type AccountReason, accountReasonText } from "#contract/refusals/account-reasons.ts";
import {
  type Account,
  accountColumns,
  accountStates,
  recordAccounts,
  stateText,
} from "#server/delivery/accounts/accounts.ts";
import { withEngines } from "#server/delivery/testing/engine.ts";
import { FakeTransport } from "#server/delivery/testing/fake-transport.ts";
import { setBackAccount } from "#server/delivery/worker/account-health.ts";
import { accountFor } from "#server/delivery/testing/quick-worker.ts";
import { addPerson, fanOutAll, send } from "#server/delivery/testing/scene.ts";
import { deliveriesTo } from "./deliveries.ts";
import { timelineOf } from "./timeline.ts";

/** Messages that wait for an account say so. */

const engine = withEngines();

test("why an account waits is a code in our words, and what a process of the build before writes replaces it", async () => {
  const { db } = engine;
  const id = (await sql<{ id: number }>`SELECT id FROM accounts WHERE kind = 'fake'`.execute(db)).rows[0]!.id;
  const because = { code: "deferred-in-a-row", params: { count: 5, detail: "451 Later" } } as const;
  await setBackAccount(db, id, {
    state: "resting",
    what: accountReasonText(because),
    because,
    onTrial: true,
  });
  const stored = async () =>
    (
      await sql<Pick<Account, "stateBecause" | "stateReason">>`
        SELECT ${accountColumns} FROM accounts WHERE id = ${id}`.execute(db)
    ).rows[0]!;
  expect(await stored()).toMatchObject({
    stateBecause: because,
    stateReason: "Deferred 5 recipients in a row: 451 Later",
  });
  await sql`UPDATE accounts SET state_reason = 'Deferred 5: 451 Later' WHERE id = ${id}`.execute(db);
  expect(stateText(await stored())).toBe("Deferred 5: 451 Later");
  expect((await stored()).stateBecause).toBeNull();
  // What a newer build stores is read as text.
  const newer = { code: "moved", params: {} } as unknown as AccountReason;
  expect(stateText({ stateBecause: newer, stateReason: "It has moved." })).toBe("It has moved.");
});

test("a message that no account takes says which it waits for, and why, in its row and timeline", async () => {
  const { db } = engine;
  const person = await addPerson(db);
  await send(db);
  await fanOutAll(db);
  const said = async () => {
    const { rows } = await deliveriesTo(db, person, { page: 1, pageSize: 10 });
    const { delivery, events } = (await timelineOf(db, rows[0]!.id))!;
    expect(delivery.sentence).toBe(rows[0]!.sentence);
    expect(events.at(-1)).toMatchObject({ kind: "waiting", sentence: rows[0]!.sentence });
    return rows[0]!.sentence;
  };
  expect(await said()).toBe("Waiting to be sent.");

  await sql`UPDATE accounts SET state = 'paused', state_reason = '535 Wrong password' WHERE kind = 'fake'`.execute(
    db,
  );
  const dead = "Waiting: mail.example (“535 Wrong password”) isn't accepting messages.";
  expect(await said()).toBe(dead);
  // Also after a try, of which the timeline tells before.
  await sql`UPDATE deliveries SET attempts = 1, reason = 'retrying'`.execute(db);
  expect(await said()).toBe(dead);
  await sql`UPDATE deliveries SET attempts = 0, reason = NULL`.execute(db);

  const transport = new FakeTransport();
  await recordAccounts(db, [
    accountFor(transport),
    accountFor(transport, { name: "spare.example" }),
    accountFor(transport, { channel: "sms" }),
  ]);
  await sql`UPDATE accounts SET state = 'resting', state_reason = NULL WHERE kind = 'fake' AND channel = 'email'`.execute(
    db,
  );
  expect(await said()).toBe("Waiting: mail.example and spare.example aren't accepting messages.");
  await sql`UPDATE accounts SET state = 'ok' WHERE name = 'spare.example'`.execute(db);
  expect(await said()).toBe("Waiting to be sent.");

  await sql`UPDATE accounts SET enabled = false WHERE kind = 'fake' AND channel = 'email'`.execute(db);
  expect(await said()).toBe("Waiting: no mail account is connected.");
  // What was meant to leave waits, although the Sandbox serves the channel now.
  expect((await accountStates(db)).find(({ channel }) => channel === "email")).toMatchObject({
    state: "Sandbox",
    waiting: 1,
  });
});
