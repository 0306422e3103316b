import { useEffect, useEffectEvent, useReducer } from "react";
import type { ComponentType } from "react";
import { latePart } from "#web/ui/late-part.ts";
import { toast } from "#web/ui/toast-store.ts";

type DialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

export type LateDialog<Props> = {
  /** Draws nothing while it is closed or its code is on its way. */
  Dialog: ComponentType<Props>;
  /** Fetches the code before it is asked for. What fails now is fetched again when it is needed. */
  prefetch: () => void;
};

/**
 * A dialog whose code arrives with its first opening, or earlier by `prefetch`. Not React's lazy: that one would
 * show a stand-in even for code that is already here, and the dialog's focus would start in the stand-in.
 */
export function lateDialog<Props extends DialogProps>(
  fetchModule: () => Promise<{ default: ComponentType<Props> }>,
): LateDialog<Props> {
  const part = latePart(async () => (await fetchModule()).default);

  function Dialog(props: Props) {
    const { open, onOpenChange } = props;
    const [, redraw] = useReducer((times: number) => times + 1, 0);
    const giveUp = useEffectEvent(() => {
      toast({
        title: "The dialog could not be loaded",
        description: "It did not arrive from the server. Try again in a moment.",
        variant: "destructive",
      });
      onOpenChange(false);
    });
    useEffect(() => {
      if (!open || part.here) return undefined;
      let gone = false;
      part.load().then(
        () => !gone && redraw(),
        () => !gone && giveUp(),
      );
      return () => {
        gone = true;
      };
    }, [open]);
    return open && part.here ? <part.here {...props} /> : null;
  }

  return { Dialog, prefetch: () => void part.load().catch(() => undefined) };
}
