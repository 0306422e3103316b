import { PageHeader } from "#web/ui/page-header.tsx";

export function NotificationsPage() {
  return <PageHeader title="Notifications" />;
}
