import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { until } from "#server/testing/until.ts";
import type { EnvironmentAccount } from "../accounts/accounts.ts";
import { openTransports } from "../accounts/open-transports.ts";
import { statuses } from "../testing/run-totals.ts";
import { withEngines } from "../testing/engine.ts";
import { cancelRun } from "../runs/cancel-run.ts";
import { addPeople, send } from "../testing/scene.ts";
import { startEmulator, type Emulator } from "#emulators/emulator.ts";
import { postmark } from "../transports/postmark/adapter.ts";
import { postmarkEmulator } from "#emulators/postmark.ts";
import { decideUnconfirmed } from "./unconfirmed.ts";

const engine = withEngines();
let emulator: Emulator;
beforeEach(async () => {
  emulator = await startEmulator(postmarkEmulator);
});
afterEach(() => emulator.close());

function account(): EnvironmentAccount {
  const api = { ...postmark.api!, url: emulator.url };
  const settings = { ...postmarkEmulator.settings, fromEmail: "office@maple.example", fromName: "Maple" };
  return {
    key: "postmark",
    adapter: { ...postmark, api },
    channel: "email",
    name: "Postmark",
    weight: 1,
    settings,
  };
}

const waited = () => sql`UPDATE deliveries SET due_at = now() WHERE status = 'uncertain'`.execute(engine.db);

test("a provider that can be asked is, so each message arrives once although its answer was lost", async () => {
  await addPeople(engine.db, 4);
  emulator.faults.dropAnswers = true;
  await engine.start([account()]);
  const { runId } = await send(engine.db);
  await until(async () => expect(await statuses(engine.db, runId)).toEqual({ uncertain: 4 }));
  expect(emulator.received).toHaveLength(4);
  // One of them was lost on its way and not on the way back.
  const [lost] = emulator.received.splice(1, 1);
  emulator.faults.dropAnswers = false;
  const asked = emulator.requests.length;
  // Nothing is asked before the provider had time to find it.
  expect(await decideUnconfirmed(engine.db, openTransports([account()], []))).toEqual([]);
  expect(emulator.requests).toHaveLength(asked);
  await waited();
  await until(async () => expect(await statuses(engine.db, runId)).toEqual({ accepted: 4 }));
  expect(emulator.received.map(({ to }) => to)).toContain(lost!.to);
  expect(new Set(emulator.received.map(({ to }) => to)).size).toBe(4);
  expect(emulator.received).toHaveLength(4);
  const { rows } =
    await sql`SELECT kind, count(*)::int FROM delivery_events GROUP BY kind ORDER BY kind`.execute(engine.db);
  expect(rows).toEqual([
    { kind: "answered-late", count: 3 },
    { kind: "repeated", count: 1 },
  ]);
});

test("one that does not answer the question is asked again until the message is too old, and nothing is sent twice", async () => {
  await addPeople(engine.db, 6);
  emulator.faults.dropAnswers = true;
  await engine.start([account()]);
  const { runId } = await send(engine.db);
  await until(async () => expect(await statuses(engine.db, runId)).toEqual({ uncertain: 6 }));
  emulator.faults.dropAnswers = false;
  emulator.faults.throttleSeconds = 1;
  await waited();
  await until(async () => {
    const { rows } = await sql`SELECT FROM deliveries
      WHERE status = 'uncertain' AND due_at BETWEEN now() + interval '30 seconds' AND now() + interval '1 minute'`.execute(
      engine.db,
    );
    expect(rows).toHaveLength(6);
  });
  await sql`UPDATE deliveries SET due_at = now(), expires_at = now() WHERE id = (SELECT min(id) FROM deliveries)`.execute(
    engine.db,
  );
  await until(async () => expect(await statuses(engine.db, runId)).toEqual({ uncertain: 5, failed: 1 }));
  emulator.faults.throttleSeconds = null;
  await waited();
  await until(async () => expect(await statuses(engine.db, runId)).toEqual({ accepted: 5, failed: 1 }));
  expect(emulator.received).toHaveLength(6);
});

test("one that was cancelled before the provider says that it has nothing isn't sent, and doesn't say so", async () => {
  await addPeople(engine.db, 2);
  emulator.faults.dropAnswers = true;
  await engine.start([account()]);
  const { runId, notificationId } = await send(engine.db);
  await until(async () => expect(await statuses(engine.db, runId)).toEqual({ uncertain: 2 }));
  emulator.faults.dropAnswers = false;
  emulator.received.length = 0;
  await cancelRun(engine.db, notificationId);
  await waited();
  await until(async () => expect(await statuses(engine.db, runId)).toEqual({ cancelled: 2 }));
  expect(await engine.db.selectFrom("delivery_events").select("kind").execute()).toEqual([]);
  expect(emulator.received).toEqual([]);
});
