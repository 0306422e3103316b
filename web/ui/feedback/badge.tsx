import type { ReactNode } from "react";
import { cx } from "#web/ui/browser/class-names.ts";

export type Tone = "good" | "warn" | "bad" | "info" | "quiet" | "lamp" | "royal";

export const toneClass: Record<Tone, string> = {
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  info: "bg-info-soft text-info",
  quiet: "bg-quiet-soft text-quiet",
  lamp: "bg-lamp-soft text-lamp-ink",
  // Purple is the channel Push's, and the administrators'.
  royal: "bg-push-soft text-push",
};

/** Text colors of the tones, for text without a badge. */
export const toneText: Record<Tone, string> = {
  good: "text-good",
  warn: "text-warn",
  bad: "text-bad",
  info: "text-info",
  quiet: "text-ink-2",
  lamp: "text-lamp-ink",
  royal: "text-push",
};

type Props = { tone?: Tone; icon?: ReactNode; children: ReactNode; className?: string };

export function Badge({ tone = "quiet", icon, children, className }: Props) {
  return (
    <span
      className={cx(
        "inline-flex min-h-6.5 items-center gap-1.5 rounded-sm px-2 py-0.5 text-[0.8125rem] leading-4.5 font-semibold whitespace-nowrap [&_svg]:size-3.5 [&_svg]:shrink-0",
        toneClass[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  );
}
