import { useState, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { Confirm } from "#web/ui/dialog/confirm.tsx";
import { LeaveGuard, formParameters } from "#web/ui/dialog/leave-guard.tsx";

type Options = {
  /** Something was typed that is not saved. */
  unsaved: boolean;
  /** It is being saved, so it can't be closed. */
  busy?: boolean;
  title?: string;
  /** What would be lost. */
  what?: string;
  onClose: () => void;
};

/**
 * Closing a form that has unsaved changes asks first, however it is closed: with its buttons, Escape, Back, or the
 * command palette. Render `question` inside it.
 */
export function useDiscardQuestion({
  unsaved,
  busy = false,
  title = "Discard your changes?",
  what = "What you typed hasn't been saved.",
  onClose,
}: Options): {
  close: () => void;
  /** Closes it without asking. */
  discard: () => void;
  question: ReactNode;
} {
  const [asking, setAsking] = useState(false);
  const [discarded, setDiscarded] = useState(false);
  const close = () => {
    if (busy) return;
    if (unsaved) setAsking(true);
    else onClose();
  };
  const discard = () => {
    // Closing may change the URL, and the guard must not ask about that.
    flushSync(() => {
      setAsking(false);
      setDiscarded(true);
    });
    onClose();
  };
  const question = (
    <>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={title}
        description={what}
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        danger
        onConfirm={discard}
      />
      <LeaveGuard active={unsaved && !discarded} what={what} heldBy={formParameters} />
    </>
  );
  return { close, discard, question };
}
