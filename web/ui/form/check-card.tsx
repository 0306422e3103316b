import type { ComponentProps, ReactNode } from "react";
import { cx } from "#web/ui/browser/class-names.ts";

type Props = Omit<ComponentProps<"input">, "type"> & {
  icon: ReactNode;
  label: ReactNode;
  detail?: ReactNode;
};

/** A checkbox as a card with an icon and a second line: one of the channels in the create dialog. */
export function CheckCard({ icon, label, detail, className, ...rest }: Props) {
  return (
    <label
      className={cx(
        "relative flex min-h-15 cursor-pointer items-center gap-3 rounded-md border border-edge bg-card px-3 py-2.5 transition-shadow hover:bg-hover",
        "has-checked:border-ink has-checked:shadow-[inset_0_0_0_1px_var(--ink)]",
        "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus",
        "has-disabled:cursor-not-allowed has-disabled:opacity-55",
        className,
      )}
    >
      {icon}
      <span className="min-w-0 flex-1">
        <span className="block text-sm font-semibold">{label}</span>
        {detail && <span className="block text-[0.8125rem] break-words text-ink-3 tabular">{detail}</span>}
      </span>
      {/* The tick, so that a chosen card differs by more than its frame. */}
      <input
        {...rest}
        type="checkbox"
        className="tick size-4.5 shrink-0 rounded-[5px] border border-edge bg-card outline-none checked:border-ink checked:bg-ink"
      />
    </label>
  );
}
