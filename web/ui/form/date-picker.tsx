import { CalendarDays } from "lucide-react";
import { useEffect, useState, type ComponentProps, type ReactNode } from "react";
import { datePattern, formatLongDay, parseLongDay, readDay, written } from "#web/ui/form/calendar-day.ts";
import { cx } from "#web/ui/browser/class-names.ts";
import type { FieldWiring } from "#web/ui/form/field.tsx";
import { inputClass } from "#web/ui/form/input.tsx";
import { lazyPart } from "#web/ui/browser/lazy-part.ts";
import { Popover, PopoverAnchor, PopoverContent, PopoverTrigger } from "#web/ui/dialog/popover.tsx";
import { SpinnerPage } from "#web/ui/feedback/spinner.tsx";

const calendar = lazyPart(() => import("#web/ui/form/calendar.tsx"));
type CalendarModule = NonNullable<typeof calendar.loaded>;
type CalendarProps = ComponentProps<CalendarModule["default"]>;
type WithCalendarProps = { children: ReactNode; disabled: boolean | undefined };

type Props = Partial<FieldWiring> & {
  /** yyyy-MM-dd, "" for none. */
  value: string;
  /** Called with "" while the text is not a valid day. */
  onChange: (day: string) => void;
  min?: string | undefined;
  today?: string | undefined;
  disabled?: boolean;
};

/** A day, typed as the home country writes it or picked in a calendar, which disables days before `min`. The form validates typed ones. */
export function DatePicker({ value, onChange, min, today, disabled, ...wiring }: Props) {
  // The text being typed, kept separate from the value until it is a valid day.
  const [typing, setTyping] = useState<string>();
  return (
    <WithCalendar
      value={value}
      min={min}
      today={today}
      disabled={disabled}
      onChange={(day) => {
        setTyping(undefined);
        onChange(day);
      }}
    >
      <input
        {...wiring}
        type="text"
        inputMode="numeric"
        placeholder={datePattern()}
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
    </WithCalendar>
  );
}

type DateTextProps = Omit<Props, "value" | "onChange" | "min"> & {
  /** As text. */
  value: string;
  onChange: (words: string) => void;
};

/** A date as free text. A day picked from the calendar is written out: "Wednesday, November 25, 2026". */
export function DateTextInput({ value, onChange, today, disabled, ...wiring }: DateTextProps) {
  return (
    <WithCalendar
      value={parseLongDay(value) ?? ""}
      today={today}
      disabled={disabled}
      onChange={(day) => onChange(formatLongDay(day))}
    >
      <input
        {...wiring}
        type="text"
        autoComplete="off"
        disabled={disabled}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={cx(inputClass(), "pr-11")}
      />
    </WithCalendar>
  );
}

/** An input with a button that opens a calendar below it. */
function WithCalendar({ children, disabled, onChange, ...month }: CalendarProps & WithCalendarProps) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    calendar.load().catch(() => undefined);
  }, []);
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverAnchor asChild>
        <div className="relative">
          {children}
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
          {...month}
          onChange={(day) => {
            onChange(day);
            setOpen(false);
          }}
        />
      </PopoverContent>
    </Popover>
  );
}

/** The calendar, or why there is none: a form must keep working when part of it cannot be loaded. */
function LoadedCalendar(props: CalendarProps) {
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
        We can't load the calendar right now. Type the date as {datePattern()}.
      </p>
    );
  }
  return <loaded.default {...props} />;
}
