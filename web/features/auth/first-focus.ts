import { useEffect, useEffectEvent } from "react";

/**
 * Focuses the first field. Not on a touch screen, where the keyboard would cover half the page, and not if something
 * has the focus already, such as the tab that opened this form.
 */
export function useFirstFocus(focus: () => void) {
  const start = useEffectEvent(focus);
  useEffect(() => {
    const focused = document.activeElement;
    // In a dialog, what replaces its form finds the dialog focused.
    const free = focused === document.body || focused?.role === "dialog";
    if (free && window.matchMedia("(pointer: fine)").matches) start();
  }, []);
}

/** As a `ref`, focuses what no keyboard comes up for, such as a heading or a button. */
export function focusOnArrival(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}
