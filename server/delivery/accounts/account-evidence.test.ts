import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { refusing } from "#server/testing/refusing.ts";
import { until } from "#server/testing/until.ts";
import { progressOf } from "#server/activity/progress.ts";
import { accountStates, recordAccounts } from "./accounts.ts";
import { recount, statuses } from "../testing/run-totals.ts";
import { withEngines } from "../testing/engine.ts";
import { ACCEPTED, adapterFor, FakeTransport } from "../testing/fake-transport.ts";
import { accountFor } from "../testing/quick-worker.ts";
import { addPeople, addPerson, notificationStatus, send } from "../testing/scene.ts";
import { smtpAccount, smtpServers } from "../transports/smtp/environment.ts";
import { scriptedServer, type Script } from "../transports/smtp/testing/scripted-server.ts";
import type { Outcome } from "../transports/transport.ts";
import { setBackAccount } from "../worker/account-health.ts";
import { judgeRefusals } from "../worker/refusals.ts";

/** What an account answers to messages, when it is about the account and when about a recipient. */

const engine = withEngines();

const relayDenied: Outcome = {
  kind: "refused",
  of: "recipient",
  code: "554 5.7.1",
  detail: "Relay access denied",
};
const noSuchUser: Outcome = {
  kind: "refused",
  of: "recipient",
  code: "550 5.1.1",
  detail: "User unknown",
  suppress: true,
};
const emailState = async () => (await accountStates(engine.db)).find(({ channel }) => channel === "email");
/** Lets the pauses pass: until the account is tried again, and until what was put back may go. */
const passTime = async () => {
  await sql`UPDATE accounts SET retry_at = least(retry_at, now()) WHERE kind = 'fake'`.execute(engine.db);
  await sql`UPDATE deliveries SET due_at = now() WHERE status IN ('queued', 'uncertain')`.execute(engine.db);
};
const delivered = (notificationId: number) =>
  until(async () => {
    await passTime();
    expect(await notificationStatus(engine.db, notificationId)).toBe("Delivered");
  });
const suppressed = async () =>
  (await engine.db.selectFrom("suppressions").select("address").orderBy("address").execute()).map(
    ({ address }) => address,
  );

test.each([
  ["relay denied", relayDenied],
  ["no such user", noSuchUser],
])("%s for everyone pauses the account and fails nobody, and goes on once it accepts", async (_, refusal) => {
  const { db } = engine;
  await addPeople(db, 40);
  const transport = new FakeTransport({ behavior: () => refusal });
  await engine.start(transport);
  const { runId, notificationId } = await send(db);
  await until(async () => {
    expect(await statuses(db, runId)).toEqual({ queued: 40 });
    expect(await emailState()).toMatchObject({
      state: "Error",
      reason: expect.stringMatching(/^Refused \d+ recipients in a row: /),
      waiting: 40,
    });
  });
  const tries = await db.selectFrom("attempts").select("delivery_id").execute();
  // Five, and what was on the wire until those were on record, which takes longer on a busy machine.
  expect(tries.length).toBeLessThan(20);
  expect((await progressOf(db, [notificationId])).get(notificationId)?.notes).toEqual([
    expect.stringMatching(/^Email: 40 waiting\. mail\.example isn't accepting messages \(“Refused \d+ rec/),
  ]);
  // It opens for one message at a time, and stays shut as long as those are refused.
  await until(async () => {
    await passTime();
    const now = await db.selectFrom("attempts").select("delivery_id").execute();
    expect(now.length).toBeGreaterThanOrEqual(tries.length + 2);
  });
  await until(async () => expect(await statuses(db, runId)).toEqual({ queued: 40 }));
  expect(await suppressed()).toEqual([]);
  transport.behavior = () => ACCEPTED;
  await delivered(notificationId);
  expect(await statuses(db, runId)).toEqual({ accepted: 40 });
  expect(await emailState()).toMatchObject({ state: "Connected" });
});

test("one answer that refuses many pauses the account before anything else is sent", async () => {
  const { db } = engine;
  await addPeople(db, 100);
  let asked = 0;
  const answer = Promise.withResolvers<Outcome>();
  const transport = new FakeTransport({
    concurrency: 40,
    behavior: () => {
      asked += 1;
      if (asked === 40) answer.resolve(relayDenied);
      return answer.promise;
    },
  });
  await engine.start(transport);
  const { runId } = await send(db);
  await until(async () => {
    expect(await emailState()).toMatchObject({ state: "Error" });
    expect(await statuses(db, runId)).toEqual({ queued: 100 });
  });
  expect(asked).toBe(40);
});

test("a finished notification whose few recipients were refused goes on when the account turns out to be at fault", async () => {
  const { db } = engine;
  const transport = new FakeTransport({ behavior: () => relayDenied });
  await engine.start(transport);
  const sent: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    const person = await addPerson(db);
    const { notificationId } = await send(db, { audience: [{ type: "user", id: person, name: "" }] });
    sent.push(notificationId);
    if (n < 4) await until(async () => expect(await notificationStatus(db, notificationId)).toBe("Failed"));
  }
  // Nothing more is sent: what is on record decides, once every process would have written an acceptance.
  await until(async () => expect(await db.selectFrom("refusals").select("id").execute()).toHaveLength(5));
  await sql`UPDATE refusals SET at = at - interval '20 seconds'`.execute(db);
  await until(async () => {
    for (const id of sent) expect(await notificationStatus(db, id)).toBe("Sending");
  });
  transport.behavior = () => ACCEPTED;
  for (const id of sent) await delivered(id);
});

