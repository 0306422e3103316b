import type { ComponentProps, ReactNode } from "react";
import { cx } from "#web/ui/browser/class-names.ts";

type Props = Omit<ComponentProps<"input">, "type"> & { label: ReactNode; hint?: ReactNode };

/** On or off, with immediate effect. */
export function Switch({ label, hint, className, ...rest }: Props) {
  return (
    <label
      className={cx(
        "flex cursor-pointer items-center justify-between gap-4 text-sm touch:min-h-11",
        className,
      )}
    >
      <span className="min-w-0">
        <span className="font-medium">{label}</span>
        {hint && <span className="block text-ink-3">{hint}</span>}
      </span>
      <input
        {...rest}
        type="checkbox"
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox has its own state
        role="switch"
        className={cx(
          "relative h-5.5 w-9.5 shrink-0 cursor-pointer appearance-none rounded-full border border-edge bg-sunk transition-colors",
          "before:absolute before:top-0.5 before:left-0.5 before:size-4 before:rounded-full before:bg-edge before:transition-transform",
          "checked:border-ink checked:bg-ink checked:before:translate-x-4 checked:before:bg-card disabled:opacity-55",
          "forced-colors:appearance-auto forced-colors:before:hidden",
        )}
      />
    </label>
  );
}
