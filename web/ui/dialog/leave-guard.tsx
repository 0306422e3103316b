import { useBlocker, useRouter, type AnyRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Confirm } from "#web/ui/dialog/confirm.tsx";
import { guardLeaving } from "#web/ui/dialog/leaving.ts";

type Props = {
  /** The screen has unsaved changes. */
  active: boolean;
  /** What would be lost: "Your details are not saved." */
  what: string;
  /** The search parameters that keep the form open. If one of them changes, what was typed is lost too. */
  heldBy?: readonly string[];
};

/** The search parameters that open a form: a dialog, or one on a tab. */
export const formParameters = ["open", "kind", "edit", "write", "tab"] as const;

/**
 * Asks before leaving a screen with unsaved changes, also by logging out. For a closing tab, the browser asks in its own
 * words.
 */
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
  // Another way to leave than the router's.
  const [leave, setLeave] = useState<() => void>();
  useEffect(() => (active ? guardLeaving((asked) => setLeave(() => asked)) : undefined), [active]);
  return (
    <Confirm
      open={blocker.status === "blocked" || leave !== undefined}
      onOpenChange={(open) => {
        if (open) return;
        blocker.reset?.();
        setLeave(undefined);
      }}
      title="Leave without saving?"
      description={what}
      confirmLabel="Leave"
      danger
      onConfirm={() => {
        blocker.proceed?.();
        leave?.();
        setLeave(undefined);
      }}
    />
  );
}

type Place = { search: Record<string, unknown> };

function differs(name: string, current: Place, next: Place): boolean {
  return current.search[name] !== next.search[name];
}
