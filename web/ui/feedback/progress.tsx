import { cx } from "#web/ui/browser/class-names.ts";

type Props = {
  /** 0 to `max`; undefined while the total is unknown. */
  value: number | undefined;
  max?: number;
  label: string;
  className?: string;
};

export function Progress({ value, max = 100, label, className }: Props) {
  return (
    <progress
      aria-label={label}
      value={value}
      // A maximum of 0 is invalid and would read as 1.
      max={Math.max(max, 1)}
      className={cx("progress block h-1.5 w-full", value === undefined && "animate-pulse", className)}
    />
  );
}
