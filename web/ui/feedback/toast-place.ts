import { useLayoutEffect, useRef } from "react";

/** The distance from the bottom edge, in pixels, at which toasts cover nothing of what has to stay clear. */
function roomBelow(toasts: HTMLElement, clear: Element | undefined): number {
  if (!clear) return 0;
  const [its, own] = [clear.getBoundingClientRect(), toasts.getBoundingClientRect()];
  const beside = own.left >= its.right || own.right <= its.left;
  const below = its.bottom <= window.innerHeight - own.height;
  // Above a tall question, a toast would leave the screen.
  return beside || below ? 0 : window.innerHeight - Math.max(its.top, own.height);
}

/** What has to stay clear: the buttons of the dialog in front, a whole question, or the bar that saves a page. */
const inFront = () =>
  [...document.querySelectorAll('[role="dialog"] > footer, [role="alertdialog"], [data-save-bar]')].at(-1);

/** The ref for the toast region: at the bottom edge, or above what toasts would cover. */
export function useToastPlace() {
  const ref = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    const toasts = ref.current;
    if (!toasts) return undefined;
    const place = () => {
      toasts.style.bottom = `${roomBelow(toasts, inFront())}px`;
    };
    const sizes = new ResizeObserver(place);
    const watch = () => {
      sizes.disconnect();
      const dialog = inFront()?.closest("[role]");
      for (const element of dialog ? [toasts, dialog] : [toasts]) sizes.observe(element);
      place();
    };
    // Dialogs are added to and removed from the body, and slide in.
    const dialogs = new MutationObserver(watch);
    dialogs.observe(document.body, { childList: true });
    document.addEventListener("animationend", place);
    window.addEventListener("resize", place);
    watch();
    return () => {
      sizes.disconnect();
      dialogs.disconnect();
      document.removeEventListener("animationend", place);
      window.removeEventListener("resize", place);
    };
  }, []);
  return ref;
}
