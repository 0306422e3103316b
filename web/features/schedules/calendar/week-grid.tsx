import { useState, type ReactNode } from "react";
import type { CalendarRun } from "#contract/calls/schedule-replies.ts";
import { clockText } from "#contract/text/rule-text.ts";
import { useOrganizationClock } from "#web/domain/organization-clock.ts";
import { clockChange, longDay, weekdayOf } from "#web/features/schedules/calendar/calendar-days.ts";
import { DayNumber } from "#web/features/schedules/calendar/calendar-grid.tsx";
import { DayPopover } from "#web/features/schedules/calendar/day-popover.tsx";
import { RunChip } from "#web/features/schedules/calendar/run-chip.tsx";
import { RunName } from "#web/features/schedules/calendar/run-name.tsx";
import {
  layOutWeek,
  placeOfTime,
  type WeekDay,
  type WeekLayout,
} from "#web/features/schedules/calendar/week-layout.ts";
import { RunEntry } from "#web/features/schedules/run-entry.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { Popover, PopoverContent, PopoverTrigger } from "#web/ui/dialog/popover.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { useMinuteTick } from "#web/ui/time/use-minute-tick.ts";
import { useZone } from "#web/ui/time/when.tsx";

/** Of the days' names, in pixels. */
const HEAD = 44;

type Props = {
  label: string;
  days: readonly string[];
  today: string;
  byDay: ReadonlyMap<string, CalendarRun[]>;
  counted: ReadonlyMap<number, number>;
  loading: boolean;
};

/** A week in hours: each run at its time. To a keyboard and a screen reader, each day is a list in order of time. */
export function WeekGrid({ label, days, today, byDay, counted, loading }: Props) {
  useMinuteTick();
  const now = useOrganizationClock()?.read();
  const [open, setOpen] = useState<string>();
  const layout = layOutWeek(days, byDay, now);
  const here = now && days.includes(now.day) ? now : undefined;
  return (
    <section
      aria-label={label}
      aria-busy={loading || undefined}
      className="relative grid grid-cols-[4.5rem_repeat(7,minmax(0,1fr))]"
    >
      <Hours layout={layout} now={here?.time} />
      {days.map((day) => (
        <Day
          key={day}
          day={day}
          today={today}
          now={here?.day === day ? placeOfTime(layout, here.time) : undefined}
          placed={layout.days.get(day) ?? { blocks: [], more: [] }}
          height={layout.height}
          runs={byDay.get(day) ?? []}
          counted={counted}
          loading={loading}
          open={open === day}
          onOpenChange={(next) => setOpen(next ? day : undefined)}
        />
      ))}
    </section>
  );
}

/** The hours at the left and the lines between them. */
function Hours({ layout, now }: { layout: WeekLayout; now: string | undefined }) {
  const { earlier, hours, later, height } = layout;
  const place = now === undefined ? undefined : placeOfTime(layout, now);
  const outside = [
    { ...earlier, name: "Earlier", holdsNow: place === undefined && now !== undefined && now < "12:00" },
    { ...later, name: "Later", holdsNow: place === undefined && now !== undefined && now >= "12:00" },
  ];
  const nowText = now === undefined ? "" : clockText(now);
  return (
    <div aria-hidden className="text-right text-xs text-ink-2 tabular" style={{ height: HEAD + height }}>
      {outside.map(
        ({ top, height: room, name, holdsNow }) =>
          room > 0 && (
            <Row key={name} top={top}>
              <span className="block pt-1.5">{name}</span>
              {holdsNow && <span className="block font-semibold text-lamp-ink">{nowText}</span>}
            </Row>
          ),
      )}
      {hours.map(({ hour, top }, index) => (
        <Row key={hour} top={top}>
          {/* The current time takes the place of a label it would cover. */}
          {(place === undefined || Math.abs(place - top) >= 14) && (
            <span className={cx("block leading-4", index === 0 ? "pt-1" : "-mt-2")}>
              {clockText(`${String(hour).padStart(2, "0")}:00`).replace(":00", "")}
            </span>
          )}
        </Row>
      ))}
      {place !== undefined && (
        <Row top={place} now>
          <span className="-mt-2 block leading-4 font-semibold text-lamp-ink">{nowText}</span>
        </Row>
      )}
    </div>
  );
}

