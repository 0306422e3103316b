import { PageHeader } from "#web/ui/page-header.tsx";

export function NotificationPage() {
  return <PageHeader title="Notification" />;
}
