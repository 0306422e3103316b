import { Popover as Primitive } from "radix-ui";
import type { ComponentProps } from "react";
import { cx } from "#web/ui/browser/class-names.ts";

export const Popover = Primitive.Root;
export const PopoverAnchor = Primitive.Anchor;

/** Wraps the button that opens it. */
export function PopoverTrigger(props: ComponentProps<typeof Primitive.Trigger>) {
  return <Primitive.Trigger asChild {...props} />;
}

/**
 * Placed next to its trigger without a portal, so that it can be scrolled and focused inside a dialog.
 */
export function PopoverContent({ className, ...rest }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Content
      align="start"
      sideOffset={6}
      collisionPadding={8}
      {...rest}
      className={cx(
        "animate-in z-80 max-w-[calc(100vw-1rem)] rounded-lg border border-line bg-card shadow-float outline-none",
        className,
      )}
    />
  );
}
