import type { ComponentProps, ReactNode } from "react";
import { cx } from "#web/ui/browser/class-names.ts";
import { Spinner } from "#web/ui/feedback/spinner.tsx";

export type ButtonVariant = "ink" | "outline" | "ghost" | "danger";
type ButtonSize = "sm" | "md" | "lg" | "icon";

const variants: Record<ButtonVariant, string> = {
  ink: "bg-ink text-on-ink forced-colors:border hover:bg-[color-mix(in_oklab,var(--ink)_86%,var(--paper))]",
  outline: "border border-line-strong bg-card text-ink shadow-card hover:bg-hover",
  ghost: "text-ink-2 hover:bg-hover hover:text-ink",
  danger: "bg-bad text-card forced-colors:border hover:bg-[color-mix(in_oklab,var(--bad)_86%,var(--ink))]",
};

const sizes: Record<ButtonSize, string> = {
  sm: "h-8 px-3 text-sm touch:h-11",
  md: "h-9 px-4 text-sm touch:h-11",
  lg: "h-11 px-5 text-base",
  icon: "size-9 touch:size-11",
};

/** The classes of a button, for a router link that should look like one. */
export function buttonClass({
  variant = "outline",
  size = "md",
}: { variant?: ButtonVariant; size?: ButtonSize } = {}) {
  return cx(
    "inline-flex shrink-0 items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap transition-colors",
    "disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0",
    variants[variant],
    sizes[size],
  );
}

export type ButtonProps = ComponentProps<"button"> & {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Shows a spinner instead of the icon and ignores clicks. */
  busy?: boolean;
  icon?: ReactNode;
};

export function Button({ variant, size, busy, icon, className, disabled, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={cx(buttonClass({ variant, size }), className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}
