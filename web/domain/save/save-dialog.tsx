import { useEffect, useId, useRef, type ComponentProps, type ReactNode } from "react";
import { useDiscardQuestion } from "#web/domain/save/use-discard-question.tsx";
import type { Saving } from "#web/domain/save/use-save.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";

type Props = Pick<
  ComponentProps<typeof Dialog>,
  "open" | "onOpenChange" | "title" | "description" | "beside"
> & {
  saving: Saving;
  /** The save button's label: "Create User". */
  label: string;
  /** What is edited: "this person". */
  what: string;
  /** Shown at the left end of the footer, or above its buttons where there is no room. */
  aside?: ReactNode;
  children: ReactNode;
};

/** A dialog around one form: asks before unsaved work is lost, and says if it was saved elsewhere first. */
export function SaveDialog({ open, onOpenChange, saving, label, what, aside, children, ...rest }: Props) {
  const id = useId();
  const { close, question } = useDiscardQuestion({
    unsaved: saving.unsaved,
    busy: saving.saving,
    onClose: () => onOpenChange(false),
  });
  return (
    <Dialog
      {...rest}
      open={open}
      onOpenChange={close}
      footer={
        <>
          {aside && <div className="mr-auto empty:hidden">{aside}</div>}
          <div className="flex gap-2">
            <Button onClick={close} disabled={saving.saving}>
              Cancel
            </Button>
            <Button variant="ink" type="submit" form={id} busy={saving.saving}>
              {label}
            </Button>
          </div>
        </>
      }
    >
      <form id={id} {...saving.form} autoComplete="off">
        <fieldset disabled={saving.saving} className="flex min-w-0 flex-col gap-5">
          {saving.conflict && <ConflictNotice what={what} {...saving.conflict} />}
          {children}
        </fieldset>
      </form>
      {question}
    </Dialog>
  );
}

type ConflictProps = NonNullable<Saving["conflict"]> & { what: string };

export function ConflictNotice({ what, takeTheirs, keepMine }: ConflictProps) {
  const place = useRef<HTMLDivElement>(null);
  // The save button is far below.
  useEffect(() => {
    place.current?.scrollIntoView({ block: "end" });
  }, []);
  return (
    <div
      ref={place}
      role="alert"
      className="flex flex-col gap-3 rounded-md bg-warn-soft px-4 py-3 text-sm text-warn"
    >
      <p>
        <strong className="font-semibold">Someone else changed {what}, or you did in another tab.</strong>{" "}
        What you typed is still here. Nothing was saved.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={keepMine}>
          Keep mine
        </Button>
        <Button size="sm" onClick={takeTheirs}>
          Load the other version
        </Button>
      </div>
      <p>If you keep yours, only what you changed here replaces the other version.</p>
    </div>
  );
}
