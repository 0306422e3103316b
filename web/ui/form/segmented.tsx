import { useId, type ReactNode } from "react";
import { cx } from "#web/ui/browser/class-names.ts";

type Segment<Value extends string> = { value: Value; label: ReactNode };

type Props<Value extends string> = {
  /** Names the group for screen readers. */
  label: string;
  segments: readonly Segment<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  className?: string;
};

/** Radio buttons as a segmented bar. Arrow keys select. */
export function Segmented<Value extends string>({
  label,
  segments,
  value,
  onChange,
  className,
}: Props<Value>) {
  const name = useId();
  return (
    <fieldset className={cx("inline-flex max-w-full gap-0.5 rounded-md bg-sunk p-1 print:hidden", className)}>
      <legend className="sr-only">{label}</legend>
      {segments.map((segment) => (
        <label
          key={segment.value}
          className={cx(
            "relative flex h-8 min-w-0 flex-auto cursor-pointer items-center justify-center rounded-[7px] px-3 text-center text-sm leading-4 font-medium text-ink-2 transition-colors hover:text-ink touch:h-11 sm:whitespace-nowrap",
            "has-checked:bg-raised has-checked:text-ink has-checked:shadow-[0_0_0_1px_var(--line),var(--shadow-card)]",
            "has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus",
            "has-disabled:cursor-not-allowed has-disabled:opacity-55",
          )}
        >
          <input
            type="radio"
            name={name}
            value={segment.value}
            checked={segment.value === value}
            onChange={() => onChange(segment.value)}
            // As large as its segment, so that it scrolls with it and can be pointed at.
            className="absolute inset-0 cursor-[inherit] appearance-none rounded-[inherit] opacity-0"
          />
          {segment.label}
        </label>
      ))}
    </fieldset>
  );
}
