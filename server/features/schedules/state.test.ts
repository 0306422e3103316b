import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { NotificationDetail, NotificationRow } from "#contract/calls/notifications.ts";
import type { Schedule } from "#contract/calls/schedule-replies.ts";
import { type ScheduleApp, scheduleApp } from "#server/testing/schedules.ts";

let app: ScheduleApp;
beforeAll(async () => {
  app = await scheduleApp();
});
beforeEach(async () => {
  // Schedules of other tests would run, too.
  await sql`UPDATE schedules SET deleted_at = now() WHERE deleted_at IS NULL`.execute(app.porchlight.db);
  await app.moveClock("2026-11-24T10:00");
});
afterAll(() => app.porchlight.close());

const post = async (id: number, what: string, body?: object) => {
  const reply = await app.call("POST", `/${id}/${what}`, body);
  return { statusCode: reply.statusCode, ...reply.json() };
};
const notification = async (id: number | null | undefined) =>
  (
    await app.porchlight.call({ method: "GET", url: `/api/notifications/${id}` }, app.staff)
  ).json<NotificationDetail>();
const days = async (id: number) =>
  (await app.runs(`/${id}/history`)).map(({ occurrence, state }) => `${occurrence} ${state}`);

test("a paused schedule does not run, and what passed meanwhile is not made up for", async () => {
  const { id } = await app.create();
  expect(await post(id, "pause")).toMatchObject({ active: false, state: "paused", nextRunAt: null });
  await app.moveClock("2026-11-26T09:30");
  expect(await post(id, "activate")).toMatchObject({ state: "active", nextOccurrence: "2026-11-27" });
  await app.moveClock("2026-11-27T09:00");
  expect(await days(id)).toEqual(["2026-11-27 started"]);
});

test("a deleted schedule disappears everywhere; what it sent stays", async () => {
  const { id } = await app.create();
  await app.moveClock("2026-11-25T09:00");
  const [sent] = await app.runs(`/${id}/history`);
  const reply = await app.call("DELETE", `/${id}`);
  expect(reply.json()).toEqual({ message: "“Rent due tomorrow” was deleted." });
  expect((await app.call("GET", `/${id}`)).statusCode).toBe(404);
  expect((await app.call("GET", "")).json()).toEqual([]);
  await app.moveClock("2026-11-26T09:00");
  const calendar = await app.runs("/calendar?from=2026-11-01&to=2026-11-30");
  expect(calendar.filter(({ scheduleId }) => scheduleId === id)).toEqual([
    { ...sent, runsThatDay: 1, runsThatHour: 1 },
  ]);
  expect((await notification(sent?.notificationId)).status).toBe("Sending");
});

describe("skip the next one", () => {
  test("leaves out that day alone, however often it is asked", async () => {
    const { id } = await app.create();
    const body = { occurrence: "2026-11-25" };
    expect(await post(id, "skip", body)).toMatchObject({
      skips: ["2026-11-25"],
      nextOccurrence: "2026-11-26",
    });
    expect(await post(id, "skip", body)).toMatchObject({ statusCode: 200, nextOccurrence: "2026-11-26" });
    await app.moveClock("2026-11-26T09:00");
    expect(await days(id)).toEqual(["2026-11-26 started", "2026-11-25 skipped"]);
    expect((await app.runs(`/${id}/history`))[1]?.by).toBe("Ada Byron");
  });

  test("only the next one, and it can be taken back while it is ahead", async () => {
    const { id } = await app.create();
    expect((await post(id, "skip", { occurrence: "2026-11-26" })).statusCode).toBe(409);
    await post(id, "skip", { occurrence: "2026-11-25" });
    expect(await post(id, "unskip", { occurrence: "2026-11-25" })).toMatchObject({
      skips: [],
      nextOccurrence: "2026-11-25",
    });
    await post(id, "skip", { occurrence: "2026-11-25" });
    await app.moveClock("2026-11-25T12:00");
    expect(await post(id, "unskip", { occurrence: "2026-11-25" })).toMatchObject({
      statusCode: 409,
      message: "This run is not skipped, or its time has passed.",
    });
  });
});

