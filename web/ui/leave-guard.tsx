import { useBlocker, useRouter, type AnyRouter } from "@tanstack/react-router";
import { Confirm } from "#web/ui/confirm.tsx";

type Props = {
  /** The screen has unsaved changes. */
  active: boolean;
  /** What would be lost: "Your details are not saved." */
  what: string;
  /** The search parameters that keep the form open. If one of them changes, what was typed is lost too. */
  heldBy?: readonly string[];
};

/** The search parameters that open a form: a dialog, or one on a tab. */
export const formParameters = ["open", "edit", "write", "tab"] as const;

/** Asks before leaving a screen with unsaved changes. For a closing tab, the browser asks in its own words. */
export function LeaveGuard(props: Props) {
  // Before two-factor authentication is set up, there are no screens to leave.
  const router = useRouter({ warn: false }) as AnyRouter | null;
  return router && <Guard {...props} />;
}

function Guard({ active, what, heldBy = [] }: Props) {
  const blocker = useBlocker({
    // Another search or page on the same screen is not leaving.
    shouldBlockFn: ({ current, next }) =>
      active && (current.pathname !== next.pathname || heldBy.some((name) => differs(name, current, next))),
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

type Place = { search: Record<string, unknown> };

function differs(name: string, current: Place, next: Place): boolean {
  return current.search[name] !== next.search[name];
}
