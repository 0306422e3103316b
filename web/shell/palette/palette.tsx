import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { buttonClass } from "#web/ui/page/button.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { Kbd, modifierKey } from "#web/ui/page/kbd.tsx";
import { lazyDialog } from "#web/ui/dialog/lazy-dialog.tsx";

const palette = lazyDialog(() => import("#web/shell/palette/palette-dialog.tsx"));

/** The command palette: the field in the header that opens it, ⌘K or Ctrl+K from anywhere, and the dialog itself. */
export function Palette() {
  const modifier = modifierKey();
  // On a Mac, Ctrl+K deletes to the end of the line.
  const onMac = modifier === "⌘";
  const [open, setOpen] = useState(false);
  const typedEarly = useTypedEarly(open);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const modified = onMac ? event.metaKey && !event.ctrlKey : event.metaKey || event.ctrlKey;
      const shortcut = modified && !event.altKey && !event.shiftKey;
      if (!shortcut || event.key.toLowerCase() !== "k" || event.defaultPrevented) return;
      event.preventDefault();
      // A question has to be answered first.
      if (!document.querySelector('[role="alertdialog"]')) setOpen((was) => !was);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [onMac]);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts={onMac ? "Meta+K" : "Control+K"}
        onPointerEnter={palette.prefetch}
        onFocus={palette.prefetch}
        onClick={() => setOpen(true)}
        className={cx(
          buttonClass({ variant: "ghost", size: "icon" }),
          "max-md:ml-auto md:mx-6 md:h-9 md:w-40 md:max-w-80 md:min-w-0 md:shrink md:grow md:justify-start md:border md:border-line-strong md:bg-card md:px-3 md:font-normal md:text-ink-3",
          "max-md:[&_svg]:size-5.5!",
        )}
      >
        <Search aria-hidden />
        <span className="min-w-0 flex-1 truncate text-left text-sm max-md:sr-only">Search or jump to</span>
        <span className="max-md:hidden">
          <Kbd>{modifier}K</Kbd>
        </span>
      </button>
      <palette.Dialog open={open} onOpenChange={setOpen} typedEarly={typedEarly} />
    </>
  );
}

/** What is typed while the dialog's code is loading. It would otherwise go to whatever has the focus, or nowhere. */
function useTypedEarly(open: boolean): string {
  const [typed, setTyped] = useState("");
  useEffect(() => {
    if (!open || palette.hasLoaded()) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const letter = event.key.length === 1 && !event.metaKey && !event.ctrlKey && !event.altKey;
      if (!letter || palette.hasLoaded()) return;
      event.preventDefault();
      event.stopPropagation();
      setTyped((before) => before + event.key);
    };
    document.addEventListener("keydown", onKey, { capture: true });
    return () => {
      document.removeEventListener("keydown", onKey, { capture: true });
      setTyped("");
    };
  }, [open]);
  return typed;
}
