import { expect, onTestFinished, test } from "vitest";
import { until } from "#server/testing/until.ts";
import { servingAccounts } from "./accounts.ts";
import { statuses } from "../testing/run-totals.ts";
import { withEngines } from "../testing/engine.ts";
import { ACCEPTED, adapterFor, FakeTransport } from "../testing/fake-transport.ts";
import { accountFor } from "../testing/quick-worker.ts";
import { addPeople, notificationStatus, send } from "../testing/scene.ts";
import { smtpAccount, smtpServers } from "../transports/smtp/environment.ts";
import { scriptedServer, type Script } from "../transports/smtp/testing/scripted-server.ts";

const engine = withEngines();
// With it the engine adds no accounts of its own.
const none = [adapterFor(new FakeTransport({ kind: "sandbox" }))];

async function mailServer(script: Script) {
  const server = await scriptedServer(script);
  onTestFinished(() => server.close());
  return server;
}

const received = (contents: readonly string[]) =>
  contents.map((content) => /^To: .*<(.*)>/m.exec(content)?.[1]);

test.each([
  ["refuses our password", { mail: () => "530 5.7.0 Authentication required" }],
  ["asks us to slow down", { mail: () => "421 4.7.0 Too many messages, slow down" }],
] satisfies [string, Script][])(
  "of two mail accounts one breaks in the middle of a run and %s: everything arrives by the other, once",
  async (_, broken) => {
    const { db } = engine;
    await addPeople(db, 120);
    const breaks = 20;
    const first = await mailServer({
      mail: () => (first.taken.length < breaks ? "250 2.1.0 ok" : broken.mail()),
    });
    // It takes its time, so that the first one has begun when it breaks.
    const second = await mailServer({});
    const accounts = smtpServers(
      `smtp://127.0.0.1:${first.port}?weight=3 smtp://localhost:${second.port}?weight=1`,
    ).map((server) => smtpAccount(server, { from: "office@maple.example", connections: 2 }));
    await engine.start(accounts, { adapters: none });
    const { runId, notificationId } = await send(db);
    await until(async () => expect(await notificationStatus(db, notificationId)).toBe("Delivered"), 25_000);
    expect(await statuses(db, runId)).toEqual({ accepted: 120 });
    const arrived = [...received(first.taken), ...received(second.taken)];
    expect(arrived).toHaveLength(120);
    expect(new Set(arrived).size).toBe(120);
    expect(second.taken.length).toBeGreaterThan(0);
    const costly = await db.selectFrom("deliveries").select("id").where("failures", ">", 0).execute();
    expect(costly).toEqual([]);
  },
  40_000,
);

test("an account that cannot be reached costs no one a try, and takes its share again once it can", async () => {
  const { db } = engine;
  await addPeople(db, 60);
  let reachable = false;
  const shaky = new FakeTransport({
    behavior: () =>
      reachable
        ? ACCEPTED
        : { kind: "unavailable", account: true, code: "connection_refused", detail: "nobody" },
    check: () =>
      reachable
        ? { ok: true, detail: "" }
        : { ok: false, of: "unavailable", code: "connection_refused", detail: "nobody" },
  });
  const steady = new FakeTransport();
  await engine.start(
    [accountFor(shaky, { name: "shaky" }), accountFor(steady, { name: "steady", key: "steady" })],
    {
      adapters: none,
    },
  );
  const one = await send(db);
  await until(async () => expect(await notificationStatus(db, one.notificationId)).toBe("Delivered"));
  expect(steady.received).toHaveLength(60);
  expect(await db.selectFrom("deliveries").select("id").where("failures", ">", 0).execute()).toEqual([]);

  reachable = true;
  await until(async () =>
    expect((await servingAccounts(db)).every(({ state }) => state === "ok")).toBe(true),
  );
  await until(async () => {
    const another = await send(db);
    await until(async () => expect(await notificationStatus(db, another.notificationId)).toBe("Delivered"));
    expect(shaky.received.length).toBeGreaterThan(0);
  });
}, 40_000);

test("an account of weight 0 takes nothing while another can, and everything when none can", async () => {
  const { db } = engine;
  await addPeople(db, 80);
  let paused = false;
  const main = new FakeTransport({
    behavior: () => (paused ? { kind: "misconfigured", code: "535", detail: "wrong password" } : ACCEPTED),
    check: () => ({ ok: false, of: "misconfigured", code: "535", detail: "wrong password" }),
  });
  const standby = new FakeTransport();
  await engine.start(
    [accountFor(main, { name: "main" }), accountFor(standby, { name: "standby", key: "standby", weight: 0 })],
    { adapters: none },
  );
  const one = await send(db);
  await until(async () => expect(await notificationStatus(db, one.notificationId)).toBe("Delivered"));
  expect([main.received.length, standby.received.length]).toEqual([80, 0]);
  paused = true;
  const two = await send(db);
  await until(async () => expect(await notificationStatus(db, two.notificationId)).toBe("Delivered"));
  expect([main.received.length, standby.received.length]).toEqual([80, 80]);
});
