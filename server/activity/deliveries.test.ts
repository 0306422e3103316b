import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import {
  delivery as deliveryReply,
  renderedMessage as renderedReply,
  timelineEvent,
} from "#contract/calls/deliveries.ts";
import { channelSet } from "#server/audience/person.ts";
import { deliveriesOf, deliveriesOfPerson } from "./deliveries.ts";
import type { DeliveriesQuestion } from "./list-deliveries.ts";
import { fanOutSome } from "#server/delivery/runs/fan-out.ts";
import { renderedMessage } from "./rendered.ts";
import { sendAgain } from "#server/delivery/retry/send-again.ts";
import { until } from "#server/testing/until.ts";
import { withEngines } from "#server/delivery/testing/engine.ts";
import { ACCEPTED, FakeTransport } from "#server/delivery/testing/fake-transport.ts";
import { linksFor } from "#server/delivery/testing/quick-worker.ts";
import { addPeople, addPerson, notificationStatus, send } from "#server/delivery/testing/scene.ts";
import { timelineOf } from "./timeline.ts";

const engine = withEngines();

const ends = (notificationId: number, status: string) =>
  until(async () => expect(await notificationStatus(engine.db, notificationId)).toBe(status));

async function page(runId: number, question: Partial<DeliveriesQuestion> = {}) {
  const { total, rows } = await deliveriesOf(engine.db, runId, {
    show: "all",
    page: 1,
    pageSize: 25,
    ...question,
  });
  for (const row of rows) expect(deliveryReply.parse(row)).toEqual(row);
  return { total, names: rows.map(({ name }) => name.split(" ")[0]), rows };
}

