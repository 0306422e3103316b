import { Check } from "lucide-react";
import { DropdownMenu as Primitive } from "radix-ui";
import type { ComponentProps } from "react";
import { cx } from "#web/ui/browser/class-names.ts";

/**
 * A menu of actions. Type-ahead and submenu timings are Radix's defaults (1 s, 100 ms). Not modal, because that would
 * hide the page from screen readers although its links can still be reached.
 */
export function Menu(props: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root modal={false} {...props} />;
}

/** Wraps the button that opens it. */
export function MenuTrigger(props: ComponentProps<typeof Primitive.Trigger>) {
  return <Primitive.Trigger asChild {...props} />;
}

export function MenuContent({ className, ...rest }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        align="end"
        sideOffset={6}
        collisionPadding={8}
        {...rest}
        className={cx(
          "animate-in z-80 max-h-(--radix-dropdown-menu-content-available-height) min-w-56 overflow-y-auto rounded-lg border border-line bg-card p-1.5 shadow-float",
          className,
        )}
      />
    </Primitive.Portal>
  );
}

const row =
  "flex min-h-9 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 text-sm outline-none select-none touch:min-h-11 " +
  "data-highlighted:bg-hover data-disabled:opacity-50 data-disabled:cursor-not-allowed [&_svg]:size-4 [&_svg]:shrink-0";

type ItemProps = ComponentProps<typeof Primitive.Item> & { danger?: boolean };

/** With `asChild`, the link inside becomes the item. */
export function MenuItem({ danger, className, ...rest }: ItemProps) {
  return (
    <Primitive.Item
      {...rest}
      className={cx(row, danger ? "text-bad" : "text-ink [&_svg]:text-ink-3", className)}
    />
  );
}

export function MenuLabel({ className, ...rest }: ComponentProps<typeof Primitive.Label>) {
  return (
    <Primitive.Label {...rest} className={cx("px-2.5 py-1.5 text-xs font-medium text-ink-3", className)} />
  );
}

export function MenuSeparator() {
  return <Primitive.Separator className="-mx-1.5 my-1.5 h-px bg-line" />;
}

export const MenuRadioGroup = Primitive.RadioGroup;

/** An option in a MenuRadioGroup, with a checkmark when selected. */
export function MenuRadioItem({ className, children, ...rest }: ComponentProps<typeof Primitive.RadioItem>) {
  return (
    <Primitive.RadioItem {...rest} className={cx(row, className)}>
      {children}
      <Primitive.ItemIndicator className="ml-auto text-lamp-ink">
        <Check aria-hidden />
      </Primitive.ItemIndicator>
    </Primitive.RadioItem>
  );
}
