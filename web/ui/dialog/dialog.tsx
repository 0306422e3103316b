import { X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "#web/ui/browser/class-names.ts";
import { DialogBoundary } from "#web/ui/dialog/dialog-boundary.tsx";
import { useReturnFocus } from "#web/ui/dialog/return-focus.ts";

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  /** Stays visible below the scrolling body, except in a low window. A submit button here needs `form="id"`. */
  footer?: ReactNode;
  /** Between heading and body, also always visible, such as tabs. */
  above?: ReactNode;
  /** Opens along the right edge at full height, so that what it was opened from stays visible. */
  side?: boolean;
  /** False: Escape and a click outside do nothing, and only a button of its own closes it. */
  closable?: boolean;
  /** In front of every other dialog. */
  front?: boolean;
  /** Nothing of the page behind it can be read. */
  covers?: boolean;
  /** A second column, such as a preview, placed below the first if there is no room. */
  beside?: ReactNode;
  /** The first column has more room, for a table. */
  wide?: boolean;
  children: ReactNode;
};

/**
 * A dialog 600 px wide, or a full-height sheet below 768 px. It traps the focus and returns it afterwards. Escape and a
 * click outside close it, unless it is not `closable`.
 */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  footer,
  above,
  side,
  closable = true,
  front,
  covers,
  beside,
  wide,
  children,
}: Props) {
  const returnFocus = useReturnFocus();
  return (
    <Primitive.Root open={open} onOpenChange={(next) => closable && onOpenChange(next)}>
      <Primitive.Portal>
        {/*
          The overlay places its child: a transform here would trap the position of popovers inside. The top stays
          where it is while the dialog grows: what was under the pointer stays there.
        */}
        <Primitive.Overlay
          className={cx(
            covers ? "bg-paper/85 backdrop-blur-xl" : "bg-(--scrim)",
            "animate-fade fixed inset-0 grid grid-cols-1 items-end print:static print:block print:bg-transparent print:p-0!",
            front ? "z-80" : "z-60",
            side ? "justify-items-end" : "justify-items-center md:items-start md:px-6 md:pt-[6dvh] md:pb-6",
          )}
        >
          <Primitive.Content
            {...returnFocus}
            onEscapeKeyDown={(event) => {
              if (isSearch(event.target)) event.preventDefault();
            }}
            {...(description ? {} : { "aria-describedby": undefined })}
            className={cx(
              "animate-sheet flex w-full flex-col bg-card shadow-dialog outline-none low:block low:overflow-y-auto",
              // On paper it follows the page that it is over, in full.
              "print:block print:h-auto! print:max-h-none! print:max-w-none! print:border-0! print:shadow-none",
              side
                ? "h-dvh md:max-w-[33rem] md:border-l md:border-line"
                : "max-md:h-dvh md:max-h-[calc(94dvh-1.5rem)] md:max-w-[600px] md:rounded-lg",
              Boolean(beside) && (wide ? "lg:max-w-[1240px]" : "lg:max-w-[1084px]"),
            )}
          >
            <header className="flex items-start gap-4 px-4 pt-5 pb-4 md:px-6">
              <div className="min-w-0 flex-1">
                <Primitive.Title className="text-lg font-semibold tracking-tight break-words">
                  {title}
                </Primitive.Title>
                {description && (
                  <Primitive.Description className="mt-1 text-sm text-ink-2">
                    {description}
                  </Primitive.Description>
                )}
              </div>
              {closable && (
                <Primitive.Close
                  aria-label="Close"
                  className="-mt-1.5 -mr-2 grid size-9 shrink-0 place-items-center rounded-md text-ink-2 hover:bg-hover hover:text-ink touch:size-11"
                >
                  <X aria-hidden className="size-4.5" />
                </Primitive.Close>
              )}
            </header>
            <DialogBoundary>
              {above && <div className="px-4 pb-4 md:px-6">{above}</div>}
              {beside ? (
                <div
                  className={cx(
                    "scroll-quiet min-h-0 flex-1 print:overflow-visible low:overflow-visible lg:grid lg:overflow-hidden",
                    wide
                      ? "lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]"
                      : "lg:grid-cols-[600px_minmax(0,1fr)]",
                  )}
                >
                  <div className="scroll-quiet px-4 pt-1 pb-5 md:px-6 lg:min-h-0">{children}</div>
                  <aside className="scroll-quiet border-line bg-paper px-4 py-5 max-lg:border-t md:px-6 lg:min-h-0 lg:border-l">
                    {beside}
                  </aside>
                </div>
              ) : (
                <div className="scroll-quiet min-h-0 flex-1 print:overflow-visible px-4 pt-1 pb-5 low:overflow-visible md:px-6">
                  {children}
                </div>
              )}
              {footer && (
                <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-4 pt-3.5 pb-[max(0.875rem,env(safe-area-inset-bottom))] md:px-6">
                  {footer}
                </footer>
              )}
            </DialogBoundary>
          </Primitive.Content>
        </Primitive.Overlay>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** A search with text in it, which the first Escape clears. */
const isSearch = (target: EventTarget | null) =>
  target instanceof HTMLInputElement && target.type === "search" && target.value !== "";
