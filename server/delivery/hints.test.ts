import { expect, onTestFinished, test } from "vitest";
import { listen } from "#server/db/listen.ts";
import { PAGES_CHANNEL } from "#server/db/notify-channels.ts";
import { until } from "#server/testing/until.ts";
import { notifyPages } from "./hints.ts";
import { addResend, resendSome } from "./retry/resend.ts";
import { withEngines } from "./testing/engine.ts";
import { ACCEPTED, FakeTransport } from "./testing/fake-transport.ts";
import { addPeople, addPerson, notificationStatus, send } from "./testing/scene.ts";
import { judgeRefusals } from "./worker/refusals.ts";

const engine = withEngines();

/** What pages are told from now on. */
async function heardByPages(): Promise<unknown[]> {
  const heard: unknown[] = [];
  const connected = Promise.withResolvers<void>();
  const listener = listen(engine.url, PAGES_CHANNEL, {
    onMessage: (payload) => heard.push(JSON.parse(payload)),
    onConnected: () => connected.resolve(),
  });
  onTestFinished(() => listener.stop());
  await connected.promise;
  return heard;
}

test("open pages hear of a run a few times a second, and of its end", async () => {
  await addPeople(engine.db, 150);
  const heard = await heardByPages();
  const behavior = () => new Promise<typeof ACCEPTED>((resolve) => setTimeout(() => resolve(ACCEPTED), 20));
  await engine.start(new FakeTransport({ behavior }));
  const { runId, notificationId } = await send(engine.db);
  const started = performance.now();
  await until(async () => expect(await notificationStatus(engine.db, notificationId)).toBe("Delivered"));
  const seconds = (performance.now() - started) / 1000;
  await until(() => expect(heard.filter((event) => isAbout(event, "notifications"))).toHaveLength(2));
  const ofRun = heard.filter((event) => isAbout(event, "run"));
  expect(ofRun.length).toBeGreaterThan(1);
  expect(ofRun.length).toBeLessThan(seconds * 4 + 4);
  for (const event of ofRun) expect(event).toEqual({ type: "run", runId, notificationId });
});

test("open pages hear once that what had ended goes out again", async () => {
  const { db } = engine;
  await addPeople(db, 3);
  const refused = { kind: "refused", of: "message", code: "554", detail: "spam" } as const;
  const worker = await engine.start(new FakeTransport({ behavior: () => refused }));
  const { runId, notificationId } = await send(db);
  await until(async () => expect(await notificationStatus(db, notificationId)).toBe("Failed"));
  await worker.stop();
  const heard = await heardByPages();
  const resend = await addResend(db, runId, { unconfirmed: false, includeReached: false });
  await resendSome(db, resend, 2);
  await resendSome(db, resend, 2);
  await until(() => expect(heard.filter((event) => isAbout(event, "run"))).toHaveLength(2));
  expect(heard.filter((event) => isAbout(event, "notifications"))).toHaveLength(1);
});

test("open pages hear of a bounced address once, however often refusals are judged afterwards", async () => {
  const { db } = engine;
  await addPerson(db, { email: "ann@example.com" });
  await addPerson(db);
  const bounced = {
    kind: "refused",
    of: "recipient",
    code: "550",
    detail: "User unknown",
    suppress: true,
  } as const;
  const worker = await engine.start(
    new FakeTransport({ behavior: ({ address }) => (address === "ann@example.com" ? bounced : ACCEPTED) }),
  );
  await send(db);
  const suppressed = () => db.selectFrom("suppressions").select("address").execute();
  await until(async () => expect(await suppressed()).toHaveLength(1));
  await worker.stop();
  const heard = await heardByPages();
  await judgeRefusals(db);
  await notifyPages(db, { type: "settings" });
  await until(() => expect(heard).toContainEqual({ type: "settings" }));
  expect(heard.filter((event) => isAbout(event, "people"))).toEqual([]);
});

function isAbout(event: unknown, type: string): boolean {
  return (event as { type: string }).type === type;
}
