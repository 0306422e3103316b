import { useState, type ReactNode } from "react";
import { weekdays } from "#contract/text/rule-text.ts";
import { type CalendarRun, wrongFirst } from "#contract/calls/schedule-replies.ts";
import { clockChange, dayLabel, longDay } from "#web/features/schedules/calendar/calendar-days.ts";
import { DayPopover } from "#web/features/schedules/calendar/day-popover.tsx";
import { RunChip } from "#web/features/schedules/calendar/run-chip.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { useZone } from "#web/ui/time/when.tsx";

type Props = {
  label: string;
  weeks: readonly string[][];
  /** Days of other months are dimmed. Undefined: no day is. */
  month: string | undefined;
  today: string;
  /** How many chips fit in a cell. The rest are counted. */
  room: number;
  byDay: ReadonlyMap<string, CalendarRun[]>;
  counted: ReadonlyMap<number, number>;
  loading: boolean;
};

/** A month: weeks of days with their runs. Clicking a day shows the outcome of each of its runs. */
export function CalendarGrid({ label, weeks, month, today, room, byDay, counted, loading }: Props) {
  const [open, setOpen] = useState<string>();
  return (
    <table aria-label={label} aria-busy={loading || undefined} className="w-full table-fixed border-collapse">
      <thead>
        <tr>
          {weekdays.map((day) => (
            <th
              key={day}
              scope="col"
              className="border-line px-3 py-2 text-left text-[0.8125rem] font-medium text-ink-2 not-first:border-l"
            >
              <abbr title={day} className="no-underline">
                {day.slice(0, 3)}
              </abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <Day
                key={day}
                day={day}
                runs={byDay.get(day) ?? []}
                counted={counted}
                today={today}
                room={room}
                loading={loading}
                outside={month !== undefined && !day.startsWith(month)}
                open={open === day}
                onOpenChange={(next) => setOpen(next ? day : undefined)}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type NumberProps = { day: string; today: string; outside?: boolean; children: ReactNode };

/** The number of a day; today's is marked. */
export function DayNumber({ day, today, outside = false, children }: NumberProps) {
  return (
    <span
      className={cx(
        "inline-grid h-6 min-w-6 place-items-center rounded-full px-1 text-sm whitespace-nowrap tabular",
        day === today
          ? "bg-lamp font-semibold text-[#1d1a16]"
          : day < today || outside
            ? "text-ink-3"
            : "font-semibold",
      )}
    >
      {children}
    </span>
  );
}

type DayProps = Pick<Props, "today" | "room" | "counted" | "loading"> & {
  day: string;
  runs: readonly CalendarRun[];
  outside: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

function Day({ day, runs, counted, today, room, loading, outside, open, onOpenChange }: DayProps) {
  const zone = useZone();
  const change = zone ? clockChange(day, zone) : null;
  const isToday = day === today;
  const total = runs[0]?.runsThatDay ?? 0;
  const shown = total > room ? wrongFirst(runs, room - 1) : runs;
  const number = (
    <DayNumber day={day} today={today} outside={outside}>
      {dayLabel(day, outside)}
    </DayNumber>
  );
  return (
    <td
      aria-current={isToday ? "date" : undefined}
      className={cx(
        "relative h-28 border-t border-line p-1 align-top not-first:border-l",
        outside && "bg-paper",
        isToday && "shadow-[inset_0_2px_0_var(--lamp)]",
        open && "shadow-[inset_0_0_0_2px_var(--focus)]",
      )}
    >
      <span className="mb-1 flex min-h-6 items-center justify-between gap-1 px-1">
        {runs.length > 0 ? (
          <DayPopover day={day} runs={runs} counted={counted} open={open} onOpenChange={onOpenChange}>
            <button
              type="button"
              className="rounded-full outline-none after:absolute after:inset-0 after:content-[''] hover:after:bg-[color-mix(in_oklab,var(--ink)_3%,transparent)] focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
            >
              <span className="sr-only">
                {longDay(day)}, {total === 1 ? "1 run" : `${total} runs`}
              </span>
              <span aria-hidden>{number}</span>
            </button>
          </DayPopover>
        ) : (
          number
        )}
        {(isToday || change) && (
          <span className={cx("truncate text-xs", isToday ? "font-semibold text-lamp-ink" : "text-ink-3")}>
            {isToday ? "Today" : change}
          </span>
        )}
      </span>
      {loading && shown.length === 0 && <Skeleton className="h-5" />}
      {shown.length > 0 && (
        <ul className="flex flex-col gap-1">
          {shown.map((run) => (
            <li key={`${run.scheduleId} ${run.occurrence}`}>
              <RunChip run={run} counted={counted.get(run.scheduleId)} />
            </li>
          ))}
          {total > shown.length && (
            <li className="px-1.5 text-xs font-semibold text-ink-2">{total - shown.length} more</li>
          )}
        </ul>
      )}
    </td>
  );
}
