import { Plus } from "lucide-react";
import { useEffect, useEffectEvent, useReducer } from "react";
import type { ComponentType } from "react";
import type { ComposeDialogProps } from "#web/features/compose/compose-dialog.tsx";
import { Button } from "#web/ui/button.tsx";
import type { ButtonProps } from "#web/ui/button.tsx";
import { toast } from "#web/ui/toast-store.ts";

// Not React's lazy: that one would show a stand-in even for code that is already here, and the dialog's focus
// would start in the stand-in.
let Loaded: ComponentType<ComposeDialogProps> | undefined;
const load = async () => {
  Loaded = (await import("#web/features/compose/compose-dialog.tsx")).default;
};

/** Fetches the dialog's code before it is asked for. What fails now is fetched again when it is needed. */
export function prefetchCompose() {
  load().catch(() => undefined);
}

/** The create dialog. Its code arrives with the first opening, or before where a button prefetches it. */
export function ComposeDialog(props: ComposeDialogProps) {
  const { open, onOpenChange } = props;
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const giveUp = useEffectEvent(() => {
    toast({
      title: "The dialog could not be loaded",
      description: "The server cannot be reached. Try again when the connection is back.",
      variant: "destructive",
    });
    onOpenChange(false);
  });
  useEffect(() => {
    if (!open || Loaded) return undefined;
    let gone = false;
    load().then(
      () => !gone && redraw(),
      () => !gone && giveUp(),
    );
    return () => {
      gone = true;
    };
  }, [open]);
  return open && Loaded ? <Loaded {...props} /> : null;
}

/** "New Notification": loads the dialog's code while the page rests, at the latest when the pointer comes near. */
export function NewNotificationButton(props: Omit<ButtonProps, "children" | "icon" | "variant">) {
  useEffect(() => {
    // Not every browser knows when it is idle; a moment after the page is as good.
    const timer = setTimeout(prefetchCompose, 2000);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Button
      {...props}
      variant="ink"
      icon={<Plus aria-hidden />}
      onPointerEnter={prefetchCompose}
      onFocus={prefetchCompose}
    >
      New Notification
    </Button>
  );
}
