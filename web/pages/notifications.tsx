import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useUser } from "#web/api/session.ts";
import { NewNotificationButton } from "#web/features/compose/launcher.tsx";
import { NotificationsList } from "#web/features/notifications/notifications-list.tsx";
import { outbox, tryNow } from "#web/features/outbox/browser.ts";
import type { OutboxRow } from "#web/features/outbox/row.ts";
import { useOutbox } from "#web/features/outbox/use-outbox.ts";
import { CreateNotification } from "#web/pages/create-notification.tsx";
import { PageHeader } from "#web/ui/page-header.tsx";
import { useMedia } from "#web/ui/use-media.ts";

export function NotificationsPage() {
  const search = useSearch({ from: "/notifications" });
  const navigate = useNavigate({ from: "/notifications" });
  const unsent = useOutbox(useUser()?.id ?? 0);
  const [composing, setComposing] = useState(false);
  const [mending, setMending] = useState<OutboxRow>();
  const phone = useMedia("(width < 48rem)");
  const write = <NewNotificationButton onClick={() => setComposing(true)} />;
  return (
    <>
      <PageHeader
        title="Notifications"
        subtitle="Send and manage notifications to tenants and staff"
        actions={phone ? undefined : write}
      />
      <NotificationsList
        search={search}
        onSearch={(next, { replace }) => void navigate({ search: next, replace, resetScroll: !replace })}
        unsent={unsent}
        unsentActions={{
          onEdit: ({ clientKey }) => setMending(unsent.find((one) => one.clientKey === clientKey)),
          onDiscard: ({ clientKey }) => void outbox.remove(clientKey),
          onTryNow: tryNow,
        }}
        emptyAction={write}
      />
      {phone && (
        // Floats where the thumb is; the last card and the footer can be scrolled clear of it.
        <>
          <div className="h-16" />
          <div className="fixed right-4 bottom-[max(1rem,env(safe-area-inset-bottom))] z-20 rounded-md shadow-float">
            {write}
          </div>
        </>
      )}
      <CreateNotification open={composing} onOpenChange={setComposing} />
      {mending && (
        <CreateNotification
          open
          onOpenChange={() => setMending(undefined)}
          initial={mending.form}
          draftName={`unsent ${mending.clientKey}`}
          clientKey={mending.clientKey}
        />
      )}
    </>
  );
}
