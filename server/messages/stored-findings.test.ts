import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { NotificationDetail } from "#contract/calls/notifications.ts";
import { checkNextRuns } from "#server/delivery/schedules/check-next-runs.ts";
import { type ScheduleApp, scheduleApp } from "#server/testing/schedules.ts";

/** What is stored about why something is as it is: codes with parameters, and text for the build before. */

let app: ScheduleApp;
beforeAll(async () => {
  app = await scheduleApp();
});
afterAll(() => app.porchlight.close());

const run = (statement: ReturnType<typeof sql>) => statement.execute(app.porchlight.db);
const readRow = async (id: number) =>
  app.porchlight.db
    .selectFrom("schedules")
    .select(["problem", "problem_code", "findings"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

async function archivedTemplate() {
  const { id, templateId } = await app.create({ name: "Due" });
  await run(sql`UPDATE templates SET archived_at = now() WHERE id = ${templateId}`);
  await checkNextRuns(app.porchlight.db);
  return { id, restore: () => run(sql`UPDATE templates SET archived_at = NULL WHERE id = ${templateId}`) };
}

const ARCHIVED = "The template “Rent Reminder” is archived. Restore it, or choose another message.";

test("a problem is a code with parameters, and text that a process of the build before reads", async () => {
  const { id, restore } = await archivedTemplate();
  expect(await readRow(id)).toEqual({
    problem: ARCHIVED,
    problem_code: "not-found",
    findings: [
      { code: "its-template-archived", params: { name: "Rent Reminder" }, field: null, blocks: true },
    ],
  });
  expect((await app.read(id)).problem).toBe(ARCHIVED);
  await restore();
  await checkNextRuns(app.porchlight.db);
  expect(await readRow(id)).toEqual({ problem: null, problem_code: null, findings: null });
});

test("what that build writes counts, and is found anew", async () => {
  const { id, restore } = await archivedTemplate();
  await run(
    sql`UPDATE schedules SET problem = 'Fill in amount before sending.', problem_code = 'missing-field-values' WHERE id = ${id}`,
  );
  expect((await app.read(id)).problem).toBe("Fill in amount before sending.");
  await checkNextRuns(app.porchlight.db);
  expect((await app.read(id)).problem).toBe(ARCHIVED);
  await run(sql`UPDATE schedules SET problem = NULL WHERE id = ${id}`);
  expect(await readRow(id)).toMatchObject({ problem: null, findings: null });
  await restore();
});

test("a sentence of before findings were stored stays, if only a run can find it", async () => {
  const { id } = await app.create();
  const before = "No one is in the chosen groups right now.";
  await run(sql`UPDATE schedules SET problem = ${before}, problem_code = 'empty-audience' WHERE id = ${id}`);
  await checkNextRuns(app.porchlight.db);
  expect((await app.read(id)).problem).toBe(before);
});

test("what a newer build has found is read as the text beside it", async () => {
  const { id } = await app.create();
  await run(sql`UPDATE schedules SET problem = 'It is Sunday.', problem_code = 'conflict',
    findings = '[{ "code": "sunday", "params": {}, "field": null, "blocks": true }]' WHERE id = ${id}`);
  expect((await app.read(id)).problem).toBe("It is Sunday.");
});

test("a notification and a run keep why they failed the same way", async () => {
  const url = "/api/notifications";
  const body = {
    title: "Water",
    content: "No water",
    recipients: "All Tenants",
    channels: ["email"],
    status: "Scheduled",
    scheduled_time: "2026-11-30T09:00:00Z",
  };
  const { id } = (await app.porchlight.call({ method: "POST", url, body }, app.staff)).json();
  const detail = async () =>
    (await app.porchlight.call({ method: "GET", url: `${url}/${id}` }, app.staff)).json<NotificationDetail>();
  await run(sql`UPDATE notifications SET status = 'Failed', status_reason = 'Old words.' WHERE id = ${id}`);
  expect((await detail()).statusReason).toBe("Old words.");
  await run(sql`UPDATE notifications SET status_reason = 'x', findings = '[{ "code": "unfilled",
    "params": { "fields": ["due_date"] }, "field": null, "blocks": true }]' WHERE id = ${id}`);
  expect((await detail()).statusReason).toBe("Fill in due date before sending.");

  const { id: schedule } = await app.create({ endTime: "09:30" });
  await app.moveClock("2026-11-25T11:00");
  const { rows } = await sql`SELECT reason, findings FROM schedule_occurrences
    WHERE schedule_id = ${schedule}`.execute(app.porchlight.db);
  const missed = "It couldn't start by 9:30 AM ET, so nothing was sent.";
  const params = { endTime: "09:30", zone: "America/New_York" };
  expect(rows).toEqual([
    { reason: missed, findings: [{ code: "window-missed", params, field: null, blocks: true }] },
  ]);
  expect((await app.runs(`/${schedule}/history`))[0]?.reason).toBe(missed);
});
