import { useMemo } from "react";
import { useUser } from "#web/api/session.ts";
import type { ComposeDialogProps } from "#web/features/compose/compose-dialog.tsx";
import { ComposeDialog } from "#web/features/compose/launcher.tsx";
import { outboxes } from "#web/features/outbox/browser.ts";

type Props = Omit<ComposeDialogProps, "userId" | "offline">;

/** The create dialog, connected to the outbox for notifications that cannot reach the server. */
export function CreateNotification(props: Props) {
  const userId = useUser()?.id ?? 0;
  const offline = useMemo<ComposeDialogProps["offline"]>(
    () => ({
      keep: (pending) => outboxes.notifications.keep(userId, pending),
      settled: (clientKey) => void outboxes.notifications.remove(clientKey),
    }),
    [userId],
  );
  return <ComposeDialog {...props} userId={userId} offline={offline} />;
}
