import { sql } from "kysely";
import { expect, test } from "vitest";
import { accountStates, recordAccounts } from "#server/delivery/accounts/accounts.ts";
import { withEngines } from "#server/delivery/testing/engine.ts";
import { FakeTransport } from "#server/delivery/testing/fake-transport.ts";
import { accountFor } from "#server/delivery/testing/quick-worker.ts";
import { addPerson, fanOutAll, send } from "#server/delivery/testing/scene.ts";
import { deliveriesTo } from "./deliveries.ts";
import { timelineOf } from "./timeline.ts";

/** Messages that wait for an account say so. */

const engine = withEngines();

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
