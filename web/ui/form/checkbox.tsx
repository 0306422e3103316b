import type { ComponentProps, ReactNode } from "react";
import { cx } from "#web/ui/browser/class-names.ts";

type Props = Omit<ComponentProps<"input">, "type"> & { label: ReactNode; hint?: ReactNode };

/** A checkbox with its label. The whole line can be clicked. */
export function Checkbox({ label, hint, className, ...rest }: Props) {
  return (
    <label className={cx("flex cursor-pointer items-start gap-2.5 text-sm touch:py-2.5", className)}>
      <input
        {...rest}
        type="checkbox"
        className="tick mt-px size-4.5 shrink-0 rounded-[5px] border border-edge bg-card checked:border-ink checked:bg-ink aria-[invalid=true]:border-bad"
      />
      <span className="min-w-0">
        <span className="font-medium">{label}</span>
        {hint && <span className="block text-ink-3">{hint}</span>}
      </span>
    </label>
  );
}
