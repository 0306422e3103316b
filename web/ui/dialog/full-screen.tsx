import { X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { DialogBoundary } from "#web/ui/dialog/dialog-boundary.tsx";
import { useReturnFocus } from "#web/ui/dialog/return-focus.ts";

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** In the middle of the top line, such as the steps of what is done here. */
  middle?: ReactNode;
  /** Stays visible at the bottom. */
  footer?: ReactNode;
  /** False: Escape does nothing, and there is no button to close it. */
  closable?: boolean;
  children: ReactNode;
};

/** A dialog that takes the whole window, for work that needs the room. */
export function FullScreen({ open, onOpenChange, title, middle, footer, closable = true, children }: Props) {
  const returnFocus = useReturnFocus();
  return (
    <Primitive.Root open={open} onOpenChange={(next) => closable && onOpenChange(next)}>
      <Primitive.Portal>
        <Primitive.Content
          {...returnFocus}
          aria-describedby={undefined}
          className="animate-fade fixed inset-0 z-60 flex flex-col bg-paper outline-none low:block low:overflow-y-auto"
        >
          <header className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2.5 sm:px-8 md:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)]">
            <div className="flex min-w-0 items-center gap-3">
              {closable && (
                <Primitive.Close
                  aria-label="Close"
                  className="-ml-2 grid size-9 shrink-0 place-items-center rounded-md text-ink-2 hover:bg-hover hover:text-ink touch:size-11"
                >
                  <X aria-hidden className="size-4.5" />
                </Primitive.Close>
              )}
              <Primitive.Title className="truncate font-semibold tracking-tight">{title}</Primitive.Title>
            </div>
            {middle}
          </header>
          <DialogBoundary>
            <div className="scroll-quiet min-h-0 flex-1 px-4 py-5 sm:px-8 low:overflow-visible">
              {children}
            </div>
            {footer && (
              <footer className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2 border-t border-line bg-card px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-8">
                {footer}
              </footer>
            )}
          </DialogBoundary>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
