import { expect, test } from "vitest";
import type { CalendarRun } from "#contract/calls/schedule-replies.ts";
import { layOutWeek, placeOfTime } from "#web/features/schedules/calendar/week-layout.ts";

const day = "2026-11-24";
const days = [day, "2026-11-25"];

const run = (time: string, more: Partial<CalendarRun> = {}) =>
  ({ name: time, time, day, runsThatHour: 1, ...more }) as CalendarRun;
const layOut = (runs: CalendarRun[], now?: { day: string; time: string }) =>
  layOutWeek(days, new Map([[day, runs]]), now);
const rows = (layout: ReturnType<typeof layOut>) => layout.hours.map(({ hour }) => hour);

test("has the hours of a working day, and those beside them that something is in", () => {
  expect(rows(layOut([]))).toEqual([8, 9, 10, 11, 12, 13, 14, 15, 16]);
  expect(rows(layOut([run("07:15"), run("18:30")]))).toEqual([7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]);
  expect(rows(layOut([], { day, time: "19:40" })).at(-1)).toBe(19);
  expect(rows(layOut([], { day: "2026-12-24", time: "19:40" })).at(-1)).toBe(16);
});

test("what is at night has rows of its own, and no more of it than fits", () => {
  const night = layOut([run("01:00"), run("02:00"), run("05:00"), run("23:30")]);
  expect(rows(night)[0]).toBe(8);
  expect(night.earlier.height).toBe(2 * 46 + 20);
  expect(night.days.get(day)?.blocks.map((block) => [block.run.time, block.top])).toEqual([
    ["01:00", 0],
    ["02:00", 46],
    ["23:30", night.later.top],
  ]);
  expect(night.days.get(day)?.more).toEqual([{ top: 92, count: 1 }]);
  expect(night.height).toBe(night.later.top + 46);
  expect(layOut([]).earlier.height + layOut([]).later.height).toBe(0);
});

test("a block stands at its time by the clock on the wall", () => {
  const layout = layOut([run("08:00"), run("10:30")]);
  expect(layout.days.get(day)?.blocks.map(({ top }) => top)).toEqual([0, 2.5 * 48]);
  expect(placeOfTime(layout, "09:15")).toBe(60);
  expect(placeOfTime(layout, "03:00")).toBeUndefined();
});

test("blocks are never smaller, and none covers another: their hour is taller", () => {
  const layout = layOut([
    run("09:00", { runsThatHour: 5, name: "A title that takes two lines" }),
    run("09:00", { runsThatHour: 5 }),
    run("10:00"),
  ]);
  const { blocks, more } = layout.days.get(day)!;
  expect(blocks.map(({ top, height }) => [top, height])).toEqual([
    [48, 62],
    [112, 44],
    [178, 44],
  ]);
  expect(more).toEqual([{ top: 158, count: 3 }]);
  expect(layout.hours.map(({ height }) => height)).toEqual([48, 130, 48, 48, 48, 48, 48, 48, 48]);
});

test("a block has a line more for what was simulated", () => {
  const heightOf = (more: Partial<CalendarRun>) =>
    layOut([run("09:00", { simulated: true, ...more })]).days.get(day)?.blocks[0]?.height;
  expect(heightOf({ state: "started" })).toBe(62);
  expect(heightOf({ state: "planned" })).toBe(44);
});

test("one that begins late in an hour pushes what follows", () => {
  const [, second] = layOut([run("09:50"), run("10:00")]).days.get(day)!.blocks;
  expect(second?.top).toBe(48 + 40 + 46);
});
