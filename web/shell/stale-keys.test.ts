import { expect, test } from "vitest";
import type { RunProgress } from "#contract/run-progress.ts";
import { audience } from "#contract/calls/audience.ts";
import { dashboard } from "#contract/calls/dashboard.ts";
import { deliveries } from "#contract/calls/deliveries.ts";
import { groups } from "#contract/calls/groups.ts";
import { integrations } from "#contract/calls/integrations.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { places } from "#contract/calls/places.ts";
import { schedules } from "#contract/calls/schedules.ts";
import { shell } from "#contract/calls/shell.ts";
import { templates } from "#contract/calls/templates.ts";
import { users } from "#contract/calls/users.ts";
import { readKey } from "#web/api/use-read.ts";
import { slowKeys, staleKeys } from "#web/shell/stale-keys.ts";

const ofIt = { params: { id: 7 } };
const messages = [
  readKey(deliveries.list, ofIt),
  readKey(deliveries.retryPreview, ofIt),
  readKey(deliveries.timeline),
  readKey(users.deliveries),
  readKey(places.notices),
];
// Whatever is read of schedules shows their runs, except a form's values and the calendar's secret link.
const runs = [...Object.values(schedules), templates.list, dashboard.read]
  .filter(
    ({ method, path }) =>
      method === "GET" && ![schedules.read.path, schedules.calendarLink.path].includes(path),
  )
  .map((endpoint) => readKey(endpoint));

// spec 221
test("every key starts with its call's URL", () => {
  expect(
    [templates.list, schedules.list].map((endpoint) => readKey(endpoint, { query: { q: "x" } })[0]),
  ).toEqual(["/api/templates", "/api/schedules"]);
});

// A run sends an event to every open page each second. Data that comes with the event must not be fetched.
test("a run event makes only its messages stale", () => {
  const progress = { runId: 3, notificationId: 7 } as RunProgress;
  expect(staleKeys({ type: "run", notificationId: 7, progress })).toEqual(messages);
});

test("a finished run makes the schedules stale", () => {
  const progress = { runId: 3, notificationId: 7, finishedAt: "2026-11-25T14:00:00Z" } as RunProgress;
  const stale = staleKeys({ type: "run", notificationId: 7, progress });
  expect(new Set(stale)).toEqual(new Set([...messages, ...runs]));
});

test("a run event without figures makes everything that shows them stale", () => {
  const { list, recent, detail } = notifications;
  expect(new Set(staleKeys({ type: "run", notificationId: 7, progress: null }))).toEqual(
    new Set([...messages, ...runs, readKey(list), readKey(recent), readKey(detail, ofIt)]),
  );
});

// spec 266
test("fetches header and sidebar again when notifications or providers change", () => {
  expect(staleKeys({ type: "notifications" })).toContainEqual(readKey(shell.state));
  expect(staleKeys({ type: "providers" })).toEqual(
    expect.arrayContaining([readKey(shell.state), readKey(integrations.list)]),
  );
});

test("fetches header, sidebar, clock, reach, previews and what can be retried again when settings change", () => {
  expect(staleKeys({ type: "settings" })).toEqual(
    expect.arrayContaining(
      [shell.state, audience.today, audience.reach, audience.preview, deliveries.retryPreview].map(
        (endpoint) => readKey(endpoint),
      ),
    ),
  );
});

// The first account of a channel ends the Sandbox there: a form that is open must not say that nothing real is sent.
test("fetches reach again when providers change", () => {
  expect(staleKeys({ type: "providers" })).toContainEqual(readKey(audience.reach));
});

// The recipients of a scheduled notification change with it, and with the people and groups it names.
test("counts people again when notifications change", () => {
  expect(staleKeys({ type: "notifications" })).toEqual(
    expect.arrayContaining([readKey(audience.planned), readKey(audience.reach)]),
  );
});

test("a change to a schedule makes everything that shows schedules stale", () => {
  const old = [...runs, readKey(schedules.read), readKey(schedules.people), readKey(shell.state)];
  expect(staleKeys({ type: "schedules" })).toEqual(expect.arrayContaining(old));
});

// A form that is open shows the text that will be sent.
test("a change to a template makes everything that shows its text stale", () => {
  const texts = [templates.list, templates.read, templates.versions, audience.preview];
  const shown = [...texts, schedules.list, schedules.read];
  expect(staleKeys({ type: "templates" })).toEqual(
    expect.arrayContaining(shown.map((endpoint) => readKey(endpoint))),
  );
});

test("a change to people makes their lists stale, the groups and audiences that they match, and what they were sent", () => {
  const shown = [
    users.list,
    users.detail,
    groups.list,
    groups.members,
    places.property,
    places.unreached,
    audience.reach,
    deliveries.list,
    deliveries.retryPreview,
    deliveries.timeline,
  ];
  expect(staleKeys({ type: "people" })).toEqual(
    expect.arrayContaining(shown.map((endpoint) => readKey(endpoint))),
  );
});

// An import sends one every few seconds, and these count everyone.
test("a change to people makes the dashboard and the totals of properties stale more slowly than their lists", () => {
  for (const key of [readKey(dashboard.read), readKey(places.totals)]) {
    expect(slowKeys({ type: "people" })).toContainEqual(key);
    expect(staleKeys({ type: "people" })).not.toContainEqual(key);
  }
});

test("everything is stale after a disconnect", () => {
  expect(staleKeys({ type: "reconnected" })).toEqual([[]]);
});
