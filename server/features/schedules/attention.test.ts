import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ScheduleAttention } from "#contract/calls/schedule-replies.ts";
import { checkNextRuns } from "#server/delivery/schedules/check-next-runs.ts";
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
  expect(await unseen()).toBe(1);
  await app.call("POST", `/${id}/occurrences/2026-11-26/dismiss`);
  expect(await attention()).toMatchObject([{ waitingRuns: 1, newest: { occurrence: "2026-11-25" } }]);
  await app.call("POST", `/${id}/occurrences/2026-11-25/send`);
  expect(await attention()).toEqual([]);
  expect(await unseen()).toBe(0);
});

test("all that someone has seen are dismissed at once", async () => {
  const { db } = app.porchlight;
  const early = await app.create({ name: "Early", endTime: "10:00" });
  const late = await app.create({ name: "Late", time: "10:30", endTime: "11:00" });
  const heldUp = await app.create({ name: "Held up", endTime: "10:00" });
  const holdUp = (held: boolean) =>
    sql`UPDATE schedules SET active = ${!held} WHERE id = ${heldUp.id}`.execute(db);
  await holdUp(true);
  await app.moveClock("2026-11-25T12:00");
  await sql`UPDATE schedule_occurrences SET state = 'failed' WHERE schedule_id = ${late.id}`.execute(db);
  // As of a recurring notification, whose title is its name.
  await sql`
    WITH own AS (
      INSERT INTO notifications (title, content, message_type, status, channels, audience, audience_text,
        created_by_name, class)
      VALUES ('Late', 'Words.', 'custom', 'Recurring', '{email}', '[]', '', '', 'general') RETURNING id)
    UPDATE schedules SET own_notification = true, template_id = NULL, notification_id = own.id, name = NULL, channels = NULL,
      audience = NULL FROM own WHERE schedules.id = ${late.id}`.execute(db);
  const dismissAll = async (body: object) => {
    const reply = await app.call("POST", "/missed/dismiss", body);
    return reply.statusCode === 200 ? reply.json() : [reply.statusCode, reply.json().message];
  };
  const left = async () => (await app.runs("/missed")).map(({ name, occurrence }) => [name, occurrence]);
  expect(await left()).toEqual([
    ["Early", "2026-11-25"],
    ["Late", "2026-11-25"],
    ["Late", "2026-11-24"],
  ]);
  const { settledAt: until } = (await app.runs("/missed?pageSize=1"))[0]!;
  // Still three, but one of them is new.
  await app.call("POST", `/${late.id}/occurrences/2026-11-25/dismiss`);
  await holdUp(false);
  await app.moveClock("2026-11-25T12:01");
  expect(await left()).toHaveLength(3);

  expect((await app.call("POST", "/missed/dismiss", {})).statusCode).toBe(400);
  expect(await dismissAll({ until })).toEqual({ dismissed: 2 });
  expect(await left()).toEqual([["Held up", "2026-11-25"]]);
  expect(await dismissAll({ until })).toEqual({ dismissed: 0 });
  const { rows } = await sql`
    SELECT actor_name AS who, detail FROM audit WHERE action = 'schedule.dismiss'
      AND subject_id IN (${early.id}, ${late.id}) ORDER BY id`.execute(db);
  const entry = (name: string, occurrence: string) => ({ who: "Ada Byron", detail: { name, occurrence } });
  expect(rows).toHaveLength(3);
  expect(rows).toContainEqual(entry("Early", "2026-11-25"));
  expect(rows).toContainEqual(entry("Late", "2026-11-24"));
  expect(await app.runs(`/${early.id}/history`)).toMatchObject([{ state: "missed", dismissed: true }]);
});