describe("run now", () => {
  test("sends once for each click, with today's values, and leaves the next run planned", async () => {
    const { id } = await app.create({ active: false });
    const first = await post(id, "run", { clientKey: "click" });
    expect(first).toMatchObject({ statusCode: 200, state: "started", by: "Ada Byron", day: "2026-11-24" });
    expect(first.sandboxOnly).toBe(true);
    expect((await post(id, "run", { clientKey: "click" })).notificationId).toBe(first.notificationId);
    expect(await notification(first.notificationId)).toMatchObject({
      title: "Rent due tomorrow",
      status: "Sending",
      fieldValues: { due_date: "December 1, 2026" },
      sentBy: { who: "person", name: "Ada Byron" },
    });
    expect((await app.read(id)).lastRun?.notificationId).toBe(first.notificationId);
    const frozen = await sql`SELECT field_values ->> 'today' AS today FROM content_versions
      WHERE notification_id = ${first.notificationId}`.execute(app.porchlight.db);
    expect(frozen.rows).toEqual([{ today: "November 24, 2026" }]);
  });

  test("says at once when no one can be reached", async () => {
    const { id } = await app.create({ channels: ["push"] });
    expect(await post(id, "run", {})).toMatchObject({ statusCode: 422, code: "empty-audience" });
    expect(await days(id)).toEqual([]);
  });
});

describe("a missed run", () => {
  const missOne = async () => {
    const { id } = await app.create({ recurrence: "monthly", dayOfMonth: 30, endTime: "10:00" });
    await app.moveClock("2026-12-02T12:00");
    return id;
  };

  test("is shown with its schedule, in the list of what was missed, and counted by the bell", async () => {
    const id = await missOne();
    const shell = await app.porchlight.call({ method: "GET", url: "/api/shell" }, app.staff);
    expect(shell.json().unseenFailures.schedules).toBeGreaterThan(0);
    const missed = {
      occurrence: "2026-11-30",
      state: "missed",
      reason: "It couldn't start by 10:00 AM ET, so nothing was sent.",
    };
    expect((await app.read(id)).missed).toMatchObject([missed]);
    expect(await app.runs("/missed")).toMatchObject([{ scheduleId: id, ...missed }]);
  });

  test("shows what it would send, as of its own day, and since when its text is so", async () => {
    const id = await missOne();
    const outgoing = async (query = "") => {
      const reply = await app.call("GET", `/${id}/outgoing${query}`);
      return { statusCode: reply.statusCode, ...reply.json() };
    };
    expect(await outgoing("?occurrence=2026-11-30")).toMatchObject({
      statusCode: 200,
      title: "Rent due tomorrow",
      fieldValues: { amount: "$1,200", due_date: "December 1, 2026" },
      audience: [{ type: "group", name: "All Tenants" }],
      channels: ["email"],
      plannedFor: "2026-11-30T14:00:00.000Z",
    });
    expect(await outgoing()).toMatchObject({
      statusCode: 200,
      fieldValues: { due_date: "January 1, 2027" },
      plannedFor: null,
    });
    expect(await outgoing("?occurrence=2026-11-29")).toMatchObject({ statusCode: 404 });
    await sql`UPDATE templates SET archived_at = now() WHERE slug = 'rent-reminder'`.execute(
      app.porchlight.db,
    );
    expect(await outgoing()).toMatchObject({ statusCode: 404, message: expect.stringContaining("archived") });
    await sql`UPDATE templates SET archived_at = NULL WHERE slug = 'rent-reminder'`.execute(
      app.porchlight.db,
    );
  });

  test("is sent with one click, once, with the values of its own day", async () => {
    const id = await missOne();
    const sent = await post(id, "occurrences/2026-11-30/send");
    expect(sent).toMatchObject({ statusCode: 200, state: "started", by: "Ada Byron", sandboxOnly: true });
    expect((await post(id, "occurrences/2026-11-30/send")).notificationId).toBe(sent.notificationId);
    expect((await notification(sent.notificationId)).fieldValues).toMatchObject({
      due_date: "December 1, 2026",
    });
    expect(await app.runs("/missed")).toEqual([]);
    expect(await app.read(id)).toMatchObject({ missed: [], nextOccurrence: "2026-12-30" });
  });

  test("is dismissed and stays on record", async () => {
    const id = await missOne();
    expect(await post(id, "occurrences/2026-11-30/dismiss")).toMatchObject({
      state: "missed",
      dismissed: true,
    });
    expect(await app.runs("/missed")).toEqual([]);
    expect(await days(id)).toEqual(["2026-11-30 missed"]);
    expect(await post(id, "occurrences/2026-10-30/dismiss")).toMatchObject({ statusCode: 404 });
  });
});