describe("the list of a run", () => {
  async function finishedRun(): Promise<number> {
    const { db } = engine;
    await addPerson(db, { first_name: "Fine", property_unit: "Maple 1" });
    await addPerson(db, { first_name: "None", email: null });
    await addPerson(db, { first_name: "Full", email: "full@example.com", phone: "+14155550123" });
    await addPerson(db, { first_name: "Twin", email: "FULL@example.com" });
    const behavior: FakeTransport["behavior"] = ({ name }) =>
      name === "Full Lee"
        ? { kind: "refused", of: "recipient", code: "552 5.2.2", detail: "quota" }
        : ACCEPTED;
    await engine.start(new FakeTransport({ behavior }));
    const { runId, notificationId } = await send(db);
    await ends(notificationId, "Partially Delivered");
    return runId;
  }

  test("has the unreached first, each with what happened and what to do", async () => {
    const runId = await finishedRun();
    const all = await page(runId);
    expect(all.total).toBe(4);
    expect(all.names).toEqual(["Full", "Twin", "None", "Fine"]);
    expect(all.rows[0]).toMatchObject({
      status: "failed",
      reason: "mailbox-full",
      sentence: "The mailbox is full.",
      next: "Retry later, or write to them on another channel.",
      attempts: 1,
      sentAt: null,
      phone: "+14155550123",
    });
    expect(all.rows[1]).toMatchObject({
      sentence: "Covered by Full Lee's email. It couldn't be sent.",
      next: "Look at the other person's message for the reason. Fix that, or give this person another email address, then retry.",
    });
    const timeline = await timelineOf(engine.db, all.rows[1]!.id);
    expect(timeline?.events.map(({ sentence }) => sentence)).toEqual([all.rows[1]!.sentence]);
    expect(all.rows[3]).toMatchObject({
      sentence: "The provider accepted it.",
      next: "",
      sentAt: expect.any(String),
      deliveredAt: null,
    });
  });

  test("says when an address was missing then and is on file now; what happened stays as it was", async () => {
    const { db } = engine;
    const runId = await finishedRun();
    const none = async () => (await page(runId)).rows.find(({ name }) => name === "None Lee")!;
    expect(await none()).toMatchObject({ addressAdded: false, next: "Add an email address, then retry." });
    await db
      .updateTable("users")
      .set({ email: "new@example.com" })
      .where("first_name", "=", "None")
      .execute();
    expect(await none()).toMatchObject({
      addressAdded: true,
      sentence: "No email address when this was sent. One is on file now.",
      next: "Retry. One is on file now.",
    });
    const timeline = await timelineOf(db, (await none()).id);
    expect(timeline?.events.map(({ sentence }) => sentence)).toEqual(["No email address on file."]);
    await db
      .updateTable("users")
      .set({ deleted_at: sql<Date>`now()` })
      .where("first_name", "=", "None")
      .execute();
    expect(await none()).toMatchObject({ addressAdded: false, sentence: "No email address on file." });
  });

  test("is filtered, searched and paged", async () => {
    const runId = await finishedRun();
    expect(await page(runId, { show: "unreached" })).toMatchObject({
      total: 3,
      names: ["Full", "Twin", "None"],
    });
    expect(await page(runId, { show: "reached" })).toMatchObject({ total: 1, names: ["Fine"] });
    expect(await page(runId, { show: "waiting" })).toMatchObject({ total: 0, names: [] });
    expect(await page(runId, { q: "FULL@" })).toMatchObject({ total: 2, names: ["Full", "Twin"] });
    expect(await page(runId, { q: "maple 1" })).toMatchObject({ total: 1, names: ["Fine"] });
    await sql`UPDATE users SET other_contacts = 'Home: +13125550100, Fine@Office.example' WHERE first_name = 'Fine'`.execute(
      engine.db,
    );
    for (const q of ["(312) 555\u20110100", "mailto:fine@office.example"])
      expect(await page(runId, { q })).toMatchObject({ total: 1, names: ["Fine"] });
    expect(await page(runId, { q: "_" })).toMatchObject({ total: 0 });
    for (const q of ["(415) 555-0123", "415.555.0123", "+1 415-555-0123", "Full@Example.com"])
      expect((await page(runId, { q })).names).toContain("Full");
    expect(await page(runId, { page: 2, pageSize: 3 })).toMatchObject({ total: 4, names: ["Fine"] });
  });

  test("has those without a receipt before those with one, searched or not", async () => {
    const { db } = engine;
    const names = ["Anna", "Bert", "Cara", "Dino", "Edna"];
    for (const first_name of names) await addPerson(db, { first_name });
    const behavior: FakeTransport["behavior"] = ({ name }) => {
      if (name === "Dino Lee")
        return { kind: "refused", of: "recipient", code: "552 5.2.2", detail: "quota" };
      return { ...ACCEPTED, delivered: name !== "Bert Lee" && name !== "Edna Lee" };
    };
    await engine.start(new FakeTransport({ behavior }));
    const { runId, notificationId } = await send(db);
    await ends(notificationId, "Partially Delivered");
    const sorted = ["Dino", "Bert", "Edna", "Anna", "Cara"];
    expect(await page(runId)).toMatchObject({ total: 5, names: sorted });
    expect(await page(runId, { q: "lee" })).toMatchObject({ total: 5, names: sorted });
    const paged = await Promise.all([1, 2, 3].map((n) => page(runId, { page: n, pageSize: 2 })));
    expect(paged.flatMap((one) => one.names)).toEqual(sorted);
    expect(await page(runId, { show: "sent" })).toMatchObject({ total: 2, names: ["Bert", "Edna"] });
    expect(await page(runId, { show: "delivered" })).toMatchObject({ total: 2, names: ["Anna", "Cara"] });
    expect(await page(runId, { show: "delivered", q: "cara" })).toMatchObject({ total: 1, names: ["Cara"] });
  });

  test("finds people by the addresses the run used, even if they have changed or been deleted since", async () => {
    const { db } = engine;
    const runId = await finishedRun();
    const of = (name: string) => db.updateTable("users").where("first_name", "=", name);
    const now = sql<Date>`now()`;
    await of("Fine").set({ first_name: "Other", property_unit: "Oak 2", updated_at: now }).execute();
    await of("Full").set({ deleted_at: now, updated_at: now }).execute();
    expect(await page(runId, { q: "Maple 1, fine" })).toMatchObject({ total: 1, names: ["Fine"] });
    expect(await page(runId, { q: "oak 2" })).toMatchObject({ total: 0 });
    expect(await page(runId, { q: "full lee" })).toMatchObject({ total: 1, names: ["Full"] });
    expect(await page(runId, { q: "full@", show: "unreached" })).toMatchObject({
      total: 2,
      names: ["Full", "Twin"],
    });
  });

  test("what many match is found among the first, and its total is then an estimate", async () => {
    const { db } = engine;
    await addPeople(db, 600);
    const { runId } = await send(db, { channels: ["email", "sms"] });
    while (!(await fanOutSome(db))?.done);
    const question = { show: "all", q: "le", pageSize: 25 } as const;
    const first = await deliveriesOf(db, runId, { ...question, page: 1 });
    expect(first).toMatchObject({ total: 600, about: true });
    const last = await deliveriesOf(db, runId, { ...question, page: 24 });
    expect([last.total, last.about, last.rows.length]).toEqual([600, undefined, 50]);
    const listed = await deliveriesOf(db, runId, { show: "all", page: 1, pageSize: 25 });
    expect(first.rows).toEqual(listed.rows);
    expect(await page(runId, { q: "zz" })).toMatchObject({ total: 0, rows: [] });
  });

  test("has each person on one page with a delivery per channel, searched or not", async () => {
    const { db } = engine;
    await addPeople(db, 40);
    await db
      .updateTable("users")
      .set({ email: null })
      .where(sql<boolean>`id % 3 = 0`)
      .execute();
    await db
      .updateTable("users")
      .set({ channels: channelSet(["email"]) })
      .where(sql<boolean>`id % 2 = 0`)
      .execute();
    await db
      .updateTable("users")
      .set({ channels: channelSet([]) })
      .where(sql<boolean>`id % 5 = 0 AND email IS NOT NULL`)
      .execute();
    const { runId, notificationId } = await send(db, { channels: ["email", "sms"] });
    await engine.start(new FakeTransport());
    await until(async () => expect(await notificationStatus(db, notificationId)).not.toBe("Sending"));
    const shows = ["all", "unreached", "reached", "opted-out"] as const;
    for (const question of [{ q: "ann" }, ...shows.map((show) => ({ show }))]) {
      const { rows, total } = await page(runId, { ...question, pageSize: 100 });
      expect(rows.length).toBe(total * 2);
      const paged = [];
      for (let n = 1; n <= Math.ceil(total / 7); n += 1) {
        paged.push(...(await page(runId, { ...question, page: n, pageSize: 7 })).rows);
      }
      expect(paged.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
      expect(new Set(paged.map(({ userId, channel }) => `${userId} ${channel}`)).size).toBe(total * 2);
    }
    expect((await page(runId, { pageSize: 100 })).total).toBe(40);
    expect(await page(runId, { page: 9 })).toEqual({ total: 40, names: [], rows: [] });
    const { rows } = await page(runId, { show: "opted-out", pageSize: 100 });
    expect(new Set(rows.map(({ reason }) => reason))).toEqual(new Set(["opted-out"]));
  });

  test("reads what it shows, not the whole run", async () => {
    const { db } = engine;
    await addPeople(db, 600);
    const { runId } = await send(db, { channels: ["email", "sms"] });
    await fanOutSome(db);
    const read = await db.transaction().execute(async (tx) => {
      // As with 100,000 rows, where reading all of them is not the quicker way.
      await sql`SET LOCAL enable_seqscan = off`.execute(tx);
      await sql`SET LOCAL enable_bitmapscan = off`.execute(tx);
      // The connection's own count may still hold what earlier transactions read.
      const readSoFar = async () => {
        const { rows } = await sql<{ rows: number }>`SELECT idx_tup_fetch AS rows
          FROM pg_stat_xact_user_tables WHERE relname = 'deliveries'`.execute(tx);
        return rows[0]!.rows;
      };
      const before = await readSoFar();
      const { rows } = await deliveriesOf(tx, runId, { show: "all", page: 2, pageSize: 25 });
      expect(rows).toHaveLength(50);
      return (await readSoFar()) - before;
    });
    expect(read).toBeLessThan(200);
  });
});

test("what was sent to a person is looked up by run, whatever PostgreSQL thinks of a month it has not analyzed", async () => {
  const plan = await engine.db.transaction().execute(async (tx) => {
    await sql`SET LOCAL enable_nestloop = off`.execute(tx);
    const { rows } = await sql<
      Record<string, string>
    >`EXPLAIN SELECT d.id FROM ${deliveriesOfPerson(1)}`.execute(tx);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
  expect(plan).toMatch(/^Nested Loop/);
  expect(plan).not.toMatch(/(Hash|Merge) Join/);
});

describe("the timeline of a delivery", () => {
  const sentences = async (id: number) => {
    const timeline = await timelineOf(engine.db, id);
    for (const event of timeline?.events ?? []) expect(timelineEvent.parse(event)).toEqual(event);
    return timeline?.events.map(({ kind, sentence }) => `${kind}: ${sentence}`);
  };
  const only = () => engine.db.selectFrom("deliveries").select("id").executeTakeFirstOrThrow();

  test("shows each attempt with the provider's answer, and what followed", async () => {
    const { db } = engine;
    await addPerson(db, { email: "ann@example.com" });
    const transport = new FakeTransport({
      behavior: ({ attempt }) =>
        attempt === 1
          ? { kind: "unavailable", code: "451 4.3.0", detail: "busy, come back" }
          : { kind: "refused", of: "recipient", code: "no_user", detail: "No such user" },
    });
    await engine.start(transport);
    const { notificationId } = await send(db);
    await ends(notificationId, "Failed");
    const { id } = await only();
    expect(await sentences(id)).toEqual([
      "done: Queued for ann@example.com.",
      "waiting: We couldn't reach mail.example. We'll retry automatically.",
      "bad: mail.example refused it.",
    ]);
    const events = (await timelineOf(db, id))?.events;
    expect(events?.[1]?.detail).toMatch(/^Attempt 1, [1-9]\d* ms: 451 4\.3\.0 busy, come back$/);
    expect(events?.[2]?.detail).toMatch(/^Attempt 2, [1-9]\d* ms: No such user \(no_user\)$/);

    transport.behavior = () => ACCEPTED;
    await sendAgain(db, notificationId);
    await ends(notificationId, "Delivered");
    expect((await sentences(id))?.slice(3)).toEqual([
      "done: Someone retried it.",
      "good: Accepted by mail.example.",
    ]);
  });

  test.each([
    ["sms", "+14155550123", "Queued for (415) 555-0123."],
    ["sms", "+442079460018", "Queued for +44 20 7946 0018."],
    ["push", "12", "Queued for this person's devices."],
  ])("names a %s address as people write it", async (channel, address, sentence) => {
    const { db } = engine;
    await addPerson(db);
    await send(db);
    await fanOutSome(db);
    const { id } = await only();
    await db
      .updateTable("deliveries")
      .set({ channel: channel as "sms" | "push", address })
      .execute();
    await sql`UPDATE run_counts SET channel = ${channel}`.execute(db);
    expect((await sentences(id))?.[0]).toBe(`done: ${sentence}`);
  });

  test("of a skipped person is the reason; of a waiting one, that it waits", async () => {
    const { db } = engine;
    await addPerson(db, { email: null });
    const { runId } = await send(db);
    await engine.start(new FakeTransport());
    await until(async () => expect((await page(runId)).total).toBe(1));
    const { id } = await only();
    expect(await sentences(id)).toEqual(["bad: No email address on file."]);
    expect(await timelineOf(db, 99_999_999)).toBeNull();
  });
});

test("a message as received is made of what was frozen, on every channel", async () => {
  const { db } = engine;
  const ann = await addPerson(db, {
    first_name: "Ann",
    email: "ann@example.com",
    phone: "+15550000001",
    channels: channelSet(["email", "sms", "push"]),
  });
  await engine.start(new FakeTransport(), {
    sandbox: new FakeTransport({ kind: "sandbox", simulated: true }),
  });
  const { notificationId } = await send(db, {
    content: "Hello {{first_name}}",
    channels: ["email", "sms", "push"],
  });
  await ends(notificationId, "Delivered");
  await db.updateTable("users").set({ first_name: "Changed" }).where("id", "=", ann).execute();
  await sql`UPDATE notifications SET content = 'changed'`.execute(db);
  const rows = await db.selectFrom("deliveries").select(["id", "channel"]).orderBy("channel").execute();
  const messages = await Promise.all(rows.map(({ id }) => renderedMessage(db, id, linksFor)));
  for (const message of messages) expect(renderedReply.parse(message)).toEqual(message);
  expect(messages).toMatchObject([
    { channel: "email", to: "ann@example.com", from: "Maple Court", subject: "Water off", simulated: false },
    {
      channel: "push",
      to: "Ann Lee",
      subject: "Water off",
      text: "Hello Ann",
      html: null,
      simulated: true,
    },
    { channel: "sms", to: "+15550000001", subject: null, text: "Hello Ann", html: null, simulated: true },
  ]);
  expect(messages[0]?.html).toContain("Hello Ann");
  expect(messages[0]?.text).toMatch(/https:\/\/maple\.example\/u\/[0-9a-f]{40}/);
  expect(await renderedMessage(db, 99_999_999, linksFor)).toBeNull();
});

test("a message as received names the sender that it really went out with", async () => {
  const { db } = engine;
  await addPerson(db);
  await engine.start(new FakeTransport());
  const sender = (name: string) => JSON.stringify({ name, address: "office@example.com" });
  const received = async () =>
    (
      await renderedMessage(
        db,
        (await db.selectFrom("deliveries").select("id").executeTakeFirstOrThrow()).id,
        linksFor,
      )
    )?.from;
  await sql`UPDATE accounts SET sender = ${sender("")}::jsonb WHERE enabled AND source = 'environment'`.execute(
    db,
  );
  await ends((await send(db)).notificationId, "Delivered");
  expect(await received()).toBe("Maple Court <office@example.com>");
  // What the account is set to afterwards was not what this person saw.
  await sql`UPDATE accounts SET sender = ${sender("New Owner")}::jsonb WHERE enabled AND source = 'environment'`.execute(
    db,
  );
  expect(await received()).toBe("Maple Court <office@example.com>");
  await sql`UPDATE runs SET sender = ${sender("Office")}::jsonb`.execute(db);
  expect(await received()).toBe("Office <office@example.com>");
});
