import { useState } from "react";
import { weeksAround } from "#web/features/schedules/calendar/calendar-days.ts";
import { MonthDots } from "#web/features/schedules/calendar/month-dots.tsx";
import { useRuns, useToday } from "#web/features/schedules/calendar/use-runs.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Card } from "#web/ui/page/card.tsx";

type Props = { onDay: (day: string) => void; className?: string };

/** The calendar next to the list, with its own month. */
export function SmallMonth({ onDay, className }: Props) {
  const today = useToday();
  const [day, setDay] = useState<string>();
  const around = day ?? today;
  const { read, byDay } = useRuns(weeksAround("month", around));
  return (
    <Card aria-label="Calendar" {...(className ? { className } : {})}>
      <MonthDots day={around} today={today} byDay={byDay} onMonth={setDay} onDay={onDay} />
      {read.error && !read.data && (
        <p
          role="alert"
          className="flex items-center justify-between gap-2 border-t border-line px-5 py-2.5 text-sm text-bad"
        >
          We couldn't load the runs.
          <Button size="sm" busy={read.isFetching} onClick={() => void read.refetch()}>
            Retry
          </Button>
        </p>
      )}
    </Card>
  );
}
