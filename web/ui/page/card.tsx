import type { ComponentProps, ReactNode } from "react";
import { cx } from "#web/ui/browser/class-names.ts";

export function Card({ className, ...rest }: ComponentProps<"section">) {
  return <section {...rest} className={cx("rounded-lg border border-line bg-card shadow-card", className)} />;
}

/** A card's first line: its heading and, on the right, its actions. */
export function CardHeader({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2.5">
      <h2 className="text-base font-semibold">{title}</h2>
      {children}
    </div>
  );
}
