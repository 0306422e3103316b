import { expect, test } from "vitest";
import type { Round } from "#web/features/outbox/deliver.ts";
import type { OutboxEntry } from "#web/features/outbox/entry.ts";
import { roundToast } from "#web/features/outbox/round-toast.ts";
import { pending } from "#web/features/outbox/testing.ts";

type Delivered = Round["delivered"][number];
const entry = (over: Partial<Delivered> = {}): Delivered => ({
  ...pending("a"),
  localId: 100,
  userId: 7,
  keptAt: "2026-11-24T14:00:00Z",
  refusal: null,
  obstacle: null,
  underWay: false,
  sandboxOnly: false,
  ...over,
});
const round = (over: Parameters<typeof roundToast>[0] | object) => ({
  delivered: [],
  refused: [],
  unfinished: false,
  ...over,
});

test("shows nothing after a round without changes", () => {
  expect(roundToast(round({ unfinished: true }))).toBeUndefined();
});

test("names a single delivered notification, with the toast for its kind", () => {
  expect(roundToast(round({ delivered: [entry()] }))).toEqual({
    title: "Notification Sent",
    description: "“Water shut-off” was saved in this browser and has now reached the server.",
  });
  const later = entry({ call: { ...pending("a").call, to: "create" } as OutboxEntry["call"] });
  expect(roundToast(round({ delivered: [later] }))?.title).toBe("Notification Scheduled");
});

test("counts several", () => {
  expect(roundToast(round({ delivered: [entry(), entry()] }))?.description).toMatch(/^2 notifications/);
});

test("says what only went to the Sandbox", () => {
  const [simulated, real] = [entry({ sandboxOnly: true }), entry()];
  const text = (...delivered: (typeof real)[]) => roundToast(round({ delivered }))?.description;
  expect(text(simulated)).toMatch(/server\. Sent to the Sandbox\. No one received it\.$/);
  expect(text(simulated, simulated)).toMatch(/server\. Sent to the Sandbox\. No one received them\.$/);
  expect(text(simulated, real)).toMatch(/server\. 1 of them went to the Sandbox only\.$/);
});

test("shows a refusal before any success, with the server's sentence", () => {
  const refused = [entry({ refusal: "The time is past." })];
  expect(roundToast(round({ delivered: [entry()], refused }))).toEqual({
    title: "Error Sending Notification",
    description: "“Water shut-off”: The time is past. It stays in the list as not yet sent.",
    variant: "destructive",
  });
});
