import type { ReactNode } from "react";

/** A key, as a hint: screen readers skip it, the shortcut is named elsewhere. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd
      aria-hidden
      className="rounded-sm border border-line bg-sunk px-1.5 py-px font-sans text-xs leading-5 text-ink-3"
    >
      {children}
    </kbd>
  );
}
