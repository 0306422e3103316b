import { sql } from "kysely";
import { expect, test } from "vitest";
import { fanOutSome } from "../runs/fan-out.ts";
import { imbalance } from "../testing/run-totals.ts";
import { until } from "#server/testing/until.ts";
import { withEngines } from "../testing/engine.ts";
import { addPeople, claimSome, send } from "../testing/scene.ts";
import { takeLease } from "./worker-session.ts";
import { record } from "./record.ts";

const engine = withEngines();

test("moves a delivery's count from its current status, even if that changed while the claim waited", async () => {
  const { db } = engine;
  await addPeople(db, 1);
  await send(db);
  await fanOutSome(db);
  const { id: accountId } = await db
    .selectFrom("accounts")
    .select("id")
    .where("channel", "=", "email")
    .executeTakeFirstOrThrow();
  const account = { id: accountId, channel: "email", simulated: false, ratePerSecond: null } as const;
  const question = { account, limit: 1, which: "any" } as const;
  const [slow, quick] = [await takeLease(db, "slow", 60), await takeLease(db, "quick", 60)];

  await sql`UPDATE accounts SET tokens = 100`.execute(db);
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const bucket = db.transaction().execute(async (tx) => {
    await sql`SELECT FROM accounts WHERE id = ${accountId} FOR NO KEY UPDATE`.execute(tx);
    held.resolve();
    await release.promise;
  });
  await held.promise;
  const limited = { ...account, ratePerSecond: 100 };
  const waiting = claimSome(db, { ...question, account: limited, token: slow });
  await until(async () => {
    const locks = await sql`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
    expect(locks.rows).toHaveLength(1);
  });
  const [delivery] = await claimSome(db, { ...question, token: quick });
  await record(db, [
    {
      id: delivery!.id,
      token: quick,
      claim: delivery!.claim,
      was: "sending",
      begun: false,
      status: "queued",
      reason: "handed-back",
      detail: null,
      delayMs: null,
    },
  ]);
  release.resolve();
  await bucket;
  expect(await waiting).toHaveLength(1);
  expect(await imbalance(db)).toEqual([]);
});

test("a mail that still goes to an address the person has given up carries only that address's link", async () => {
  const { db } = engine;
  await addPeople(db, 2);
  await send(db);
  await fanOutSome(db);
  const { id: accountId } = await db
    .selectFrom("accounts")
    .select("id")
    .where("channel", "=", "email")
    .executeTakeFirstOrThrow();
  const [corrected, other] = await db.selectFrom("users").selectAll().orderBy("id").execute();
  await sql`UPDATE users SET email = 'right@example.com' WHERE id = ${corrected!.id}`.execute(db);
  const { rows } =
    await sql`SELECT FROM users WHERE preferences_token = ${corrected!.preferences_token}`.execute(db);
  expect(rows).toEqual([]);
  await sql`UPDATE users SET email = upper(email) WHERE id = ${other!.id}`.execute(db);
  const claimed = await claimSome(db, {
    account: { id: accountId, channel: "email", simulated: false, ratePerSecond: null },
    limit: 2,
    which: "any",
    token: await takeLease(db, "any", 60),
  });
  expect(new Map(claimed.map((delivery) => [delivery.address, delivery.preferencesToken]))).toEqual(
    new Map([
      [corrected!.email, corrected!.preferences_token],
      [other!.email, other!.preferences_token],
    ]),
  );
});
