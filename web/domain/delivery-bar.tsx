import { cx } from "#web/ui/browser/class-names.ts";

export type DeliveryPart = {
  /** "Delivered to 26 people". */
  label: string;
  count: number;
  tone: "good" | "sent" | "waiting" | "bad" | "skipped";
};

/** The color of each part, here and in charts. */
export const partFill: Record<DeliveryPart["tone"], string> = {
  good: "bg-good",
  sent: "bg-[color-mix(in_oklab,var(--good)_45%,var(--card))]",
  waiting: "bg-lamp",
  bad: "bg-bad",
  skipped: "bg-line-strong",
};

/**
 * The result of a message as a bar. It has text for screen readers and on hover, so color is never the only sign. A part
 * with a count of at least one is always visible.
 */
export function DeliveryBar({ parts, className }: { parts: readonly DeliveryPart[]; className?: string }) {
  const shown = parts.filter((part) => part.count > 0);
  const words = shown.map(({ label }) => label).join(" · ");
  return (
    <div
      data-bar
      title={words || undefined}
      className={cx("flex h-1.5 gap-px overflow-hidden rounded-full bg-sunk", className)}
    >
      <span className="sr-only">{words || "Nothing sent yet"}</span>
      {shown.map((part) => (
        <span
          key={part.label}
          aria-hidden
          className={cx("min-w-1", partFill[part.tone])}
          style={{ flexGrow: part.count, flexBasis: 0 }}
        />
      ))}
    </div>
  );
}
