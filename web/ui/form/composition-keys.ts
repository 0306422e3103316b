/** Until then, Safari reports the key that ended a composition with this code, and no longer as composing. */
const OF_INPUT_METHOD = 229;

/**
 * Whether a key belongs to an input method, as for Japanese or Chinese: Enter takes a word, Escape discards it, and arrows
 * choose one. None of that submits, closes or moves anything of ours.
 */
export const isOfInputMethod = ({
  isComposing,
  keyCode,
}: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean => isComposing || keyCode === OF_INPUT_METHOD;

/** Keeps such keys from everything on the page but an editor of formatted text, which follows compositions itself. */
export function leaveKeysToInputMethods(page: EventTarget): void {
  page.addEventListener(
    "keydown",
    (event) => {
      const { isComposing, keyCode, target } = event as KeyboardEvent;
      const inEditor = target instanceof HTMLElement && target.isContentEditable;
      if (isOfInputMethod({ isComposing, keyCode }) && !inEditor) event.stopPropagation();
    },
    { capture: true },
  );
}
