import type { CalendarRun } from "#contract/calls/schedule-replies.ts";
import { isSimulated } from "#web/features/schedules/run-look.tsx";

/**
 * Where the runs of a week stand in a grid of hours. Blocks keep their size: what begins at the same time stands one below
 * the other, and an hour with more of them than usual is taller. Places are by the clock on the wall, also on days that
 * have 23 or 25 hours.
 */

/** Pixels. */
const HOUR_HEIGHT = 48;
const BLOCK_HEIGHT = { oneLine: 44, twoLines: 62 };
const MORE_HEIGHT = 20;
const GAP = 2;
/** A title that is longer takes two lines of a narrow column. */
const LINE_LENGTH = 15;

/** Hours that have a row if something is in them or beside them. What is before or after them has a row of its own. */
const WAKING = { first: 7, last: 20 };
/** Hours that always have one. */
const WORKING = { first: 8, last: 16 };
/** How many runs of a day stand in the rows before and after the hours. */
const OUTSIDE_MAX = 2;

export type Hour = { hour: number; top: number; height: number };
export type Block = { run: CalendarRun; top: number; height: number };
type More = { top: number; count: number };
export type WeekDay = { blocks: Block[]; more: More[] };

export type WeekLayout = {
  height: number;
  /** The row before the hours; no height if nothing is in it. */
  earlier: { top: number; height: number };
  hours: Hour[];
  later: { top: number; height: number };
  days: ReadonlyMap<string, WeekDay>;
};

export type ClockReading = { day: string; time: string };

const hourOf = (time: string) => Number(time.slice(0, 2));
const minuteOf = (time: string) => Number(time.slice(3, 5));

export function layOutWeek(
  days: readonly string[],
  byDay: ReadonlyMap<string, readonly CalendarRun[]>,
  now?: ClockReading,
): WeekLayout {
  const groups = days.map((day) => Map.groupBy(byDay.get(day) ?? [], ({ time }) => hourOf(time)));
  const taken = new Set(groups.flatMap((hours) => [...hours.keys()]));
  if (now && days.includes(now.day)) taken.add(hourOf(now.time));
  const waking = [...taken].filter((hour) => hour >= WAKING.first && hour <= WAKING.last);
  const first = Math.min(WORKING.first, ...waking);
  const last = Math.max(WORKING.last, ...waking);

  const isEarlier = (hour: number) => hour < first;
  const isLater = (hour: number) => hour > last;
  const outside = (is: (hour: number) => boolean) => {
    const heights = groups.map((hours) => stackHeight(pick(hours, is, OUTSIDE_MAX)));
    const hasNow = now !== undefined && days.includes(now.day) && is(hourOf(now.time));
    return Math.max(0, ...heights, hasNow ? HOUR_HEIGHT : 0);
  };
  const earlier = { top: 0, height: outside(isEarlier) };
  const hours: Hour[] = [];
  let top = earlier.height;
  for (let hour = first; hour <= last; hour += 1) {
    const needed = groups.map((ofDay) => stackHeight(pick(ofDay, (one) => one === hour)));
    const height = Math.max(HOUR_HEIGHT, ...needed);
    hours.push({ hour, top, height });
    top += height;
  }

  const placed = groups.map((ofDay) => {
    const day: WeekDay = { blocks: [], more: [] };
    let end = stack(day, pick(ofDay, isEarlier, OUTSIDE_MAX), () => 0, 0);
    for (const row of hours) {
      const at = ({ time }: CalendarRun) => placeIn(row, time);
      end = stack(
        day,
        pick(ofDay, (one) => one === row.hour),
        at,
        Math.max(end, row.top),
      );
    }
    return { day, ofDay, end };
  });
  const laterTop = Math.max(top, ...placed.map(({ end }) => end));
  for (const { day, ofDay } of placed) {
    stack(day, pick(ofDay, isLater, OUTSIDE_MAX), () => laterTop, laterTop);
  }
  const later = { top: laterTop, height: outside(isLater) };
  return {
    height: later.top + later.height,
    earlier,
    hours,
    later,
    days: new Map(days.map((day, index) => [day, placed[index]?.day ?? { blocks: [], more: [] }])),
  };
}

/** How far down a time is; undefined if it is in none of the hours. */
export function placeOfTime({ hours }: WeekLayout, time: string): number | undefined {
  const row = hours.find(({ hour }) => hour === hourOf(time));
  return row && placeIn(row, time);
}

const placeIn = ({ top, height }: Hour, time: string) => Math.round(top + (minuteOf(time) / 60) * height);

type Picked = { runs: CalendarRun[]; more: number };

/** The runs of some hours of a day, and how many more there are. */
function pick(
  hours: ReadonlyMap<number, CalendarRun[]>,
  is: (hour: number) => boolean,
  most = Number.POSITIVE_INFINITY,
): Picked {
  const chosen = [...hours].filter(([hour]) => is(hour)).map(([, runs]) => runs);
  const all = chosen.reduce((sum, [run]) => sum + (run?.runsThatHour ?? 0), 0);
  const runs = chosen.flat().slice(0, most);
  return { runs, more: all - runs.length };
}

/** 15 letters fill a line. That a run was simulated has a line of its own. */
const heightOf = (run: CalendarRun) =>
  (run.name.length > LINE_LENGTH ? BLOCK_HEIGHT.twoLines : BLOCK_HEIGHT.oneLine) +
  (isSimulated(run) ? BLOCK_HEIGHT.twoLines - BLOCK_HEIGHT.oneLine : 0);

const stackHeight = ({ runs, more }: Picked): number =>
  runs.reduce((sum, run) => sum + heightOf(run) + GAP, 0) + (more > 0 ? MORE_HEIGHT : 0);

/** Adds blocks to a day, none before `from`, and returns where the last one ends. */
function stack(day: WeekDay, { runs, more }: Picked, at: (run: CalendarRun) => number, from: number): number {
  let end = from;
  for (const run of runs) {
    const top = Math.max(end, at(run));
    const height = heightOf(run);
    day.blocks.push({ run, top, height });
    end = top + height + GAP;
  }
  if (more > 0) {
    day.more.push({ top: end, count: more });
    end += MORE_HEIGHT;
  }
  return end;
}