test("the same words for some recipients among others that are accepted stay those recipients'", async () => {
  const { db } = engine;
  await addPeople(db, 60);
  const transport = new FakeTransport({
    concurrency: 1,
    behavior: ({ deliveryId }) => (deliveryId % 4 === 0 ? relayDenied : ACCEPTED),
  });
  await engine.start(transport);
  const { runId, notificationId } = await send(db);
  await until(async () => expect(await notificationStatus(db, notificationId)).toBe("Partially Delivered"));
  expect(await statuses(db, runId)).toEqual({ accepted: 45, failed: 15 });
  expect(await emailState()).toMatchObject({ state: "Connected" });
});

test("an address that bounced is suppressed once the account has accepted someone else", async () => {
  const { db } = engine;
  const ann = await addPerson(db, { email: "ann@example.com" });
  const transport = new FakeTransport({ behavior: () => noSuchUser });
  await engine.start(transport);
  const first = await send(db, { audience: [{ type: "user", id: ann, name: "" }] });
  await until(async () => expect(await notificationStatus(db, first.notificationId)).toBe("Failed"));
  await judgeRefusals(db);
  expect(await suppressed()).toEqual([]);
  const bob = await addPerson(db);
  transport.behavior = () => ACCEPTED;
  await delivered((await send(db, { audience: [{ type: "user", id: bob, name: "" }] })).notificationId);
  await until(async () => expect(await suppressed()).toEqual(["ann@example.com"]));
});

test.each([
  ["unsubscribed", "unsubscribe"],
  ["complained", "complaint"],
  ["suppressed", "bounce"],
])("an address that an account's own list has as %s is blocked as %s", async (code, kind) => {
  const { db } = engine;
  await addPeople(db, 2);
  const transport = new FakeTransport({
    concurrency: 1,
    behavior: ({ deliveryId }) => (deliveryId % 2 === 0 ? { ...noSuchUser, code } : ACCEPTED),
  });
  await engine.start(transport);
  await send(db);
  await until(async () =>
    expect(await db.selectFrom("suppressions").select("kind").execute()).toEqual([{ kind }]),
  );
});

test("an unsubscribe on the account's list is an opt-out where the address has bounced meanwhile, too", async () => {
  const { db } = engine;
  await addPeople(db, 2);
  const behavior: FakeTransport["behavior"] = async ({ deliveryId, address }) => {
    if (deliveryId % 2 !== 0) return ACCEPTED;
    await sql`INSERT INTO suppressions (channel, address, reason, source, kind)
      VALUES ('email', ${address}, 'No such mailbox', 'smtp', 'bounce') ON CONFLICT DO NOTHING`.execute(db);
    return { ...noSuchUser, code: "unsubscribed" };
  };
  await engine.start(new FakeTransport({ concurrency: 1, behavior }));
  await send(db);
  await until(async () =>
    expect(await db.selectFrom("suppressions").select(["kind", "opted_out_by"]).execute()).toEqual([
      { kind: "bounce", opted_out_by: "provider" },
    ]),
  );
});

test("one that bounced alone is suppressed when it bounces again days later", async () => {
  const { db } = engine;
  const ann = await addPerson(db, { email: "ann@example.com" });
  await engine.start(new FakeTransport({ behavior: () => noSuchUser }));
  // The second comes a day after the first, the third two days after that.
  for (const days of [1, 2, 0]) {
    const { notificationId } = await send(db, { audience: [{ type: "user", id: ann, name: "" }] });
    await until(async () => expect(await notificationStatus(db, notificationId)).toBe("Failed"));
    if (days > 0) {
      await judgeRefusals(db);
      expect(await suppressed()).toEqual([]);
    }
    await sql`UPDATE refusals SET at = at - ${days} * interval '1 day'`.execute(db);
  }
  await until(async () => expect(await suppressed()).toEqual(["ann@example.com"]));
});

