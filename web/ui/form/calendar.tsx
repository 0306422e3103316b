import { ChevronLeft, ChevronRight } from "lucide-react";
import { DayPicker } from "react-day-picker";
import { formatLongDay, fromDay, toDay } from "#web/ui/form/calendar-day.ts";
import { cx } from "#web/ui/browser/class-names.ts";

type Props = {
  /** yyyy-MM-dd, "" for none. */
  value: string;
  onChange: (day: string) => void;
  /** Earlier days cannot be chosen. */
  min?: string | undefined;
  /** Today in the organization's zone. Defaults to the browser's. */
  today?: string | undefined;
};

const step =
  "grid size-9 place-items-center rounded-md text-ink-2 hover:bg-hover hover:text-ink touch:size-11 aria-disabled:opacity-40";

function Chevron({
  orientation,
  className,
}: {
  orientation?: "up" | "down" | "left" | "right";
  className?: string;
}) {
  const Icon = orientation === "left" ? ChevronLeft : ChevronRight;
  return <Icon aria-hidden className={cx("size-4", className)} />;
}

/** A month whose weeks start on Sunday. Loaded on demand (date-picker.tsx). */
export default function Calendar({ value, onChange, min, today }: Props) {
  const chosen = fromDay(value);
  const first = fromDay(min ?? "");
  const now = fromDay(today ?? "");
  const shown = chosen ?? now ?? first;
  return (
    <DayPicker
      mode="single"
      // It opens after a click, and from then on the arrow keys move between days.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      weekStartsOn={0}
      showOutsideDays
      {...(now ? { today: now } : {})}
      selected={chosen}
      {...(shown ? { defaultMonth: shown } : {})}
      onSelect={(day) => day && onChange(toDay(day))}
      {...(first ? { disabled: { before: first }, startMonth: first } : {})}
      labels={{
        // The visible number must be a separate word in the accessible name: "15", not "15th".
        labelDayButton: (day, { today: isToday, selected }) =>
          `${isToday ? "Today, " : ""}${formatLongDay(toDay(day))}${selected ? ", selected" : ""}`,
      }}
      className="p-3"
      classNames={{
        months: "relative",
        month_caption: "flex h-9 items-center justify-center text-sm font-semibold touch:h-11",
        nav: "absolute inset-x-0 top-0 flex justify-between",
        button_previous: step,
        button_next: step,
        month_grid: "mt-2 border-collapse",
        weekday: "size-9 text-[0.8125rem] font-medium text-ink-3 touch:size-11",
        day: "p-0 text-center",
        day_button:
          "grid size-9 place-items-center rounded-md text-sm tabular hover:bg-hover disabled:opacity-35 disabled:hover:bg-transparent touch:size-11",
        outside: "text-ink-3",
        today: "[&>button]:bg-lamp-soft [&>button]:font-semibold [&>button]:text-lamp-ink",
        selected: "[&>button]:!bg-ink [&>button]:font-semibold [&>button]:!text-on-ink",
      }}
      components={{ Chevron }}
    />
  );
}
