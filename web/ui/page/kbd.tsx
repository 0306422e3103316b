import type { ReactNode } from "react";

/** A key hint. Screen readers skip it, because the shortcut is announced elsewhere. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd
      aria-hidden
      className="rounded-sm border border-line bg-sunk px-1.5 py-px font-sans text-xs leading-5 whitespace-nowrap text-ink-3"
    >
      {children}
    </kbd>
  );
}

/** The key of shortcuts: "⌘" on Apple's systems, "Ctrl " elsewhere. */
export function modifierKey(): string {
  return /mac|iphone|ipad/i.test(navigator.userAgent) ? "⌘" : "Ctrl ";
}
