import { LoaderCircle } from "lucide-react";
import { cx } from "#web/ui/class-names.ts";

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

/** Fills its container and says that something is loading. */
export function SpinnerPage({ label = "Loading..." }: { label?: string }) {
  return (
    <div className="grid min-h-[60dvh] place-items-center text-ink-3">
      <Spinner label={label} className="size-6" />
    </div>
  );
}
