import { PageHeader } from "#web/ui/page-header.tsx";

export function DashboardPage() {
  return <PageHeader title="Dashboard" subtitle="Overview of your notification system" />;
}
