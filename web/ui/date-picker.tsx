import { CalendarDays } from "lucide-react";
import { useEffect, useState } from "react";
import type { ComponentProps } from "react";
import { readDay, written } from "#web/ui/calendar-day.ts";
import { cx } from "#web/ui/class-names.ts";
import type { FieldWiring } from "#web/ui/field.tsx";
import { inputClass } from "#web/ui/input.tsx";
import { latePart } from "#web/ui/late-part.ts";
import { Popover, PopoverAnchor, PopoverContent, PopoverTrigger } from "#web/ui/popover.tsx";
import { SpinnerPage } from "#web/ui/spinner.tsx";

const calendar = latePart(() => import("#web/ui/calendar.tsx"));
type CalendarModule = NonNullable<typeof calendar.here>;

type Props = Partial<FieldWiring> & {
  /** yyyy-MM-dd, "" for none. */
  value: string;
  /** Gets "" while what is typed is no day. */
  onChange: (day: string) => void;
  min?: string | undefined;
  today?: string | undefined;
  disabled?: boolean;
};

/** A day, typed as MM/dd/yyyy or picked from a month. Days before `min` are off in the calendar; typed ones are the form's to judge. */
export function DatePicker({ value, onChange, min, today, disabled, ...wiring }: Props) {
  const [open, setOpen] = useState(false);
  // What is being typed, kept apart from the value until it is a day.
  const [typing, setTyping] = useState<string>();
  useEffect(() => {
    calendar.load().catch(() => undefined);
  }, []);
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverAnchor asChild>
        <div className="relative">
          <input
            {...wiring}
            type="text"
            inputMode="numeric"
            placeholder="MM/dd/yyyy"
            autoComplete="off"
            disabled={disabled}
            value={typing ?? written(value)}
            onChange={(event) => {
              setTyping(event.target.value);
              onChange(readDay(event.target.value) ?? "");
            }}
            onBlur={() => {
              if (value) setTyping(undefined);
            }}
            className={cx(inputClass(), "pr-11 tabular")}
          />
          <PopoverTrigger>
            <button
              type="button"
              aria-label="Choose a date"
              disabled={disabled}
              className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-md text-ink-2 hover:text-ink"
            >
              <CalendarDays aria-hidden className="size-4" />
            </button>
          </PopoverTrigger>
        </div>
      </PopoverAnchor>
      <PopoverContent align="end" aria-label="Choose a date">
        <LoadedCalendar
          value={value}
          min={min}
          today={today}
          onChange={(day) => {
            setTyping(undefined);
            onChange(day);
            setOpen(false);
          }}
        />
      </PopoverContent>
    </Popover>
  );
}

/** The calendar, or why there is none: a form must not fall because a part of it cannot be fetched just now. */
function LoadedCalendar(props: ComponentProps<CalendarModule["default"]>) {
  const [loaded, setLoaded] = useState<CalendarModule | "failed">();
  useEffect(() => {
    let shown = true;
    const show = (what: CalendarModule | "failed") => {
      if (shown) setLoaded(what);
    };
    calendar.load().then(show, () => show("failed"));
    return () => {
      shown = false;
    };
  }, []);
  if (loaded === undefined) return <SpinnerPage />;
  if (loaded === "failed") {
    return (
      <p role="alert" className="max-w-64 p-4 text-sm text-ink-2">
        The calendar cannot be loaded at the moment. Type the date as MM/dd/yyyy.
      </p>
    );
  }
  return <loaded.default {...props} />;
}