test("a schedule whose template was deleted is marked at its first run, and unmarked once that is fixed", async () => {
  const { id } = await app.create();
  await sql`UPDATE templates SET archived_at = now() WHERE slug = 'rent-reminder'`.execute(app.porchlight.db);
  await app.moveClock("2026-11-25T09:00");
  const problem = "The template “Rent Reminder” is archived. Restore it, or choose another message.";
  expect(await attention()).toMatchObject([
    { scheduleId: id, problem, waitingRuns: 1, newest: { state: "failed", reason: problem } },
  ]);
  expect(await unseen()).toBe(1);
  await sql`UPDATE templates SET archived_at = NULL`.execute(app.porchlight.db);
  expect((await app.call("PUT", `/${id}`, change)).statusCode).toBe(200);
  expect(await attention()).toMatchObject([{ problem: null, waitingRuns: 1 }]);
  // The schedule is fixed, but that run was never sent.
  expect(await unseen()).toBe(1);
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

describe("what a schedule uses and others take away is named at once", () => {
  const ask = (method: "POST" | "PUT" | "DELETE", url: string, body?: object) =>
    app.porchlight.call({ method, url, body }, app.staff);
  const group = async (name: string) => (await ask("POST", "/api/usergroups", { name })).json().id as number;
  const deleteGroup = (id: number) => ask("DELETE", `/api/usergroups/${id}?detach=true`);
  const marked = async () => (await attention()).map(({ scheduleId, problem }) => [scheduleId, problem]);

  test("groups beside others, until someone saves it, also where a run went to the others", async () => {
    const [pool, court] = [await group("Pool"), await group("Court")];
    const { id } = await app.create({ recipients: ["Pool", "All Tenants", "Court"] });
    await deleteGroup(pool);
    const rest = "Runs go to the other recipients. Check them and save the schedule.";
    expect(await marked()).toEqual([[id, `The group “Pool” no longer exists. ${rest}`]]);
    expect(await unseen()).toBe(1);
    await deleteGroup(court);
    const both = [[id, `The group “Pool” and the group “Court” no longer exist. ${rest}`]];
    expect(await marked()).toEqual(both);
    await app.moveClock("2026-11-25T09:00");
    expect(await marked()).toEqual(both);
    expect(await app.read(id)).toMatchObject({ recipients: "All Tenants", active: true });
    expect((await app.call("PUT", `/${id}`, change)).statusCode).toBe(200);
    await app.moveClock("2026-11-26T09:00");
    expect(await marked()).toEqual([]);
  });

  test("one of several groups of a recurring notification", async () => {
    const id = await group("Roof");
    const made = await ask("POST", "/api/notifications", {
      title: "Roof closed",
      content: "The roof is closed.",
      status: "Recurring",
      recipients: ["Roof", "All Tenants"],
      channels: ["email"],
      recurrence: "daily",
      recurringTime: "09:00",
    });
    expect(made.statusCode).toBe(201);
    await deleteGroup(id);
    expect(await attention()).toMatchObject([
      { name: "Roof closed", problem: expect.stringContaining("The group “Roof” no longer exists.") },
    ]);
  });

  test("while it is paused, once it is activated", async () => {
    const pond = await group("Pond");
    const { id } = await app.create({ recipients: ["Pond", "All Tenants"], active: false });
    await deleteGroup(pond);
    expect(await marked()).toEqual([]);
    await app.call("POST", `/${id}/activate`);
    expect(await marked()).toEqual([[id, expect.stringContaining("The group “Pond” no longer exists.")]]);
  });

  test("an archived template, until it is restored", async () => {
    const { id, templateId } = await app.create();
    // A schedule that was being saved at that moment does not keep it from being archived.
    await sql`UPDATE templates SET archived_at = now() WHERE id = ${templateId}`.execute(app.porchlight.db);
    await checkNextRuns(app.porchlight.db);
    expect(await marked()).toEqual([[id, expect.stringContaining("“Rent Reminder” is archived.")]]);
    await ask("POST", `/api/templates/${templateId}/archive`, { archived: false });
    expect(await marked()).toEqual([]);
  });

  test("a field that a template asks for since it was saved", async () => {
    const template = { name: "Bins", type: "Email", subject: "Bins", content: "Bins out." };
    const { id: templateId } = (await ask("POST", "/api/templates", template)).json();
    const { id } = await app.create({ templateId, fieldValues: {} });
    const change = (content: string) => ask("PUT", `/api/templates/${templateId}`, { ...template, content });
    await change("Bins out by {{bin_time}}.");
    expect(await marked()).toEqual([[id, "Fill in bin time before sending."]]);
    await change("Bins out.");
    expect(await marked()).toEqual([]);
  });

  test("a field that the notification which it sends asks for since", async () => {
    const body = { title: "Lift", content: "No lift.", recipients: "All Tenants", channels: ["email"] };
    const { id: notificationId } = (
      await ask("POST", "/api/notifications", { ...body, status: "Draft" })
    ).json();
    const { id } = await app.create({ templateId: null, notificationId, fieldValues: {} });
    await ask("PUT", `/api/notifications/${notificationId}`, { ...body, content: "No lift {{lift_days}}." });
    expect(await marked()).toEqual([[id, "Fill in lift days before sending."]]);
  });
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
