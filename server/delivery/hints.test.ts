import { expect, test } from "vitest";
import { listen } from "#server/db/listen.ts";
import { PAGES_CHANNEL } from "#server/db/notify-channels.ts";
import { until } from "#server/testing/until.ts";
import { withEngines } from "./testing/engine.ts";
import { ACCEPTED, FakeChannel } from "./testing/fake-channel.ts";
import { addPeople, notificationStatus, send } from "./testing/scene.ts";

const engine = withEngines();

test("open pages hear of a run a few times a second, and of its end", async () => {
  await addPeople(engine.db, 150);
  const heard: { at: number; event: unknown }[] = [];
  const connected = Promise.withResolvers<void>();
  const listener = listen(engine.url, PAGES_CHANNEL, {
    onMessage: (payload) => heard.push({ at: performance.now(), event: JSON.parse(payload) }),
    onConnected: () => connected.resolve(),
  });
  await connected.promise;
  try {
    const behaviour = () =>
      new Promise<typeof ACCEPTED>((resolve) => setTimeout(() => resolve(ACCEPTED), 20));
    await engine.start(new FakeChannel({ behaviour }));
    const { runId, notificationId } = await send(engine.db);
    const started = performance.now();
    await until(async () => expect(await notificationStatus(engine.db, notificationId)).toBe("Delivered"));
    const seconds = (performance.now() - started) / 1000;
    await until(() => expect(heard.filter(({ event }) => isAbout(event, "notifications"))).toHaveLength(2));
    const ofRun = heard.filter(({ event }) => isAbout(event, "run"));
    expect(ofRun.length).toBeGreaterThan(1);
    expect(ofRun.length).toBeLessThan(seconds * 4 + 4);
    for (const { event } of ofRun) expect(event).toEqual({ type: "run", runId, notificationId });
  } finally {
    await listener.stop();
  }
});

function isAbout(event: unknown, type: string): boolean {
  return (event as { type: string }).type === type;
}
