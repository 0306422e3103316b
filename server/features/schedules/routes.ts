import { isolated } from "#contract/text/isolate.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import type { ScheduleRun } from "#contract/calls/schedule-replies.ts";
import { schedules } from "#contract/calls/schedules.ts";
import type { Db } from "#server/db/database.ts";
import { idempotencyKey } from "#server/features/notifications/idempotency.ts";
import { isSandboxOnly } from "#server/features/notifications/send-now.ts";
import { listAttention } from "#server/features/schedules/attention.ts";
import {
  createCalendarLink,
  readCalendarLink,
  removeCalendarLink,
} from "#server/features/schedules/calendar-link.ts";
import { removeSchedule, setActive, skipNext, unskip } from "#server/features/schedules/change-state.ts";
import { outgoingMessage } from "#server/features/schedules/outgoing.ts";
import { previewSchedule } from "#server/features/schedules/preview.ts";
import { listSchedules, readSchedule, schedulePeople } from "#server/features/schedules/queries.ts";
import { readResidents } from "#server/features/schedules/residents.ts";
import { dismiss, dismissMissed, runNow, sendLate, sendMissed } from "#server/features/schedules/run-now.ts";
import { history, missedRuns, readRun, runsOfDays, runsOfToday } from "#server/features/schedules/runs.ts";
import { createSchedule, readEarlier, updateSchedule } from "#server/features/schedules/save-schedule.ts";
import { listUpcoming } from "#server/features/schedules/upcoming.ts";
import { readSetting } from "#server/features/settings/queries.ts";
import type { InTurn } from "#server/http/in-turn.ts";
import { on, type Route } from "#server/http/route.ts";

type SchedulesDeps = { db: Db; publicUrl: URL; inTurn: InTurn; now: () => Date };

export function schedulesRoutes({ db, publicUrl, inTurn, now }: SchedulesDeps): Route[] {
  const clock = async () => ({ zone: await readSetting(db, "timezone"), now: now() });
  const all = (rows: ScheduleRun[]) => ({ rows, total: rows.length });
  const read = async (id: number) => readSchedule(db, id, await clock());
  const run = async (id: number, occurrence: string) => {
    const found = await readRun(db, id, occurrence, await readSetting(db, "timezone"));
    if (!found) throw refusal("no-such-run");
    return found;
  };
  const started = async (id: number, occurrence: string) => {
    const found = await run(id, occurrence);
    const { notificationId } = found;
    return { ...found, sandboxOnly: notificationId !== null && (await isSandboxOnly(db, notificationId)) };
  };

  return [
    on(schedules.list, async ({ query }) => listSchedules(db, query, await clock())),
    on(schedules.today, async () => {
      const { zone, now: at } = await clock();
      return all(await runsOfToday(db, zone, at));
    }),
    on(schedules.calendar, async ({ query }) => runsOfDays(db, { ...query, ...(await clock()) })),
    on(schedules.missed, async ({ query }) => missedRuns(db, (await clock()).zone, query)),
    on(schedules.dismissMissed, async ({ body: { until }, by }) => ({
      dismissed: await dismissMissed(db, until, by),
    })),
    on(schedules.attention, async ({ query }) => listAttention(db, (await clock()).zone, query)),
    on(schedules.calendarLink, ({ user }) => readCalendarLink(db, user.id)),
    on(schedules.createCalendarLink, ({ by }) => createCalendarLink(db, by, publicUrl)),
    on(schedules.removeCalendarLink, ({ by }) => removeCalendarLink(db, by)),
    on(schedules.upcoming, async ({ query }) => listUpcoming(db, { ...query, ...(await clock()) })),
    on(schedules.people, async ({ body, request }) => inTurn(request, () => schedulePeople(db, body.ids))),
    on(schedules.preview, async ({ body, request }) =>
      inTurn(request, async () => previewSchedule(db, body, await clock())),
    ),

    on(schedules.create, async ({ body: { clientKey, ...body }, by }) => {
      const key = idempotencyKey(clientKey, body);
      const earlier = key && (await readEarlier(db, by.user, key));
      if (earlier) return read(earlier);
      const made = await createSchedule(db, body, { by, clock: await clock(), key });
      const id = made ?? (key && (await readEarlier(db, by.user, key)));
      if (id === null) throw new Error("a client key is in use, but its schedule does not exist");
      return read(id);
    }),
    on(schedules.read, async ({ params: { id } }) => read(id)),
    on(schedules.update, async ({ params: { id }, body, by }) => {
      await updateSchedule(db, id, body, by, await clock());
      return read(id);
    }),
    on(schedules.remove, async ({ params: { id }, by }) => ({
      message: `“${isolated(await removeSchedule(db, id, by))}” was deleted.`,
    })),

    on(schedules.pause, async ({ params: { id }, by }) => {
      await setActive(db, id, false, by, await clock());
      return read(id);
    }),
    on(schedules.activate, async ({ params: { id }, by }) => {
      await setActive(db, id, true, by, await clock());
      return read(id);
    }),
    on(schedules.skip, async ({ params: { id }, body, by }) => {
      await skipNext(db, id, body.occurrence, by, await clock());
      return read(id);
    }),
    on(schedules.unskip, async ({ params: { id }, body, by }) => {
      await unskip(db, id, body.occurrence, by, await clock());
      return read(id);
    }),

    on(schedules.run, async ({ params: { id }, body, by }) =>
      started(id, await runNow(db, id, body.clientKey, by, await clock())),
    ),
    on(schedules.outgoing, async ({ params: { id }, query: { occurrence } }) =>
      outgoingMessage(db, id, occurrence, await clock()),
    ),
    on(schedules.residents, async ({ params: { id }, request }) =>
      inTurn(request, async () => readResidents(db, id, await clock())),
    ),
    on(schedules.sendLate, async ({ params: { id }, body: { people }, by }) =>
      started(id, await sendLate(db, id, people, by, await clock())),
    ),
    on(schedules.history, async ({ params: { id }, query }) => {
      const { zone } = await clock();
      await read(id);
      return history(db, id, zone, query);
    }),
    on(schedules.sendMissed, async ({ params: { id, occurrence }, by }) => {
      await sendMissed(db, id, occurrence, by, await clock());
      return started(id, occurrence);
    }),
    on(schedules.dismiss, async ({ params: { id, occurrence }, by }) => {
      await dismiss(db, id, occurrence, by);
      return run(id, occurrence);
    }),
  ];
}