test("a server that takes messages and never answers rests after a few, and is tried with one at a time", async () => {
  const { db } = engine;
  await addPeople(db, 60);
  const transport = new FakeTransport({
    concurrency: 2,
    behavior: () => ({ kind: "uncertain", code: "timeout", detail: "no answer" }),
  });
  await engine.start(transport);
  const { runId, notificationId } = await send(db);
  await until(async () =>
    expect(await emailState()).toMatchObject({
      state: "Not connected",
      reason: expect.stringMatching(/^Accepted \d+ messages in a row without confirming any/),
    }),
  );
  await until(async () => expect((await statuses(db, runId)).sending).toBeUndefined());
  const { uncertain = 0 } = await statuses(db, runId);
  expect(uncertain).toBeLessThanOrEqual(3 + transport.concurrency);
  expect((await progressOf(db, [notificationId])).get(notificationId)?.notes[0]).toContain(
    "without confirming any",
  );
  for (const more of [1, 2]) {
    await sql`UPDATE accounts SET retry_at = now() WHERE kind = 'fake'`.execute(db);
    await until(async () => expect(await statuses(db, runId)).toMatchObject({ uncertain: uncertain + more }));
  }
  expect(await emailState()).toMatchObject({ state: "Not connected" });
  transport.behavior = () => ACCEPTED;
  await delivered(notificationId);
  expect(await statuses(db, runId)).toEqual({ accepted: 60 });
});

test.each([
  ["a temporary fault for everyone", { code: "451 4.3.0", detail: "lookup failure" }, "Deferred"],
  [
    "a stall before the content",
    { code: "timeout", detail: "The server didn't answer in time" },
    "No answer for",
  ],
])("%s rests the account, and nobody is given up", async (_, words, what) => {
  const { db } = engine;
  await addPeople(db, 40);
  const transport = new FakeTransport({ behavior: () => ({ kind: "unavailable", ...words }) });
  await engine.start(transport);
  const { runId, notificationId } = await send(db);
  await until(async () =>
    expect(await emailState()).toMatchObject({
      state: "Not connected",
      reason: expect.stringMatching(`^${what} \\d+ recipients in a row: ${words.detail}`),
    }),
  );
  await until(async () => expect(await statuses(db, runId)).toEqual({ queued: 40 }));
  expect((await db.selectFrom("attempts").select("n").execute()).length).toBeLessThan(15);
  transport.behavior = () => ACCEPTED;
  await delivered(notificationId);
});

test("greylisting is each recipient's own: the account goes on", async () => {
  const { db } = engine;
  await addPeople(db, 20);
  const transport = new FakeTransport({
    behavior: ({ attempt }) =>
      attempt > 1 ? ACCEPTED : { kind: "unavailable", code: "450 4.2.0", detail: "Greylisted, try later" },
  });
  await engine.start(transport);
  const { runId, notificationId } = await send(db);
  await until(async () => expect((await db.selectFrom("attempts").select("n").execute()).length).toBe(20));
  expect(await emailState()).toMatchObject({ state: "Connected" });
  await delivered(notificationId);
  expect(await statuses(db, runId)).toEqual({ accepted: 20 });
});

test("a restart does not forget that an account is on trial; other settings do", async () => {
  const { db } = engine;
  await addPeople(db, 10);
  const transport = new FakeTransport({
    behavior: () => ({ kind: "uncertain", code: "timeout", detail: "no answer" }),
  });
  const worker = await engine.start(transport);
  await send(db);
  await until(async () => expect(await emailState()).toMatchObject({ state: "Not connected" }));
  await worker.stop();
  await recordAccounts(db, [accountFor(transport)]);
  expect(await emailState()).toMatchObject({ reason: expect.stringContaining("without confirming any") });
  await sql`UPDATE accounts SET settings = '{"host": "another"}' WHERE kind = 'fake'`.execute(db);
  await recordAccounts(db, [accountFor(transport)]);
  expect(await emailState()).toMatchObject({ reason: "mail.example has not answered yet." });
});

const spam: Outcome = { kind: "refused", of: "message", code: "554 5.7.1", detail: "Rejected as spam" };

