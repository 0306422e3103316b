import { useNavigate, useSearch } from "@tanstack/react-router";
import { NewNotificationButton } from "#web/features/compose/launcher.tsx";
import { NotificationsList } from "#web/features/notifications/notifications-list.tsx";
import { dialogsOf, type NotificationsSearch } from "#web/pages/page-search.ts";
import { useUnsent } from "#web/pages/use-unsent.tsx";
import type { WriteSearch } from "#web/pages/write-search.ts";
import { PageHeader } from "#web/ui/page/page-header.tsx";
import { useMedia } from "#web/ui/browser/use-media.ts";

export function NotificationsPage() {
  const { edit: _, ...search } = useSearch({ from: "/notifications" });
  const navigate = useNavigate({ from: "/notifications" });
  const { unsent, unsentActions, editDialog } = useUnsent();
  const phone = useMedia("(width < 48rem)");
  const write = <NewNotificationButton />;
  return (
    <>
      <PageHeader
        title="Notifications"
        help="notifications"
        subtitle="Send and manage notifications to tenants and staff"
        actions={phone ? undefined : write}
      />
      <NotificationsList
        search={search}
        onSearch={(next, { replace }) =>
          void navigate({
            search: (now: NotificationsSearch & WriteSearch) => ({ ...dialogsOf(now), ...next }),
            replace,
            resetScroll: false,
          })
        }
        unsent={unsent}
        unsentActions={unsentActions}
        emptyAction={write}
      />
      {phone && (
        // Floats within reach of the thumb. The last card and the footer can be scrolled out from under it.
        <>
          <div className="h-16" />
          <div className="fixed right-4 bottom-[max(1rem,env(safe-area-inset-bottom))] z-20 rounded-md shadow-float">
            {write}
          </div>
        </>
      )}
      {editDialog}
    </>
  );
}
