import { ScrollArea as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "#web/ui/class-names.ts";

/** Scrolls with a thin bar of its own that leaves 600 ms after the pointer. */
export function ScrollArea({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <Primitive.Root type="hover" scrollHideDelay={600} className={cx("overflow-hidden", className)}>
      <Primitive.Viewport className="size-full overscroll-contain [&>div]:!block">
        {children}
      </Primitive.Viewport>
      <Primitive.Scrollbar orientation="vertical" className="animate-fade flex w-2 p-0.5 select-none">
        <Primitive.Thumb className="relative flex-1 rounded-full bg-line-strong" />
      </Primitive.Scrollbar>
    </Primitive.Root>
  );
}