test("what a message says is refused for everyone: it waits and fails no one, and others go out", async () => {
  const { db } = engine;
  await addPeople(db, 40);
  const transport = new FakeTransport({
    behavior: ({ content }) => (JSON.stringify(content.compiled).includes("Free money") ? spam : ACCEPTED),
  });
  await engine.start(transport);
  const { runId, notificationId } = await send(db, { content: "Free money, {{first_name}}!" });
  const progress = async () => (await progressOf(db, [notificationId])).get(notificationId);
  await until(async () => {
    expect(await statuses(db, runId)).toEqual({ queued: 40 });
    expect(await progress()).toMatchObject({
      stalled: "waiting for mail.example to accept this message",
      notes: [
        expect.stringContaining("mail.example refuses this message for everyone (“Rejected as spam”)."),
      ],
    });
  });
  const tries = (await db.selectFrom("attempts").select("delivery_id").execute()).length;
  expect(tries).toBeLessThan(5 + 2 * transport.concurrency);
  const other = await send(db);
  await until(async () => expect(await notificationStatus(db, other.notificationId)).toBe("Delivered"));

  // Tried again after a while, and refused again.
  await sql`UPDATE refused_contents SET retry_at = now()`.execute(db);
  await passTime();
  await until(async () => {
    const now = await db.selectFrom("attempts").select("delivery_id").execute();
    expect(now.length).toBeGreaterThan(tries);
    expect(await statuses(db, runId)).toEqual({ queued: 40 });
  });

  transport.behavior = () => ACCEPTED;
  await until(async () => {
    await sql`UPDATE refused_contents SET retry_at = now()`.execute(db);
    await passTime();
    expect(await notificationStatus(db, notificationId)).toBe("Delivered");
  });
  expect(new Set(transport.received.map(({ address }) => address)).size).toBe(40);
  expect(transport.received).toHaveLength(80);
});

test("what is refused for some among others who get it stays theirs", async () => {
  const { db } = engine;
  await addPeople(db, 60);
  let asked = 0;
  const transport = new FakeTransport({
    concurrency: 1,
    behavior: () => ((asked += 1) % 3 === 0 ? spam : ACCEPTED),
  });
  await engine.start(transport);
  const { runId, notificationId } = await send(db);
  await until(async () => expect(await notificationStatus(db, notificationId)).toBe("Partially Delivered"));
  expect(await statuses(db, runId)).toEqual({ accepted: 40, failed: 20 });
});

const tryHeldAgain = async () => {
  await sql`UPDATE refused_contents SET retry_at = least(retry_at, now())`.execute(engine.db);
  await passTime();
};

test("those refused in the round in which the message is accepted at last go out too, unless one may have arrived", async () => {
  const { db } = engine;
  await addPeople(db, 10);
  const transport = new FakeTransport({ concurrency: 1, behavior: () => spam });
  const first = await engine.start(transport);
  const { runId, notificationId } = await send(db);
  await until(async () => {
    expect(await statuses(db, runId)).toEqual({ queued: 10 });
    expect(await db.selectFrom("refused_contents").select("run_id").execute()).toHaveLength(1);
  });
  await first.stop();
  // It judges nothing between the refusals and the acceptances.
  let asked = 0;
  transport.behavior = () => ((asked += 1) <= 3 ? spam : ACCEPTED);
  const second = await engine.start(transport, {
    db: refusing(db, "OR EXISTS (SELECT FROM refused_contents)"),
  });
  await tryHeldAgain();
  await until(async () => expect(await statuses(db, runId)).toEqual({ accepted: 7, failed: 3 }));
  await second.stop();
  // As a later try without an answer would have left it.
  await sql`UPDATE deliveries SET reason = 'unconfirmed'
    WHERE id = (SELECT min(id) FROM deliveries WHERE run_id = ${runId} AND status = 'failed')`.execute(db);
  await recount(db);
  await engine.start(transport);
  await until(async () => {
    await tryHeldAgain();
    expect(await statuses(db, runId)).toEqual({ accepted: 9, failed: 1 });
    expect(await notificationStatus(db, notificationId)).toBe("Partially Delivered");
  });
});

test("the pause grows also when only a few are left to try with", async () => {
  const { db } = engine;
  await addPeople(db, 5);
  await engine.start(new FakeTransport({ behavior: () => spam }));
  const { runId } = await send(db);
  const tries = async () =>
    (await sql<{ tries: number }>`SELECT tries FROM refused_contents`.execute(db)).rows;
  await until(async () => {
    expect(await statuses(db, runId)).toEqual({ queued: 5 });
    expect(await tries()).toEqual([{ tries: 1 }]);
  });
  await sql`UPDATE users SET deleted_at = now() WHERE id IN (SELECT id FROM users ORDER BY id LIMIT 3)`.execute(
    db,
  );
  await tryHeldAgain();
  await until(async () => {
    expect(await tries()).toEqual([{ tries: 2 }]);
    expect(await statuses(db, runId)).toEqual({ queued: 2, skipped: 3 });
  });
});

