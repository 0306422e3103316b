import type { Page } from "@playwright/test";
import { type CalendarRun, SCHEDULED_NOTIFICATION_OFFSET } from "#contract/calls/schedule-replies.ts";

type Written = [weekday: number, time: string, name: string, look: Partial<CalendarRun>];

const sent = (people: number, reached = people): Partial<CalendarRun> => ({
  state: "started",
  status: reached === people ? "Delivered" : "Partially Delivered",
  people,
  reached,
});
const planned: Partial<CalendarRun> = { state: "planned" };
const byHand: Partial<CalendarRun> = { kind: "notification", unscheduled: true };

const written: Written[] = [
  [0, "10:00", "Leaf cleanup", { ...sent(51), ...byHand }],
  [1, "08:00", "Weekly maintenance", sent(51)],
  [1, "10:00", "Hallway painting", { ...sent(62, 58), ...byHand }],
  [1, "18:00", "Laundry room closed", { state: "missed" }],
  [2, "06:00", "Icy steps", { ...sent(444), ...byHand }],
  [2, "14:00", "Staff meeting", sent(12)],
  [2, "17:30", "Parcel room code", { ...sent(58), ...byHand }],
  [3, "09:00", "Rent reminder", sent(444, 417)],
  [3, "13:00", "New parking rules", { ...sent(129, 123), ...byHand, runsThatHour: 7 }],
  [3, "13:10", "Garage gate code", { ...sent(12), ...byHand }],
  [3, "13:20", "Guest parking", { ...sent(40), ...byHand }],
  [3, "16:00", "Office closed on Thanksgiving", sent(444, 431)],
  [4, "09:00", "Returning your keys", { ...sent(4), ...byHand }],
  [4, "18:00", "Recycling pickup", { state: "skipped" }],
  [5, "08:00", "Elevator reminder", planned],
  [5, "16:00", "Tree lighting invitation", planned],
  [6, "10:00", "Recycling pickup", planned],
  [6, "22:30", "Quiet hours", planned],
];

/** Opens the page again with a week in which everything is that can be in one. */
export async function busyWeek(page: Page): Promise<void> {
  await page.route("**/api/schedules/calendar?*", async (route) => {
    const from = new URL(route.request().url()).searchParams.get("from") ?? "";
    const rows = written.map(([weekday, time, name, look], index): CalendarRun => {
      const day = Temporal.PlainDate.from(from).add({ days: weekday }).toString();
      return {
        scheduleId: index + 1 + (look.unscheduled ? SCHEDULED_NOTIFICATION_OFFSET : 0),
        kind: "schedule",
        unscheduled: false,
        name,
        channels: ["email"],
        recipients: "All Tenants",
        occurrence: day,
        startsAt: `${day}T${time}:00Z`,
        day,
        time,
        state: "started",
        settledAt: null,
        reason: null,
        dismissed: false,
        by: null,
        notificationId: null,
        status: null,
        people: null,
        reached: null,
        simulated: false,
        simulatedChannels: [],
        noReceipts: { channels: [], all: false },
        runsThatDay: written.filter(([other]) => other === weekday).length,
        runsThatHour: written.filter(
          ([other, at]) => other === weekday && at.slice(0, 2) === time.slice(0, 2),
        ).length,
        ...look,
      };
    });
    await route.fulfill({ json: rows, headers: { "X-Total-Count": String(rows.length) } });
  });
  // Eight minutes to noon on its Thursday.
  await page.route("**/api/clock", (route) =>
    route.fulfill({
      json: { now: "2026-11-26T16:52:00Z", timeZone: "America/New_York", today: "2026-11-26", time: "11:52" },
    }),
  );
  await page.reload();
}
