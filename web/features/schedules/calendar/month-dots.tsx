import { ChevronLeft, ChevronRight } from "lucide-react";
import { isolated } from "#contract/text/isolate.ts";
import { weekdays } from "#contract/text/rule-text.ts";
import { type CalendarRun, type ScheduleRun, wrongFirst } from "#contract/calls/schedule-replies.ts";
import { longDay, monthText, stepFrom, weeksAround } from "#web/features/schedules/calendar/calendar-days.ts";
import { runLook } from "#web/features/schedules/run-look.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { cx } from "#web/ui/browser/class-names.ts";

type Dot = "sent" | "partly" | "not-sent" | "planned" | "skipped";

const dots: Record<Dot, { word: string; className: string }> = {
  sent: { word: "Sent", className: "rounded-full bg-good" },
  partly: { word: "Partly", className: "rounded-full bg-lamp" },
  "not-sent": { word: "Not sent", className: "rotate-45 bg-bad" },
  planned: { word: "Scheduled", className: "rounded-full border border-ink-2" },
  skipped: { word: "Skipped", className: "h-0.5! rounded-full bg-edge" },
};
const explained = ["sent", "partly", "not-sent", "planned"] as const;

function dotOf(run: ScheduleRun): Dot {
  const { tone } = runLook(run);
  if (run.state === "planned") return "planned";
  if (run.state === "skipped" || run.state === "passed") return "skipped";
  if (tone === "bad") return "not-sent";
  return tone === "warn" ? "partly" : "sent";
}

const DOTS = 3;

type Props = {
  /** A day in the shown month. */
  day: string;
  today: string;
  byDay: ReadonlyMap<string, CalendarRun[]>;
  /** Called with a day in the month to show. */
  onMonth: (day: string) => void;
  onDay: (day: string) => void;
  /** Selecting a day keeps it selected, instead of leading to another screen. */
  chosen?: boolean;
};

/** A small month with a dot for each run, by outcome. */
export function MonthDots({ day, today, byDay, onMonth, onDay, chosen }: Props) {
  return (
    <>
      <div className="flex items-center justify-between px-3 pt-3 pb-1 pl-5">
        <h2 className="font-semibold">{monthText(day)}</h2>
        <span className="flex">
          {(["Previous month", "Next month"] as const).map((label, index) => (
            <Button
              key={label}
              variant="ghost"
              size="icon"
              aria-label={label}
              icon={index === 0 ? <ChevronLeft aria-hidden /> : <ChevronRight aria-hidden />}
              onClick={() => onMonth(stepFrom("month", day, index === 0 ? -1 : 1))}
            />
          ))}
        </span>
      </div>
      <table aria-label={monthText(day)} className="mx-auto mb-2 w-[calc(100%-1.5rem)] table-fixed">
        <thead>
          <tr>
            {weekdays.map((name) => (
              <th key={name} scope="col" className="h-8 text-[0.8125rem] font-medium text-ink-2">
                <abbr title={name} className="no-underline">
                  {name.slice(0, 2)}
                </abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksAround("month", day).map((week) => (
            <tr key={week[0]}>
              {week.map((one) => (
                <td key={one} className="p-0 text-center">
                  <DayButton
                    day={one}
                    runs={byDay.get(one) ?? []}
                    outside={!one.startsWith(day.slice(0, 7))}
                    isToday={one === today}
                    pressed={chosen ? one === day : undefined}
                    onClick={() => onDay(one)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="flex flex-wrap gap-x-3 gap-y-1 border-t border-line px-4 py-2.5 text-[0.8125rem] text-ink-2">
        {explained.map((dot) => (
          <span key={dot} className="flex items-center gap-1.5">
            <DotMark dot={dot} />
            {dots[dot].word}
          </span>
        ))}
      </p>
    </>
  );
}

type DayButtonProps = {
  day: string;
  runs: readonly CalendarRun[];
  outside: boolean;
  isToday: boolean;
  pressed: boolean | undefined;
  onClick: () => void;
};

function DayButton({ day, runs, outside, isToday, pressed, onClick }: DayButtonProps) {
  const words = runs.map((run) => `${isolated(run.name)}: ${runLook(run).word}`);
  const left = (runs[0]?.runsThatDay ?? 0) - runs.length;
  if (left > 0) words.push(`${left} more`);
  return (
    <button
      type="button"
      aria-label={[longDay(day), ...words].join(", ")}
      aria-pressed={pressed}
      aria-current={isToday ? "date" : undefined}
      onClick={onClick}
      className={cx(
        "relative h-10 w-full rounded-md pb-2 text-sm tabular hover:bg-hover touch:h-12",
        "aria-pressed:shadow-[inset_0_0_0_2px_var(--focus)]",
        outside && "text-ink-3",
        isToday && "bg-lamp-soft font-semibold text-lamp-ink",
      )}
    >
      {Number(day.slice(-2))}
      <span className="absolute inset-x-0 bottom-1.5 flex items-center justify-center gap-0.5">
        {wrongFirst(runs, DOTS).map((run) => (
          <DotMark key={`${run.scheduleId} ${run.occurrence}`} dot={dotOf(run)} />
        ))}
      </span>
    </button>
  );
}

function DotMark({ dot }: { dot: Dot }) {
  return <span aria-hidden className={cx("inline-block size-1.5", dots[dot].className)} />;
}
