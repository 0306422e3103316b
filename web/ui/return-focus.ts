import { useRef } from "react";

const dialogs = '[role="dialog"], [role="alertdialog"]';

// The opener of the dialog that opened last. One that takes another's place, such as a dialog whose code has
// arrived, finds the focus nowhere: the opener of the first is its own.
let lastOpener: Element | null = null;

/**
 * Puts the focus on what is marked `data-autofocus`, else on the dialog itself, and brings it back to where it was
 * when the dialog opened. Radix returns it to a trigger only, and our dialogs are opened from anywhere. (The
 * attribute autofocus would take the focus before it is known where it was.) Spread onto the content.
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
      // An alert starts on Cancel, which is Radix' doing; any other dialog on itself, not on its close button.
      const start = marked ?? (content.role === "dialog" ? content : undefined);
      if (!start) return;
      event.preventDefault();
      start.focus();
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      lastOpener = null;
      const open = document.querySelector(dialogs);
      // What opened it may be gone, such as a deleted row: then the screen itself is the place.
      const place = opener.current?.isConnected ? opener.current : document.querySelector("main");
      // Another dialog took this one's place and has the focus.
      if (open && !open.contains(place)) return;
      if (place instanceof HTMLElement) place.focus();
    },
  };
}

/** A menu goes as soon as something was chosen in it; what stays is the button that opened it. */
function menuTrigger(focused: Element | null): Element | null {
  const trigger = focused?.closest('[role="menu"]')?.getAttribute("aria-labelledby");
  return trigger ? document.getElementById(trigger) : null;
}
