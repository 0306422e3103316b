import { useBlocker } from "@tanstack/react-router";
import { Confirm } from "#web/ui/confirm.tsx";

type Props = {
  /** Something on the screen is typed and not saved. */
  active: boolean;
  /** What would be lost: "Your details are not saved." */
  what: string;
};

/** Asks before a screen is left on which something is not saved; a closed tab asks in the browser's own words. */
export function LeaveGuard({ active, what }: Props) {
  const blocker = useBlocker({
    // Another search or page of the same screen leaves nothing.
    shouldBlockFn: ({ current, next }) => active && current.pathname !== next.pathname,
    enableBeforeUnload: () => active,
    withResolver: true,
  });
  return (
    <Confirm
      open={blocker.status === "blocked"}
      onOpenChange={(open) => {
        if (!open) blocker.reset?.();
      }}
      title="Leave without saving?"
      description={what}
      confirmLabel="Leave"
      danger
      onConfirm={() => blocker.proceed?.()}
    />
  );
}
