import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore, type ReactNode } from "react";
import { isolated } from "#contract/text/isolate.ts";
import { useUser } from "#web/api/session.ts";
import type { KeptHere } from "#web/features/notifications/notification-table.tsx";
import type { Unsent } from "#web/domain/unsent/unsent.ts";
import { outboxes, tryNow } from "#web/features/outbox/browser.ts";
import { rowOf, type OutboxRow } from "#web/features/outbox/entry.ts";
import type { Outbox } from "#web/features/outbox/outbox.ts";
import { CreateNotification } from "#web/pages/create-notification.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";

type PageUnsent = KeptHere & {
  /** The dialog for fixing a refused one. Render it anywhere on the page. */
  editDialog: ReactNode;
};

/** Discards one unless it is being sent, and then says so. */
export async function discardFrom(outbox: Outbox, { clientKey, title }: Unsent): Promise<void> {
  if (await outbox.discard(clientKey)) return;
  toast({
    title: "Not Discarded",
    description: `“${isolated(title)}” is being sent right now. The server may already have it.`,
    variant: "destructive",
  });
}

/** The unsent notifications of the person who is signed in, and the actions for them. */
export function useUnsent(): PageUnsent {
  const unsent = useOutbox(outboxes.notifications);
  const edit = useSearch({ strict: false, select: (search) => search.edit });
  const navigate = useNavigate();
  const show = (localId: number | undefined) =>
    void navigate({
      to: ".",
      search: (screen: object) => ({ ...screen, edit: localId }),
      // Closing leaves no step in the history that would open it again.
      replace: localId === undefined,
      resetScroll: false,
    });
  return {
    unsent,
    unsentActions: {
      onEdit: ({ localId }) => show(localId),
      onDiscard: (one) => void discardFrom(outboxes.notifications, one),
      onTryNow: tryNow,
    },
    editDialog: edit !== undefined && (
      <EditUnsent
        key={edit}
        // One that only waits may be sent at any moment.
        unsent={unsent.find(({ localId, refusal }) => localId === edit && refusal !== null)}
        onClose={() => show(undefined)}
      />
    ),
  };
}

function EditUnsent({ unsent, onClose }: { unsent: OutboxRow | undefined; onClose: () => void }) {
  // Found only once. If it is sent or discarded in another tab, the dialog stays open.
  const [opened] = useState(unsent);
  const closeMissing = useEffectEvent(() => {
    if (!opened) onClose();
  });
  useEffect(() => closeMissing(), []);
  return (
    opened && (
      <CreateNotification
        open
        onOpenChange={onClose}
        initial={opened.form}
        draftName={`unsent ${opened.clientKey}`}
        clientKey={opened.clientKey}
        replaces={opened.replaces}
      />
    )
  );
}

/** What this person has in an outbox of this browser, newest first, the same in every tab. */
export function useOutbox(outbox: Outbox): OutboxRow[] {
  const userId = useUser()?.id ?? 0;
  const entries = useSyncExternalStore(outbox.subscribe, outbox.entries);
  return useMemo(
    () => entries.filter((entry) => entry.userId === userId).map((entry) => rowOf(entry)),
    [entries, userId],
  );
}