test("one that cannot run says why, and runs again once it is fixed", async () => {
  const { id } = await app.create();
  await sql`UPDATE templates SET archived_at = now() WHERE slug = 'rent-reminder'`.execute(app.porchlight.db);
  await app.moveClock("2026-11-25T09:00");
  const problem = "The template “Rent Reminder” is archived. Restore it, or choose another message.";
  expect(await app.read(id)).toMatchObject({ problem, missed: [{ state: "failed", reason: problem }] });
  await sql`UPDATE templates SET archived_at = NULL`.execute(app.porchlight.db);
  expect(await post(id, "occurrences/2026-11-25/send")).toMatchObject({ state: "started", reason: null });
  expect((await app.read(id)).problem).toBeNull();
});

describe("a recurring notification is a schedule, too", () => {
  const recurring = async (more: object = {}) => {
    const body = {
      title: "Staff meeting",
      content: "Agenda",
      recipients: ["All Tenants"],
      channels: ["email"],
      status: "Recurring",
      recurrence: "weekly",
      recurringDay: 3,
      ...more,
    };
    const reply = await app.porchlight.call({ method: "POST", url: "/api/notifications", body }, app.staff);
    const made = reply.json<NotificationRow>();
    const listed = (await app.call("GET", "?q=staff meeting")).json<Schedule[]>();
    return { notificationId: made.id, schedule: listed[0]! };
  };
  const change = (schedule: Schedule, more: object) =>
    app.call("PUT", `/${schedule.id}`, {
      name: schedule.name,
      time: schedule.time,
      recipients: schedule.recipients,
      ...more,
    });

  test("listed in both places, and each run is a separate notification", async () => {
    const { notificationId, schedule } = await recurring();
    expect(schedule).toMatchObject({
      name: "Staff meeting",
      rule: "Every Wednesday, 9:00 AM ET",
      ownNotification: true,
      notificationId,
      message: "Staff meeting",
      recipients: "All Tenants",
      nextOccurrence: "2026-11-25",
    });
    await app.moveClock("2026-11-25T09:00");
    const sent = (await app.read(schedule.id)).lastRun;
    expect(sent?.notificationId).not.toBe(notificationId);
    expect(await notification(sent?.notificationId)).toMatchObject({
      title: "Staff meeting",
      content: "Agenda",
      status: "Sending",
      sentBy: { who: "schedule" },
    });
    expect((await notification(notificationId)).status).toBe("Recurring");
  });

  test("pausing, skipping and another rule show on the notification; its text is edited there", async () => {
    const { notificationId, schedule } = await recurring();
    await post(schedule.id, "pause");
    expect(await notification(notificationId)).toMatchObject({
      status: "Recurring",
      sentTime: "Every Wednesday, 9:00 AM ET (paused)",
    });
    const changed = await change(schedule, {
      active: true,
      recurrence: "monthly",
      dayOfMonth: 1,
      recipients: "Everyone",
      channels: ["sms"],
    });
    expect(changed.json()).toMatchObject({
      recipients: "Everyone",
      type: "SMS",
      nextOccurrence: "2026-12-01",
    });
    expect(await notification(notificationId)).toMatchObject({
      recurrence: "monthly",
      recurringDay: 1,
      recipients: "Everyone",
      channels: ["sms"],
      sentTime: "Day 1 of every month, 9:00 AM ET",
    });
    const other = await change(schedule, { templateId: "rent-reminder" });
    expect(other.json().fields).toEqual({
      templateId: "It repeats a recurring notification. Edit that notification to change what it says.",
    });
  });

  test("a value goes out as it was changed last, in whichever of the two places", async () => {
    const content = "Please bring {{dish}}.";
    const { notificationId, schedule } = await recurring({ content, fieldValues: { dish: "cake" } });
    const sent = async () => {
      const run = await post(schedule.id, "run", {});
      return (await notification(run["notificationId"])).fieldValues["dish"];
    };
    // The editor sends all that it shows, changed or not.
    await change(schedule, { fieldValues: { dish: "cake" } });
    const { title, recipients } = await notification(notificationId);
    const body = { title, content, recipients, fieldValues: { dish: "salad" } };
    await app.porchlight.call(
      { method: "PUT", url: `/api/notifications/${notificationId}`, body },
      app.staff,
    );
    expect(await sent()).toBe("salad");
    await change(schedule, { fieldValues: { dish: "soup" } });
    expect(await sent()).toBe("soup");
    await app.porchlight.call(
      { method: "PUT", url: `/api/notifications/${notificationId}`, body },
      app.staff,
    );
    expect(await sent()).toBe("salad");
  });

  test("a date relative to the run is another one each time, and a change of the notification keeps it", async () => {
    const content = "Pay by {{due_date}}.";
    const fieldValues = { due_date: { daysAfter: 6 } };
    const { notificationId, schedule } = await recurring({ content, fieldValues });
    const dueOnRun = async (day: string) => {
      await app.moveClock(`${day}T09:00`);
      const { lastRun } = await app.read(schedule.id);
      return (await notification(lastRun?.notificationId)).fieldValues["due_date"];
    };
    const edit = async (more: object) => {
      const { title, recipients } = await notification(notificationId);
      const reply = await app.porchlight.call(
        {
          method: "PUT",
          url: `/api/notifications/${notificationId}`,
          body: { title, content, recipients, ...more },
        },
        app.staff,
      );
      return reply.json();
    };
    expect(await dueOnRun("2026-11-25")).toBe("December 1, 2026");
    expect(await edit({ title: "Rent" })).toMatchObject({ title: "Rent", fieldValues });
    expect(await dueOnRun("2026-12-02")).toBe("December 8, 2026");
    await edit({ fieldValues: { due_date: { day: 31, monthsAfter: 0 } } });
    expect(await dueOnRun("2026-12-09")).toBe("December 31, 2026");
    await edit({ fieldValues: { due_date: "Friday" } });
    expect(await dueOnRun("2026-12-16")).toBe("Friday");
    const planned = { status: "Scheduled", scheduled_time: "2027-01-04T09:00", fieldValues };
    expect((await edit(planned)).fields).toEqual({
      "fieldValues.due_date": "Only a recurring notification can have a date relative to the run",
    });
  });

  test("deleting one cancels the other, and either begins again as it was", async () => {
    const { notificationId, schedule } = await recurring();
    await app.call("DELETE", `/${schedule.id}`);
    expect(await notification(notificationId)).toMatchObject({ status: "Cancelled", recurrence: "weekly" });
    const { title, content, recipients } = await notification(notificationId);
    await app.porchlight.call(
      {
        method: "PUT",
        url: `/api/notifications/${notificationId}`,
        body: { title, content, recipients, status: "Recurring" },
      },
      app.staff,
    );
    expect(await app.read(schedule.id)).toMatchObject({ state: "active", nextOccurrence: "2026-11-25" });
    await app.porchlight.call(
      { method: "POST", url: `/api/notifications/${notificationId}/cancel` },
      app.staff,
    );
    expect((await app.call("GET", `/${schedule.id}`)).statusCode).toBe(404);
    await app.moveClock("2026-11-25T09:00");
    expect((await notification(notificationId)).status).toBe("Cancelled");
  });
});
