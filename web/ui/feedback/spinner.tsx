import { LoaderCircle } from "lucide-react";
import { cx } from "#web/ui/browser/class-names.ts";

/** Decorative next to text. With a `label`, it is announced. */
export function Spinner({ label, className }: { label?: string; className?: string }) {
  const icon = <LoaderCircle aria-hidden className={cx("size-4 animate-spin", className)} />;
  if (!label) return icon;
  return (
    <output className="inline-flex">
      {icon}
      <span className="sr-only">{label}</span>
    </output>
  );
}

/** Says that something is loading, in the middle of a container, or of the whole window (`alone`). */
export function SpinnerPage({ label = "Loading...", alone }: { label?: string; alone?: boolean }) {
  return (
    <div className={cx("grid place-items-center text-ink-3", alone ? "min-h-dvh" : "min-h-[60dvh]")}>
      <Spinner label={label} className="size-6" />
    </div>
  );
}
