import { X } from "lucide-react";
import type { ReactNode } from "react";
import type { CalendarRun } from "#contract/calls/schedule-replies.ts";
import { longDay } from "#web/features/schedules/calendar/calendar-days.ts";
import { DayRuns } from "#web/features/schedules/calendar/day-runs.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "#web/ui/dialog/popover.tsx";

type Props = {
  day: string;
  runs: readonly CalendarRun[];
  counted: ReadonlyMap<number, number>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The button that opens it. */
  children: ReactNode;
};

/** The runs of a day, each with its outcome. */
export function DayPopover({ day, runs, counted, open, onOpenChange, children }: Props) {
  return (
    <Popover open={open} onOpenChange={onOpenChange}>
      <PopoverTrigger>{children}</PopoverTrigger>
      <PopoverContent
        aria-label={longDay(day)}
        className="w-88 px-4 pt-3 pb-1 max-h-(--radix-popover-content-available-height) overflow-y-auto"
      >
        <span className="flex items-center justify-between border-b border-line pb-2">
          <strong className="font-semibold">{longDay(day)}</strong>
          <button
            type="button"
            aria-label="Close"
            onClick={() => onOpenChange(false)}
            className="grid size-8 place-items-center rounded-md text-ink-2 hover:bg-hover hover:text-ink touch:size-11"
          >
            <X aria-hidden className="size-4" />
          </button>
        </span>
        <DayRuns day={day} runs={runs} counted={counted} />
      </PopoverContent>
    </Popover>
  );
}
