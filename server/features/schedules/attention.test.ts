import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ScheduleAttention } from "#contract/schedules.ts";
import { type ScheduleApp, scheduleApp } from "#server/testing/schedules.ts";

let app: ScheduleApp;
beforeAll(async () => {
  app = await scheduleApp();
});
beforeEach(async () => {
  await sql`UPDATE schedules SET deleted_at = now() WHERE deleted_at IS NULL`.execute(app.porchlight.db);
  await app.moveClock("2026-11-24T10:00");
  await sql`UPDATE templates SET archived_at = NULL`.execute(app.porchlight.db);
  const body = { what: "schedules", until: new Date().toISOString() };
  await app.porchlight.call({ method: "POST", url: "/api/shell/seen", body }, app.staff);
});
afterAll(() => app.porchlight.close());

const attention = async (query = "") =>
  (await app.call("GET", `/attention${query}`)).json<ScheduleAttention[]>();
const unseen = async () =>
  (await app.porchlight.call({ method: "GET", url: "/api/shell" }, app.staff)).json().unseenFailures
    .schedules;
const change = { name: "Rent", time: "09:00", recipients: "All Tenants", templateId: "rent-reminder" };

test("runs that were missed need someone, one entry a schedule, until each is sent or dismissed", async () => {
  const { id } = await app.create({ endTime: "10:00" });
  await app.create({ name: "Fine", recurrence: "monthly", dayOfMonth: 31 });
  expect(await attention()).toEqual([]);
  await app.moveClock("2026-11-26T12:00");
  expect(await attention()).toMatchObject([
    {
      scheduleId: id,
      name: "Rent due tomorrow",
      active: true,
      problem: null,
      waitingRuns: 2,
      newest: { occurrence: "2026-11-26", state: "missed" },
      nextRunAt: "2026-11-27T14:00:00.000Z",
    },
  ]);
  expect(await unseen()).toBe(2);
  await app.call("POST", `/${id}/occurrences/2026-11-26/dismiss`);
  expect(await attention()).toMatchObject([{ waitingRuns: 1, newest: { occurrence: "2026-11-25" } }]);
  await app.call("POST", `/${id}/occurrences/2026-11-25/send`);
  expect(await attention()).toEqual([]);
  expect(await unseen()).toBe(0);
});

test("a schedule whose template was deleted is marked at its first run, and unmarked once that is fixed", async () => {
  const { id } = await app.create();
  await sql`UPDATE templates SET archived_at = now() WHERE slug = 'rent-reminder'`.execute(app.porchlight.db);
  await app.moveClock("2026-11-25T09:00");
  const problem = "Its template no longer exists. Choose another message.";
  expect(await attention()).toMatchObject([
    { scheduleId: id, problem, waitingRuns: 1, newest: { state: "failed", reason: problem } },
  ]);
  expect(await unseen()).toBe(1);
  await sql`UPDATE templates SET archived_at = NULL`.execute(app.porchlight.db);
  expect((await app.call("PUT", `/${id}`, change)).statusCode).toBe(200);
  expect(await attention()).toMatchObject([{ problem: null, waitingRuns: 1 }]);
  await app.call("DELETE", `/${id}`);
  expect(await attention()).toEqual([]);
});

test("a schedule whose only group is deleted is paused and says so, and the bell counts it", async () => {
  const group = await app.porchlight.call(
    { method: "POST", url: "/api/usergroups", body: { name: "Garden" } },
    app.staff,
  );
  const { id } = await app.create({ recipients: "Garden" });
  const url = `/api/usergroups/${group.json().id}?detach=true`;
  expect((await app.porchlight.call({ method: "DELETE", url }, app.staff)).statusCode).toBe(200);
  expect(await attention()).toMatchObject([
    {
      scheduleId: id,
      active: false,
      problem:
        "The group “Garden”, its only recipient, was deleted. Choose recipients and activate it again.",
      waitingRuns: 0,
      newest: null,
      nextRunAt: null,
    },
  ]);
  expect(await unseen()).toBe(1);
});

test("a channel that has lost its account, in pages with the total", async () => {
  const { db } = app.porchlight;
  const first = await app.create();
  const second = await app.create();
  await sql`UPDATE schedules SET connected_channels = '{email}'`.execute(db);
  await app.moveClock("2026-11-25T09:00");
  const reply = await app.call("GET", "/attention?pageSize=1&page=2");
  expect(reply.headers["x-total-count"]).toBe("2");
  expect(reply.json()).toMatchObject([{ scheduleId: first.id }]);
  expect((await attention("?pageSize=1"))[0]).toMatchObject({
    scheduleId: second.id,
    problem: expect.stringContaining("Email no longer has an account"),
  });
});

test("a paused schedule that cannot run needs no reminder", async () => {
  const { id } = await app.create();
  await sql`UPDATE schedules SET problem = 'It cannot run.', problem_at = now() WHERE id = ${id}`.execute(
    app.porchlight.db,
  );
  expect(await attention()).toMatchObject([{ problem: "It cannot run." }]);
  await app.call("POST", `/${id}/pause`);
  expect(await attention()).toEqual([]);
});
