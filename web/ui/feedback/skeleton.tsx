import { cx } from "#web/ui/browser/class-names.ts";

/** A gray placeholder of the final size. Hidden from screen readers, which hear the list's status. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cx("block animate-pulse rounded-sm bg-sunk", className)} />;
}

/** The same for a list: this many rows, with a height set by `className`. */
export function SkeletonRows({ rows, className }: { rows: number; className: string }) {
  return (
    <div aria-hidden className="flex flex-col gap-2">
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} className={cx("rounded-md", className)} />
      ))}
    </div>
  );
}
