import { useEffect, useEffectEvent, useReducer, type ComponentType } from "react";
import { Dialog as PlainDialog } from "#web/ui/dialog/dialog.tsx";
import { DialogBoundary } from "#web/ui/dialog/dialog-boundary.tsx";
import { lazyPart } from "#web/ui/browser/lazy-part.ts";
import { toast } from "#web/ui/feedback/toast-store.ts";

type DialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

type LazyDialog<Props> = {
  /** Renders nothing while it is closed or its code is loading. */
  Dialog: ComponentType<Props>;
  /** Loads the code ahead of time. A failure is retried when the dialog is opened. */
  prefetch: () => void;
  hasLoaded: () => boolean;
};

/**
 * A dialog whose code is loaded when it is first opened, or earlier by `prefetch`. Not React's `lazy`: it would show a
 * fallback even for code that has loaded, and the dialog's focus would start in the fallback.
 */
export function lazyDialog<Props extends DialogProps>(
  importModule: () => Promise<{ default: ComponentType<Props> }>,
): LazyDialog<Props> {
  const part = lazyPart(async () => (await importModule()).default);

  function Dialog(props: Props) {
    const { open, onOpenChange } = props;
    const [, redraw] = useReducer((times: number) => times + 1, 0);
    const giveUp = useEffectEvent(() => {
      toast({
        title: "We couldn't load the dialog",
        description: "Try again in a moment.",
        variant: "destructive",
      });
      onOpenChange(false);
    });
    useEffect(() => {
      if (!open || part.loaded) return undefined;
      let unmounted = false;
      part.load().then(
        () => !unmounted && redraw(),
        () => !unmounted && giveUp(),
      );
      return () => {
        unmounted = true;
      };
    }, [open]);
    if (!open || !part.loaded) return null;
    return (
      <DialogBoundary
        renderAround={(failure) => (
          <PlainDialog open onOpenChange={onOpenChange} title="Something went wrong">
            {failure}
          </PlainDialog>
        )}
      >
        <part.loaded {...props} />
      </DialogBoundary>
    );
  }

  return {
    Dialog,
    prefetch: () => void part.load().catch(() => undefined),
    hasLoaded: () => part.loaded !== undefined,
  };
}
