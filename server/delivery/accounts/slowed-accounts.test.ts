import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { until } from "#server/testing/until.ts";
import type { EnvironmentAccount } from "./accounts.ts";
import { adapterFor, FakeTransport } from "../testing/fake-transport.ts";
import { withEngines } from "../testing/engine.ts";
import { statuses } from "../testing/run-totals.ts";
import { addPeople, notificationStatus, send } from "../testing/scene.ts";
import { startEmulator, type Emulator } from "#emulators/emulator.ts";
import { twilio } from "../transports/twilio/adapter.ts";
import { twilioEmulator } from "#emulators/twilio.ts";

/** Providers that ask us to slow down, over real connections. */

const engine = withEngines();
// With it the engine adds no accounts of its own.
const none = [adapterFor(new FakeTransport({ kind: "sandbox" }))];

/** An account for texts, and the provider that answers it. */
async function textAccount(
  name: string,
  api = twilioEmulator,
): Promise<{ account: EnvironmentAccount; provider: Emulator }> {
  const provider = await startEmulator(api);
  onTestFinished(() => provider.close());
  const adapter: EnvironmentAccount["adapter"] = {
    ...twilio,
    open: (settings, context) => twilio.open(settings, { ...context, apiUrl: provider.url }),
  };
  const account = { key: name, adapter, channel: "sms", name, weight: 1, settings: twilioEmulator.settings };
  return { account: account as EnvironmentAccount, provider };
}

test.each(["emergency", "general"] as const)(
  "beside a free account, no message waits or expires because another account asked for an hour (%s)",
  async (messageClass) => {
    const { db } = engine;
    await addPeople(db, 30);
    const slow = await textAccount("slow");
    const free = await textAccount("free");
    slow.provider.faults.throttleSeconds = 3600;
    await engine.start([slow.account, free.account], { adapters: none });
    const { runId, notificationId } = await send(db, { channels: ["sms"], class: messageClass });
    await until(async () => expect(await statuses(db, runId)).toEqual({ accepted: 30 }));
    await until(async () => expect(await notificationStatus(db, notificationId)).toBe("Delivered"));
    expect(free.provider.received).toHaveLength(30);
  },
);

test("an emergency doesn't wait for the hour that its only account asked for, nor does it storm the account", async () => {
  const { db } = engine;
  await addPeople(db, 3);
  const { account, provider } = await textAccount("only");
  provider.faults.throttleSeconds = 3600;
  await engine.start([account], { adapters: none });
  const { runId } = await send(db, { channels: ["sms"], class: "emergency" });
  await until(() => expect(provider.requests.length).toBeGreaterThan(3));
  expect((await statuses(db, runId)).accepted).toBeUndefined();
  provider.faults.throttleSeconds = null;
  await until(async () => expect(await statuses(db, runId)).toEqual({ accepted: 3 }));
  const { rows } = await sql`SELECT FROM accounts WHERE name = 'only' AND retry_at IS NOT NULL`.execute(db);
  expect(rows).toEqual([]);
});

test("an account that answers 'now' each time is asked less and less often", async () => {
  const { db } = engine;
  await addPeople(db, 40);
  const { account, provider } = await textAccount("only");
  provider.faults.throttleSeconds = 0;
  await engine.start([account], { adapters: none });
  const { runId } = await send(db, { channels: ["sms"] });
  await until(async () => {
    const { rows } = await sql`SELECT FROM accounts WHERE name = 'only' AND setbacks >= 2`.execute(db);
    expect(rows).toHaveLength(1);
  });
  const concurrency = account.adapter.open(account.settings, {
    channel: "sms",
    apiUrl: provider.url,
    guard: null,
  }).concurrency;
  expect(provider.requests.length).toBeLessThanOrEqual(3 * concurrency);
  expect((await statuses(db, runId)).accepted).toBeUndefined();
});

test("answers of 101 don't use up an account: what follows goes out", async () => {
  const { db } = engine;
  // More than it has connections.
  await addPeople(db, 42);
  let switches = true;
  const { account } = await textAccount("only", {
    ...twilioEmulator,
    answer: (request, state) =>
      switches
        ? { status: 101, headers: { connection: "upgrade", upgrade: "x" } }
        : twilioEmulator.answer(request, state),
  });
  await engine.start([account], { adapters: none });
  const { runId } = await send(db, { channels: ["sms"], class: "emergency" });
  await until(async () => expect((await statuses(db, runId)).uncertain).toBeGreaterThan(2));
  switches = false;
  await until(async () => {
    await sql`UPDATE accounts SET retry_at = least(retry_at, now())`.execute(db);
    await sql`UPDATE deliveries SET due_at = least(due_at, now())`.execute(db);
    expect(await statuses(db, runId)).toEqual({ accepted: 42 });
  });
});
