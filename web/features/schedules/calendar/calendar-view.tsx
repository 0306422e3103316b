import { ChevronLeft, ChevronRight, Send } from "lucide-react";
import type { CalendarRun, ScheduleRun } from "#contract/calls/schedule-replies.ts";
import {
  longDay,
  monthText,
  stepFrom,
  weekText,
  weeksAround,
  type CalendarView as View,
} from "#web/features/schedules/calendar/calendar-days.ts";
import { CalendarGrid } from "#web/features/schedules/calendar/calendar-grid.tsx";
import { DayRuns } from "#web/features/schedules/calendar/day-runs.tsx";
import { MonthDots } from "#web/features/schedules/calendar/month-dots.tsx";
import { useRuns, useToday } from "#web/features/schedules/calendar/use-runs.ts";
import { WeekGrid } from "#web/features/schedules/calendar/week-grid.tsx";
import { runLook } from "#web/features/schedules/run-look.tsx";
import { toneText } from "#web/ui/feedback/badge.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { Card } from "#web/ui/page/card.tsx";
import { ErrorState } from "#web/ui/feedback/error-state.tsx";
import { SkeletonRows } from "#web/ui/feedback/skeleton.tsx";
import { Segmented } from "#web/ui/form/segmented.tsx";
import { daysAfter } from "#web/ui/form/calendar-day.ts";
import { useMedia } from "#web/ui/browser/use-media.ts";

const views = [
  { value: "month", label: "Month" },
  { value: "week", label: "Week" },
] as const;
/** The runs that a day of a month shows. */
const ROOM = 3;

type Props = {
  view: View;
  /** A day in the shown month or week. Defaults to today. */
  day: string | undefined;
  onChange: (to: { view: View; day?: string }) => void;
};

/** Past and future runs: a month in days or a week in hours, or on phones a small month with its days below. */
export function CalendarView({ view, day, onChange }: Props) {
  const today = useToday();
  const phone = useMedia("(width < 48rem)");
  const around = day ?? today;
  // Seven columns of hours need more room than seven of days.
  const narrow = useMedia("(width < 64rem)");
  const shownView = phone ? "month" : view;
  const weeks = weeksAround(shownView, around);
  const { read, byDay, counted } = useRuns(weeks, shownView === "week" ? "hour" : "day");
  const go = (to: string) => onChange({ view, ...(to === today ? {} : { day: to }) });
  const label = view === "week" ? weekText(weeks[0] ?? []) : monthText(around);
  const loading = read.isFetching && (!read.data || read.isPlaceholderData);
  const failed = read.error && !read.data && (
    <ErrorState
      title="Error loading schedules"
      detail={read.error.message}
      busy={read.isFetching}
      onRetry={() => void read.refetch()}
    />
  );

  if (phone) {
    return (
      <div className="flex flex-col gap-4">
        <Card aria-label="Calendar">
          <MonthDots chosen day={around} today={today} byDay={byDay} onMonth={go} onDay={go} />
        </Card>
        {failed || (
          <Agenda
            days={weeks.flat()}
            from={around}
            today={today}
            byDay={byDay}
            counted={counted}
            loading={loading}
          />
        )}
      </div>
    );
  }
  return (
    <Card aria-label="Calendar">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line p-3">
        <span className="flex">
          {([-1, 1] as const).map((steps) => (
            <Button
              key={steps}
              variant="ghost"
              size="icon"
              aria-label={`${steps < 0 ? "Previous" : "Next"} ${view}`}
              icon={steps < 0 ? <ChevronLeft aria-hidden /> : <ChevronRight aria-hidden />}
              onClick={() => go(stepFrom(view, around, steps))}
            />
          ))}
        </span>
        <h2 aria-live="polite" className="text-lg font-semibold tracking-tight">
          {label}
        </h2>
        <Button size="sm" onClick={() => go(today)}>
          Today
        </Button>
        <Legend />
        <Segmented
          label="Calendar shows"
          segments={views}
          value={view}
          onChange={(next) => onChange({ view: next, ...(day ? { day } : {}) })}
          className="ml-auto"
        />
      </div>
      {failed ||
        (view === "week" && narrow ? (
          <section aria-label={label} className="flex flex-col gap-4 p-4">
            <Agenda
              days={weeks[0] ?? []}
              from={weeks[0]?.[0] ?? today}
              today={today}
              byDay={byDay}
              counted={counted}
              loading={loading}
            />
          </section>
        ) : view === "week" ? (
          <WeekGrid
            label={label}
            days={weeks[0] ?? []}
            today={today}
            byDay={byDay}
            counted={counted}
            loading={loading}
          />
        ) : (
          <CalendarGrid
            label={label}
            weeks={weeks}
            month={around.slice(0, 7)}
            today={today}
            room={ROOM}
            byDay={byDay}
            counted={counted}
            loading={loading}
          />
        ))}
    </Card>
  );
}

const explained: Pick<ScheduleRun, "state" | "status">[] = [
  { state: "started", status: "Delivered" },
  { state: "started", status: "Partially Delivered" },
  { state: "started", status: "Failed" },
  { state: "missed", status: null },
  { state: "planned", status: null },
  { state: "skipped", status: null },
];

function Legend() {
  return (
    <p className="flex min-w-0 flex-1 flex-wrap justify-end gap-x-3 gap-y-0.5 text-[0.8125rem] text-ink-2 max-xl:hidden">
      {explained.map((run) => {
        const { word, tone, Icon } = runLook(run);
        return (
          <span key={word} className="flex items-center gap-1">
            <Icon aria-hidden className={`size-3.5 ${toneText[tone]}`} />
            {word}
          </span>
        );
      })}
      <span className="flex items-center gap-1">
        <Send aria-hidden className="size-3.5" />
        No schedule
      </span>
    </p>
  );
}

type AgendaProps = {
  days: readonly string[];
  from: string;
  today: string;
  byDay: ReadonlyMap<string, CalendarRun[]>;
  counted: ReadonlyMap<number, number>;
  loading: boolean;
};

/** The days with runs, from the selected one on. */
function Agenda({ days, from, today, byDay, counted, loading }: AgendaProps) {
  const shown = days.filter((day) => day === from || (day > from && byDay.has(day)));
  return (
    <>
      {shown.map((day) => {
        const runs = byDay.get(day) ?? [];
        return (
          <section key={day} aria-label={longDay(day)}>
            <h3 className="flex items-baseline gap-2 font-semibold">
              {day === today && "Today"}
              {day === daysAfter(today, 1) && "Tomorrow"}
              <span
                className={
                  day === today || day === daysAfter(today, 1) ? "text-sm font-normal text-ink-2" : undefined
                }
              >
                {longDay(day)}
              </span>
            </h3>
            {runs.length > 0 ? (
              <DayRuns agenda day={day} runs={runs} counted={counted} isToday={day === today} />
            ) : loading ? (
              <SkeletonRows rows={3} className="mt-2 h-10" />
            ) : (
              <p className="py-2 text-sm text-ink-2">
                {day === today ? "No schedules for today" : "No runs on this day"}
              </p>
            )}
          </section>
        );
      })}
    </>
  );
}
