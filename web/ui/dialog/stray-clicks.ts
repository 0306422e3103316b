const dialogs = '[role="dialog"], [role="alertdialog"]';

type Click = Pick<MouseEvent, "detail"> & { target: unknown };
type Place = Pick<Element, "closest">;

/**
 * Tells whether a click is the second one of a double click whose first one closed the dialog that it was in. Someone who
 * double-clicks "Send Notification" would otherwise open the row beneath.
 */
export function strayClicks(): (click: Click) => boolean {
  let dialog: Pick<Element, "isConnected"> | null = null;
  return ({ detail, target }) => {
    if (detail > 1 && dialog && !dialog.isConnected) return true;
    dialog = isPlace(target) ? target.closest(dialogs) : null;
    return false;
  };
}

function isPlace(target: unknown): target is Place {
  return typeof target === "object" && target !== null && "closest" in target;
}

/** Keeps such clicks from everything on the page. */
export function ignoreStrayClicks(page: Document): void {
  const isStray = strayClicks();
  page.addEventListener(
    "click",
    (event) => {
      if (!isStray(event)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
}
