import { LoaderCircle } from "lucide-react";
import { cx } from "#web/ui/class-names.ts";

/** Decorative beside words; with a `label` it speaks for itself. */
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

/** Fills its place and says that something is being loaded. */
export function SpinnerPage({ label = "Loading..." }: { label?: string }) {
  return (
    <div className="grid min-h-[60dvh] place-items-center text-ink-3">
      <Spinner label={label} className="size-6" />
    </div>
  );
}
