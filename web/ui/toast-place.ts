import { useLayoutEffect, useRef } from "react";

/** The distance from the bottom edge, in pixels, at which toasts cover no button in the open dialog's footer. */
function roomBelow(toasts: HTMLElement, footer: Element | undefined): number {
  if (!footer) return 0;
  const [foot, own] = [footer.getBoundingClientRect(), toasts.getBoundingClientRect()];
  const beside = own.left >= foot.right || own.right <= foot.left;
  const below = foot.bottom <= window.innerHeight - own.height;
  return beside || below ? 0 : window.innerHeight - foot.top;
}

const footerOnTop = () => [...document.querySelectorAll('[role="dialog"] > footer')].at(-1);

/** The ref for the toast region: at the bottom edge, or above the footer of a dialog that toasts would cover. */
export function useToastPlace() {
  const ref = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    const toasts = ref.current;
    if (!toasts) return undefined;
    const place = () => {
      toasts.style.bottom = `${roomBelow(toasts, footerOnTop())}px`;
    };
    const sizes = new ResizeObserver(place);
    const watch = () => {
      sizes.disconnect();
      const dialog = footerOnTop()?.parentElement;
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
