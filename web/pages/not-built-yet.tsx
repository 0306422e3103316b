import { Link } from "@tanstack/react-router";
import { Hammer } from "lucide-react";
import type { ReactNode } from "react";
import { buttonClass } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { PageHeader } from "#web/ui/page-header.tsx";

type Props = {
  title: string;
  subtitle?: string;
  plan: string;
  /** The nearest that can be done until then. */
  action?: ReactNode;
};

/** A screen of a later step: its heading, and plainly that it is not there. */
function NotBuiltYet({ title, subtitle, plan, action }: Props) {
  return (
    <>
      <PageHeader title={title} subtitle={subtitle} />
      <Card>
        <EmptyState icon={<Hammer />} title="Not built yet" hint={plan} action={action} />
      </Card>
    </>
  );
}

export function SchedulesPage() {
  return (
    <NotBuiltYet
      title="Schedules"
      plan="Here you will see every planned and past run in a calendar, and change or stop them."
      action={
        <Link to="/notifications" search={{ status: "Scheduled" }} className={buttonClass()}>
          Show what is scheduled
        </Link>
      }
    />
  );
}

export function SettingsPage() {
  return (
    <NotBuiltYet
      title="Settings"
      plan="Here you will set the site name, the logo, the time zone, and the rules for notifications and security."
    />
  );
}

export function IntegrationsPage() {
  return (
    <NotBuiltYet
      title="Integrations"
      plan="Here you will connect push, email and text message providers. Until then, a channel without a provider delivers into the Sandbox."
    />
  );
}

export function HelpPage() {
  return <NotBuiltYet title="Help" plan="Here you will find how each screen works, in plain words." />;
}
