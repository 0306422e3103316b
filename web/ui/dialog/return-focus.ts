import { useRef } from "react";

const dialogs = '[role="dialog"], [role="alertdialog"]';

// The element that opened the most recent dialog. A dialog that replaces another, such as one whose code has just
// loaded, finds no focused element and uses the first one's opener.
let lastOpener: Element | null = null;

/**
 * Focuses the element marked `data-autofocus`, otherwise the dialog itself, and later returns the focus to where it was.
 * Radix only returns it to a trigger, but our dialogs can be opened from anywhere. (The autofocus attribute would move
 * the focus before we could remember where it was.) Spread it onto the content.
 */
export function useReturnFocus() {
  const opener = useRef<Element>(null);
  return {
    onOpenAutoFocus: (event: Event) => {
      const focused = document.activeElement;
      opener.current = focused === document.body ? lastOpener : (menuTrigger(focused) ?? focused);
      lastOpener = opener.current;
      const content = event.currentTarget;
      if (!(content instanceof HTMLElement)) return;
      const marked = content.querySelector<HTMLElement>("[data-autofocus]");
      // Radix focuses Cancel in an alert dialog. Any other dialog focuses itself, not its close button.
      const start = marked ?? (content.role === "dialog" ? content : undefined);
      if (!start) return;
      event.preventDefault();
      start.focus();
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      lastOpener = null;
      const open = document.querySelector(dialogs);
      // If the opener is gone, such as a deleted row, focus the screen itself.
      const place = opener.current?.isConnected ? opener.current : document.querySelector("main");
      // Another dialog has replaced this one and has the focus.
      if (open && !open.contains(place)) return;
      if (place instanceof HTMLElement) place.focus();
    },
  };
}

/** A menu closes as soon as an item is selected, so the focus returns to the button that opened it. */
function menuTrigger(focused: Element | null): Element | null {
  const trigger = focused?.closest('[role="menu"]')?.getAttribute("aria-labelledby");
  return trigger ? document.getElementById(trigger) : null;
}

/** Keeps the focus when a list item's buttons go: on its list, or on the screen or dialog if that may go with its only one. */
export function leaveListItem(button: HTMLElement) {
  const list = button.closest<HTMLElement>("ol, ul");
  const place =
    list && list.children.length > 1 ? list : button.closest<HTMLElement>('[role="dialog"], main');
  place?.focus({ preventScroll: true });
}
