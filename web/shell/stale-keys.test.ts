import { expect, test } from "vitest";
import type { RunProgress } from "#contract/run-progress.ts";
import { audience } from "#contract/audience.ts";
import { deliveries } from "#contract/deliveries.ts";
import { integrations } from "#contract/integrations.ts";
import { notifications } from "#contract/notifications.ts";
import { schedules } from "#contract/schedules.ts";
import { shell } from "#contract/shell.ts";
import { templates } from "#contract/templates.ts";
import { users } from "#contract/users.ts";
import { readKey } from "#web/api/use-read.ts";
import { staleKeys } from "#web/shell/stale-keys.ts";

const ofIt = { params: { id: 7 } };
const messages = [readKey(deliveries.list, ofIt), readKey(deliveries.timeline), readKey(users.deliveries)];
const runs = [
  schedules.list,
  schedules.today,
  schedules.calendar,
  schedules.upcoming,
  schedules.history,
  schedules.attention,
  templates.list,
].map((endpoint) => readKey(endpoint));

// A run tells of itself every second to every open page: what comes with the news must not be asked for.
test("a run's news make its messages old and nothing else", () => {
  const progress = { runId: 3, notificationId: 7 } as RunProgress;
  expect(staleKeys({ type: "run", notificationId: 7, progress })).toEqual(messages);
});

test("the schedules show what became of a run once it is finished", () => {
  const progress = { runId: 3, notificationId: 7, finishedAt: "2026-11-25T14:00:00Z" } as RunProgress;
  expect(staleKeys({ type: "run", notificationId: 7, progress })).toEqual([...messages, ...runs]);
});

test("news of a run without its figures make all old that shows them", () => {
  expect(staleKeys({ type: "run", notificationId: 7, progress: null })).toEqual([
    ...messages,
    ...runs,
    readKey(notifications.list),
    readKey(notifications.recent),
    readKey(notifications.detail, ofIt),
  ]);
});

test("the frame is read again when notifications or providers change", () => {
  expect(staleKeys({ type: "notifications" })).toContainEqual(readKey(shell.state));
  expect(staleKeys({ type: "providers" })).toEqual([readKey(shell.state), readKey(integrations.list)]);
});

test("the frame, the clock and who is reached are read again when settings change", () => {
  expect(staleKeys({ type: "settings" })).toEqual(
    expect.arrayContaining(
      [shell.state, audience.today, audience.reach].map((endpoint) => readKey(endpoint)),
    ),
  );
});

// Whom a planned one is for changes with it, and with the people and groups that it names.
test("people are counted again when notifications change", () => {
  expect(staleKeys({ type: "notifications" })).toEqual(
    expect.arrayContaining([readKey(audience.planned), readKey(audience.reach)]),
  );
});

test("a change to a schedule makes all old that shows schedules", () => {
  const old = [...runs, readKey(schedules.read), readKey(schedules.people), readKey(shell.state)];
  expect(staleKeys({ type: "schedules" })).toEqual(expect.arrayContaining(old));
});

test("after a cut everything is old", () => {
  expect(staleKeys({ type: "reconnected" })).toEqual([[]]);
});
