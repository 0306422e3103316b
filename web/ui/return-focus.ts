import { useRef } from "react";

/**
 * Puts the focus on what is marked `data-autofocus`, else on what comes first, and brings it back to where it was
 * when the dialog opened. Radix returns it to a trigger only, and our dialogs are opened from anywhere. (The
 * attribute autofocus would take the focus before it is known where it was.) Spread onto the content.
 */
export function useReturnFocus() {
  const before = useRef<Element>(null);
  return {
    onOpenAutoFocus: (event: Event) => {
      before.current = document.activeElement;
      const content = event.currentTarget;
      const start = content instanceof Element && content.querySelector<HTMLElement>("[data-autofocus]");
      if (!start) return;
      event.preventDefault();
      start.focus();
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      const back = before.current;
      // What opened it may be gone, such as a deleted row: then the screen itself is the place.
      const place =
        back instanceof HTMLElement && back.isConnected ? back : document.querySelector<HTMLElement>("main");
      place?.focus();
    },
  };
}
