import { useEffect, useEffectEvent } from "react";

/**
 * Starts a person in the first field. Not on a touch screen, where the keyboard would cover half the page, and
 * not when the focus is anywhere already, such as on the tab that brought this form up.
 */
export function useFirstFocus(focus: () => void) {
  const start = useEffectEvent(focus);
  useEffect(() => {
    if (document.activeElement === document.body && window.matchMedia("(pointer: fine)").matches) start();
  }, []);
}
