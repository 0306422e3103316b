import type { ReactNode } from "react";
import { cx } from "#web/ui/browser/class-names.ts";

const looks = {
  bad: { frame: "border-[color-mix(in_oklab,var(--bad)_45%,var(--line))]", tile: "bg-bad-soft text-bad" },
  warn: { frame: "border-[color-mix(in_oklab,var(--warn)_45%,var(--line))]", tile: "bg-warn-soft text-warn" },
  info: { frame: "border-line", tile: "bg-info-soft text-info" },
};

type Props = {
  tone: keyof typeof looks;
  icon: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
};

/** A permanent notice: what is wrong, what is safe, what to do. Announced when it appears. */
export function Banner({ tone, icon, title, children, action }: Props) {
  const { frame, tile } = looks[tone];
  return (
    <div
      role={tone === "info" ? "status" : "alert"}
      className={cx("flex flex-wrap items-center gap-3 rounded-lg border bg-card px-4 py-3", frame)}
    >
      <span
        aria-hidden
        className={cx("grid size-8 shrink-0 place-items-center rounded-md [&_svg]:size-4", tile)}
      >
        {icon}
      </span>
      <p className="min-w-48 flex-1 text-sm text-ink-2">
        <strong className="font-semibold text-ink">{title}</strong> {children}
      </p>
      {action}
    </div>
  );
}
