import type { Endpoint } from "#contract/endpoint.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useRefresh } from "#web/api/use-read.ts";
import { toast, type ToastInput } from "#web/ui/feedback/toast-store.ts";

type Undo = {
  /** The call that reverses what was just done. */
  make: () => Promise<unknown>;
  /** Reads that it makes stale. */
  refreshes: readonly Endpoint[];
  /** The toast afterwards. */
  done: Pick<ToastInput, "title" | "description">;
};

/**
 * The Undo button of a toast. Everything that can be undone goes through here: the server has a call that truly reverses
 * it. What is deleted for good is asked about beforehand instead.
 */
export function useUndo() {
  const refresh = useRefresh();
  return ({ make, refreshes, done }: Undo): NonNullable<ToastInput["action"]> => ({
    label: "Undo",
    onClick() {
      const refused = (error: unknown) =>
        toast({
          title: "Not undone",
          description: reasonOf(error),
          variant: "destructive",
        });
      void make()
        .then(() => toast(done), refused)
        // Also after a failure, because someone else may have been faster.
        .finally(() => void refresh(...refreshes));
    },
  });
}
