import { useRef } from "react";

/**
 * Brings the focus back to where it was when a dialog opened. Radix returns it to a trigger only, and our dialogs
 * are opened from anywhere. Spread onto the content.
 */
export function useReturnFocus() {
  const before = useRef<Element>(null);
  return {
    onOpenAutoFocus: () => {
      before.current = document.activeElement;
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
