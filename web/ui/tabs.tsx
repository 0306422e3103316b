import { Tabs as Primitive } from "radix-ui";
import type { ComponentProps } from "react";
import { cx } from "#web/ui/class-names.ts";

export const Tabs = Primitive.Root;
export const TabPanel = Primitive.Content;

/** Tabs as one segmented bar; `aria-label` names it. */
export function TabList({ className, ...rest }: ComponentProps<typeof Primitive.List>) {
  return <Primitive.List {...rest} className={cx("flex gap-1 rounded-md bg-sunk p-1", className)} />;
}

export function Tab({ className, ...rest }: ComponentProps<typeof Primitive.Trigger>) {
  return (
    <Primitive.Trigger
      {...rest}
      className={cx(
        "h-8 flex-1 rounded-[7px] px-3 text-sm font-medium whitespace-nowrap text-ink-2 transition-colors hover:text-ink touch:h-11",
        "data-[state=active]:bg-card data-[state=active]:text-ink data-[state=active]:shadow-[0_0_0_1px_var(--line),var(--shadow-card)]",
        className,
      )}
    />
  );
}
