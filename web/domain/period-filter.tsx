import { Calendar } from "lucide-react";
import type { Period } from "#contract/calls/notifications.ts";
import { dayText } from "#contract/text/home-dates.ts";
import { FilterMenu } from "#web/ui/list/filter-menu.tsx";

const periodLabels: Record<Period, string> = {
  today: "Today",
  "7-days": "Last 7 days",
  "30-days": "Last 30 days",
  "12-months": "Last 12 months",
  ahead: "Upcoming",
};

type Props<Offered extends Period> = {
  periods: readonly Offered[];
  value: Offered | undefined;
  /** A single day (yyyy-MM-dd) that was chosen elsewhere. */
  day?: string | undefined;
  onChange: (period: Offered | undefined) => void;
};

/** The filter of a list by time. */
export function PeriodFilter<Offered extends Period>({ periods, value, day, onChange }: Props<Offered>) {
  return (
    <FilterMenu
      label="Time"
      all="Any time"
      icon={<Calendar aria-hidden />}
      options={[
        ...periods.map((period) => ({ value: period, label: periodLabels[period] })),
        ...(day ? [{ value: "day" as const, label: dayText(day) }] : []),
      ]}
      value={day ? "day" : value}
      onChange={(chosen) => chosen !== "day" && onChange(chosen)}
    />
  );
}
