import { useMemo } from "react";
import { useUser } from "#web/api/session.ts";
import type { ComposeDialogProps } from "#web/features/compose/compose-dialog.tsx";
import { ComposeDialog } from "#web/features/compose/launcher.tsx";
import { outboxes } from "#web/features/outbox/browser.ts";
import { dismissReplaced } from "#web/features/outbox/outbox-sender.tsx";
import { scheduleReads } from "#web/features/schedules/reads.ts";
import type { MissedRun } from "#web/domain/unsent/replaced-runs.ts";
import { useRefresh } from "#web/api/use-read.ts";

type Props = Omit<ComposeDialogProps, "userId" | "offline" | "onSent"> & {
  /** The missed run that it is sent in place of. */
  replaces?: MissedRun | undefined;
};

/** The create dialog, connected to the outbox for notifications that cannot reach the server. */
export function CreateNotification({ replaces, ...props }: Props) {
  const userId = useUser()?.id ?? 0;
  const refresh = useRefresh();
  const offline = useMemo<ComposeDialogProps["offline"]>(
    () => ({
      keep: (pending) => outboxes.notifications.keep(userId, { ...pending, replaces }),
      settled: (clientKey) => void outboxes.notifications.remove(clientKey),
    }),
    [userId, replaces],
  );
  const onSent = replaces && (() => void dismissReplaced(replaces).then(() => refresh(...scheduleReads)));
  return <ComposeDialog {...props} userId={userId} offline={offline} onSent={onSent} />;
}
