import { cx } from "#web/ui/class-names.ts";

/** A grey stand-in of the size of what is coming; hidden from screen readers, which hear the list's status. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cx("block animate-pulse rounded-sm bg-sunk", className)} />;
}
