import { useState } from "react";
import type { KeptSchedules } from "#web/features/schedules/schedules-list.tsx";
import type { OfflinePort } from "#web/features/schedules/edit/use-schedule-form.ts";
import { outboxes, tryNow } from "#web/features/outbox/browser.ts";
import type { OutboxRow } from "#web/features/outbox/entry.ts";
import { discardFrom, useOutbox } from "#web/pages/use-unsent.tsx";
import { sessionStore } from "#web/api/session.ts";

const outbox = outboxes.schedules;

/** Where the schedule editor leaves a new schedule that cannot reach the server. */
export const offlineSchedules: OfflinePort = {
  async keep({ clientKey, body, form }) {
    const session = sessionStore.get();
    if (session.state !== "signed-in") return "full";
    return outbox.keep(session.user.id, {
      clientKey,
      call: { to: "schedule", body },
      form,
      plannedFor: null,
    });
  },
  settled: (clientKey) => void outbox.remove(clientKey),
};

/** The unsent schedules of the person who is signed in, the actions for them, and the refused one that is being edited. */
export function useUnsentSchedules(): KeptSchedules & {
  edited: OutboxRow | undefined;
  close: () => void;
} {
  const unsent = useOutbox(outbox);
  // As it was when it was opened: if it is sent or discarded in another tab, the editor stays open.
  const [edited, setEdited] = useState<OutboxRow>();
  return {
    unsent,
    unsentActions: {
      onEdit: ({ localId }) => setEdited(unsent.find((one) => one.localId === localId)),
      onDiscard: (one) => void discardFrom(outbox, one),
      onTryNow: tryNow,
    },
    edited,
    close: () => setEdited(undefined),
  };
}
