import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Lock, ScrollText } from "lucide-react";
import { Suspense } from "react";
import type { ReplyOf } from "#contract/endpoint.ts";
import { settings } from "#contract/calls/settings.ts";
import { useMay } from "#web/api/session.ts";
import { useRead } from "#web/api/use-read.ts";
import { useStoredLogo } from "#web/domain/company-logo.ts";
import { GeneralTab, useGeneralForm } from "#web/features/settings/general-tab.tsx";
import { NotificationsTab, useNotificationsForm } from "#web/features/settings/notifications-tab.tsx";
import { useSecurityForm } from "#web/features/settings/security-form.ts";
import { lazyComponent } from "#web/ui/browser/lazy-component.tsx";
import { Banner } from "#web/ui/feedback/banner.tsx";
import { buttonClass } from "#web/ui/page/button.tsx";
import { LeaveGuard } from "#web/ui/dialog/leave-guard.tsx";
import { PageHeader } from "#web/ui/page/page-header.tsx";
import { ReadStates } from "#web/ui/feedback/read-states.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { Tab, TabList, TabPanel, Tabs } from "#web/ui/page/tabs.tsx";

const SecurityTab = lazyComponent(() => import("#web/features/settings/security-tab.tsx"));

export function SettingsPage() {
  const list = useRead(settings.list);
  const logo = useStoredLogo();
  const states = { failed: "Error loading settings", skeleton: <LoadingSettings />, card: true };
  const mayReadAudit = useMay("audit:read");
  return (
    <>
      <PageHeader
        title="Settings"
        help="settings"
        subtitle="How Porchlight works for your team"
        actions={
          mayReadAudit && (
            <Link to="/settings/audit" className={buttonClass()}>
              <ScrollText aria-hidden className="size-4" />
              Audit Log
            </Link>
          )
        }
      />
      <ReadStates read={list} {...states}>
        {(stored) => (
          <ReadStates read={logo} {...states}>
            {({ value }) => <SettingsTabs stored={stored} logo={String(value)} />}
          </ReadStates>
        )}
      </ReadStates>
    </>
  );
}

type Props = { stored: ReplyOf<typeof settings.list>; logo: string };

/** The forms live here rather than in their tabs, so that another tab can be looked at in between. */
function SettingsTabs({ stored, logo }: Props) {
  const { tab = "general" } = useSearch({ from: "/settings" });
  const navigate = useNavigate({ from: "/settings" });
  const mayChange = useMay("settings:write");
  const general = useGeneralForm({ ...stored, companyLogo: logo });
  const notifications = useNotificationsForm(stored);
  const security = useSecurityForm(stored);
  const tabs = [
    { value: "general", label: "General", changed: general.changed.length > 0 },
    { value: "notifications", label: "Notifications", changed: notifications.changed.length > 0 },
    { value: "security", label: "Security", changed: security.changed.length > 0 },
  ];
  return (
    <>
      <Tabs
        value={tab}
        onValueChange={(next) =>
          void navigate({ search: next === "notifications" || next === "security" ? { tab: next } : {} })
        }
      >
        <TabList aria-label="Settings" className="mb-6 md:w-fit md:*:min-w-32">
          {tabs.map(({ value, label, changed }) => (
            <Tab key={value} value={value}>
              {label}
              {changed && value !== tab && (
                <>
                  <span aria-hidden className="ml-2 inline-block size-2 rounded-full bg-lamp align-middle" />
                  <span className="sr-only"> (not saved)</span>
                </>
              )}
            </Tab>
          ))}
        </TabList>
        {!mayChange && (
          <div className="mb-6">
            <Banner tone="info" icon={<Lock />} title="You can see the settings, but not change them.">
              Ask an administrator to change a setting.
            </Banner>
          </div>
        )}
        <TabPanel value="general">
          <GeneralTab
            tab={general}
            stored={stored}
            mayChange={mayChange}
            timeZoneData={stored.timeZoneData}
          />
        </TabPanel>
        <TabPanel value="notifications">
          <NotificationsTab tab={notifications} mayChange={mayChange} publicAddress={stored.publicAddress} />
        </TabPanel>
        <TabPanel value="security">
          <Suspense fallback={<LoadingSettings />}>
            <SecurityTab tab={security} mayChange={mayChange} />
          </Suspense>
        </TabPanel>
      </Tabs>
      <LeaveGuard
        active={tabs.some(({ changed }) => changed)}
        what="Your changes to the settings will be lost."
      />
    </>
  );
}

function LoadingSettings() {
  return (
    <div aria-hidden className="flex flex-col gap-6">
      <Skeleton className="h-10 max-w-96 rounded-md" />
      <Skeleton className="h-72 rounded-lg" />
      <Skeleton className="h-28 rounded-lg" />
    </div>
  );
}
