import { useLayoutEffect, useRef } from "react";

/** The distance from the bottom edge, in pixels, at which toasts cover nothing of what has to stay clear. */
function roomBelow(toasts: HTMLElement, clear: Element): number {
  const [its, own] = [clear.getBoundingClientRect(), toasts.getBoundingClientRect()];
  const beside = own.left >= its.right || own.right <= its.left;
  const apart = its.bottom <= window.innerHeight - own.height || its.top >= window.innerHeight;
  // Above a tall question, a toast would leave the screen.
  return beside || apart ? 0 : window.innerHeight - Math.max(its.top, own.height);
}

/** The buttons of the dialog in front, or a whole question. */
const inFront = () => [...document.querySelectorAll('[role="dialog"] > footer, [role="alertdialog"]')].at(-1);

/** What has to stay clear: of the page, whatever saves it or one of its forms. */
function toKeepClear(): Element[] {
  const front = inFront();
  return front ? [front] : [...document.querySelectorAll("[data-save-bar], [data-keep-clear]")];
}

/** The ref for the toast region: at the bottom edge, or above what toasts would cover. */
export function useToastPlace() {
  const ref = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    const toasts = ref.current;
    if (!toasts) return undefined;
    const place = () => {
      const room = Math.max(0, ...toKeepClear().map((clear) => roomBelow(toasts, clear)));
      toasts.style.bottom = `${room}px`;
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
    document.addEventListener("scroll", place, { capture: true, passive: true });
    watch();
    return () => {
      sizes.disconnect();
      dialogs.disconnect();
      document.removeEventListener("animationend", place);
      window.removeEventListener("resize", place);
      document.removeEventListener("scroll", place, { capture: true });
    };
  }, []);
  return ref;
}