/** A label at the left, and the line that begins beside it. What is sent at that time is under it, and is pressed. */
function Row({ top, now, children }: { top: number; now?: boolean; children: ReactNode }) {
  return (
    <div
      className={cx("pointer-events-none absolute inset-x-0 flex", now && "z-1")}
      style={{ top: HEAD + top }}
    >
      <span className="w-18 shrink-0 pr-2.5">{children}</span>
      <span
        className={cx(
          "h-0 flex-1 border-t",
          now ? "border-[color-mix(in_oklab,var(--lamp)_45%,transparent)]" : "border-line",
        )}
      />
    </div>
  );
}

type DayProps = Pick<Props, "today" | "counted" | "loading"> & {
  day: string;
  /** How far down the current time is. */
  now: number | undefined;
  placed: WeekDay;
  height: number;
  runs: readonly CalendarRun[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

function Day({ day, today, now, placed, height, runs, counted, loading, open, onOpenChange }: DayProps) {
  const zone = useZone();
  const change = zone ? clockChange(day, zone) : null;
  const isToday = day === today;
  const total = runs[0]?.runsThatDay ?? 0;
  const name = (
    <>
      <span className={isToday ? "font-semibold" : "text-ink-2"}>{weekdayOf(day)}</span>{" "}
      <DayNumber day={day} today={today}>
        {Number(day.slice(8))}
      </DayNumber>
    </>
  );
  return (
    <section
      aria-label={longDay(day)}
      aria-current={isToday ? "date" : undefined}
      className={cx(
        "relative border-l border-line",
        isToday &&
          "bg-[color-mix(in_oklab,var(--lamp-soft)_55%,transparent)] shadow-[inset_0_2px_0_var(--lamp)]",
      )}
    >
      <div className="flex items-center justify-between gap-1 px-2 text-sm" style={{ height: HEAD }}>
        {runs.length > 0 ? (
          <DayPopover day={day} runs={runs} counted={counted} open={open} onOpenChange={onOpenChange}>
            <button type="button" className="-ml-1 rounded-md px-1 py-1 hover:bg-hover">
              <span className="sr-only">
                {longDay(day)}, {total === 1 ? "1 run" : `${total} runs`}
              </span>
              <span aria-hidden className="inline-flex items-center gap-1">
                {name}
              </span>
            </button>
          </DayPopover>
        ) : (
          <span className="inline-flex items-center gap-1">{name}</span>
        )}
        {(isToday || change) && (
          <span className={cx("truncate text-xs", isToday ? "font-semibold text-lamp-ink" : "text-ink-3")}>
            {isToday ? "Today" : change}
          </span>
        )}
      </div>
      {now !== undefined && (
        <span
          aria-hidden
          className="pointer-events-none absolute inset-x-0 z-1 border-t-2 border-lamp before:absolute before:-top-[5px] before:-left-1 before:size-2 before:rounded-full before:bg-lamp"
          style={{ top: HEAD + now - 1 }}
        />
      )}
      <ol className="relative" style={{ height }}>
        {loading && runs.length === 0 && (
          <li aria-hidden className="absolute inset-x-1" style={{ top: height / 4 }}>
            <Skeleton className="h-11" />
          </li>
        )}
        {placed.blocks.map(({ run, top, height: tall }) => (
          <li
            key={`${run.scheduleId} ${run.occurrence}`}
            className="absolute inset-x-0.5"
            style={{ top: top + 1, height: tall }}
          >
            <Block run={run} counted={counted.get(run.scheduleId)} />
          </li>
        ))}
        {placed.more.map(({ top, count }) => (
          <li key={top} className="absolute inset-x-1" style={{ top }}>
            <button
              type="button"
              className="rounded-sm px-1.5 text-xs leading-4.5 font-semibold text-ink-2 hover:underline"
              onClick={() => onOpenChange(true)}
            >
              +{count} more
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A run at its time; it opens with its outcome and what to do about it. */
function Block({ run, counted }: { run: CalendarRun; counted: number | undefined }) {
  return (
    <Popover>
      <PopoverTrigger>
        <button
          type="button"
          title={run.name}
          className="block size-full rounded-sm text-left hover:brightness-[0.97] focus-visible:outline-2 focus-visible:outline-focus"
        >
          <RunChip tall run={run} counted={counted} />
        </button>
      </PopoverTrigger>
      <PopoverContent aria-label={run.name} className="w-80 p-4">
        <RunEntry badge run={run} title={<RunName run={run} />} counted={counted} />
      </PopoverContent>
    </Popover>
  );
}