test("an account on trial that refuses only what the message says is fine again, and nobody fails", async () => {
  const { db } = engine;
  await addPeople(db, 12);
  const transport = new FakeTransport({ behavior: () => relayDenied });
  await engine.start(transport);
  const { runId, notificationId } = await send(db);
  await until(async () => {
    expect(await statuses(db, runId)).toEqual({ queued: 12 });
    expect(await emailState()).toMatchObject({ state: "Error" });
  });
  transport.behavior = () => spam;
  await until(async () => {
    await passTime();
    expect(await emailState()).toMatchObject({ state: "Connected" });
    expect(await db.selectFrom("refused_contents").select("run_id").execute()).toHaveLength(1);
  });
  transport.behavior = () => ACCEPTED;
  await until(async () => {
    await tryHeldAgain();
    expect(await notificationStatus(db, notificationId)).toBe("Delivered");
  });
  expect(await statuses(db, runId)).toEqual({ accepted: 12 });
});

test("people without a device fail with that reason, and the account is not to blame", async () => {
  const { db } = engine;
  await addPeople(db, 8);
  const noDevice: Outcome = {
    kind: "refused",
    of: "recipient",
    code: "not_subscribed",
    detail: "No device",
    noDevice: true,
  };
  await engine.start(new FakeTransport({ behavior: () => noDevice }));
  const { notificationId } = await send(db);
  await until(async () => expect(await notificationStatus(db, notificationId)).toBe("Failed"));
  expect((await progressOf(db, [notificationId])).get(notificationId)?.reasons).toMatchObject([
    { reason: "no-device", count: 8, sentence: "They haven't turned on notifications on any device." },
  ]);
  expect(await emailState()).toMatchObject({ state: "Connected" });
  expect(await db.selectFrom("refusals").select("id").execute()).toEqual([]);
});

test("once a server refuses our sign-in, its account says so, and no longer that it confirms nothing", async () => {
  const { db } = engine;
  await addPeople(db, 12);
  const script: Script = { end: () => "drop" };
  const server = await scriptedServer(script, "AUTH PLAIN");
  onTestFinished(() => server.close());
  const [given] = smtpServers(`smtp://office:wrong@127.0.0.1:${server.port}`);
  const account = smtpAccount(given!, { from: "office@maple.example", connections: 1 });
  const none = [adapterFor(new FakeTransport({ kind: "sandbox" }))];
  await engine.start([account], { adapters: none });
  await send(db);
  await until(async () =>
    expect(await emailState()).toMatchObject({ reason: expect.stringContaining("without confirming any") }),
  );
  script.auth = () => "535 5.7.8 Wrong password";
  await until(async () => {
    await sql`UPDATE accounts SET retry_at = least(retry_at, now())`.execute(db);
    expect(await emailState()).toMatchObject({
      state: "Error",
      reason: expect.stringContaining("Wrong password"),
    });
  });
});

test("what several messages suggest doesn't replace what a single answer has said", async () => {
  const { db } = engine;
  const { rows } = await sql<{ id: number }>`SELECT id FROM accounts WHERE kind = 'fake'`.execute(db);
  const { id } = rows[0]!;
  const guess = {
    state: "resting",
    what: "Accepted 3 messages in a row without confirming any.",
    onTrial: true,
  } as const;
  const away = { state: "resting", what: "The mail server refused the connection." } as const;
  const refused = { state: "paused", what: "535 Wrong password" } as const;
  const say = async (...said: Parameters<typeof setBackAccount>[2][]) => {
    await sql`UPDATE accounts SET state = 'ok', state_reason = NULL, on_trial = false WHERE id = ${id}`.execute(
      db,
    );
    for (const one of said) await setBackAccount(db, id, one);
    return (await emailState())?.reason;
  };
  expect(await say(guess, away)).toBe(away.what);
  expect(await say(guess, refused)).toBe(refused.what);
  expect(await say(away, refused)).toBe(refused.what);
  expect(await say(away, guess)).toBe(away.what);
  expect(await say(refused, guess)).toBe(refused.what);
  expect(await say(refused, away)).toBe(refused.what);
});
