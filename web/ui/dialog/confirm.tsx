import { AlertDialog as Primitive } from "radix-ui";
import { useState, type ReactNode } from "react";
import { numberText } from "#contract/text/locale.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { useReturnFocus } from "#web/ui/dialog/return-focus.ts";

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Names the thing: Delete “<bdi translate="no">Rent Reminder</bdi>”? */
  title: ReactNode;
  description: ReactNode;
  /** A verb: "Delete", "Send to 12,400 people". Null if nothing can be done, and the dialog only says so. */
  confirmLabel: string | null;
  /** False while there is nothing to confirm. */
  confirmable?: boolean;
  /** The label of the other button, if "Cancel" would be ambiguous. */
  cancelLabel?: string;
  danger?: boolean;
  busy?: boolean;
  /** The button is disabled until this number is typed. */
  typed?: number | undefined;
  onConfirm: () => void;
};

/** Asks before something that cannot be undone. Clicking outside does not close it. */
export function Confirm({
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  confirmable = true,
  cancelLabel = "Cancel",
  danger,
  busy,
  typed,
  onConfirm,
}: Props) {
  const returnFocus = useReturnFocus();
  const [text, setText] = useState("");
  const ready = confirmable && (typed === undefined || text.trim().replaceAll(",", "") === String(typed));
  const change = (next: boolean) => {
    // What the answer leads to may be shown here, such as another question.
    if (busy) return;
    setText("");
    onOpenChange(next);
  };
  return (
    <Primitive.Root open={open} onOpenChange={change}>
      <Primitive.Portal>
        <Primitive.Overlay className="animate-fade fixed inset-0 z-70 grid grid-cols-1 items-end justify-items-center bg-(--scrim) p-4 sm:place-items-center">
          <Primitive.Content
            {...returnFocus}
            className="animate-sheet w-full max-w-md rounded-lg bg-card p-5 shadow-dialog outline-none md:p-6"
          >
            <Primitive.Title className="text-lg font-semibold tracking-tight break-words">
              {title}
            </Primitive.Title>
            <Primitive.Description asChild>
              <div className="mt-2 text-ink-2">{description}</div>
            </Primitive.Description>
            {typed !== undefined && (
              <Field label={`Type ${numberText(typed)} to confirm`} className="mt-4">
                {(wiring) => (
                  <Input
                    {...wiring}
                    autoComplete="off"
                    data-autofocus
                    value={text}
                    onChange={(event) => setText(event.target.value)}
                    onKeyDown={(event) => {
                      if (event.key === "Enter" && ready && !busy) onConfirm();
                    }}
                  />
                )}
              </Field>
            )}
            <div className="mt-6 flex flex-wrap justify-end gap-2">
              <Primitive.Cancel asChild>
                <Button disabled={busy}>{cancelLabel}</Button>
              </Primitive.Cancel>
              {/* Not Radix's Action, which closes before the work is done. */}
              {confirmLabel !== null && (
                <Button variant={danger ? "danger" : "ink"} busy={busy} disabled={!ready} onClick={onConfirm}>
                  {confirmLabel}
                </Button>
              )}
            </div>
          </Primitive.Content>
        </Primitive.Overlay>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
