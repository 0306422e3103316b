import { useState } from "react";
import { profileCalls } from "#contract/calls/profile.ts";
import { useMay } from "#web/api/session.ts";
import { useRead } from "#web/api/use-read.ts";
import { DetailsForm } from "#web/features/profile/details-form.tsx";
import { PasswordForm } from "#web/features/profile/password-form.tsx";
import { Preferences } from "#web/features/profile/preferences.tsx";
import { PushBrowsers } from "#web/features/profile/push-browsers.tsx";
import { Sessions } from "#web/features/profile/sessions.tsx";
import { TwoFactorCard } from "#web/features/two-factor/two-factor-card.tsx";
import { Card } from "#web/ui/page/card.tsx";
import { ErrorState } from "#web/ui/feedback/error-state.tsx";
import { LeaveGuard } from "#web/ui/dialog/leave-guard.tsx";
import { PageHeader } from "#web/ui/page/page-header.tsx";
import { Section } from "#web/ui/page/section.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";

/** Your own details, channels, password and sessions. */
export function ProfilePage() {
  const { data, error, isFetching, refetch } = useRead(profileCalls.read, {}, { fresh: true });
  const push = useRead(profileCalls.pushBrowsers, {}, { fresh: true });
  const inConsole = useMay("console");
  const [details, setDetails] = useState(false);
  const [password, setPassword] = useState(false);
  const what = details ? "The changes to your details will be lost." : "The new password won't be set.";
  return (
    <>
      <PageHeader
        title="My Profile"
        subtitle="Your details, password and preferences"
        help={inConsole ? "your-profile" : "profile"}
      />
      {!data && error && (
        <Card>
          <ErrorState
            title="Error loading your profile"
            detail={error.message}
            busy={isFetching}
            onRetry={() => void refetch()}
          />
        </Card>
      )}
      {!data && !error && <ProfileSkeleton />}
      {data && (
        <div className="flex flex-col gap-9">
          <Section title="Details" hint="Your name and how to reach you. Managers and staff see this too.">
            <DetailsForm profile={data} onUnsaved={setDetails} />
          </Section>
          <Section
            title="Preferences"
            anchor="preferences"
            hint="How you want to get notices. Changes apply immediately."
          >
            <Preferences profile={data} />
          </Section>
          {push.data?.publicKey && (
            <Section title="Notifications" hint="Notices on this device, once you turn them on here.">
              <PushBrowsers {...push.data} publicKey={push.data.publicKey} allowed={data.receivePush} />
            </Section>
          )}
          <Section title="Password" anchor="password" hint="Changing it signs out every other browser.">
            <PasswordForm profile={data} onUnsaved={setPassword} />
          </Section>
          <Section
            title="Two-factor authentication"
            hint="A second step when you sign in, so that a stolen password isn't enough."
          >
            <TwoFactorCard />
          </Section>
          <Section title="Sessions" hint="Where you're signed in.">
            <Sessions />
          </Section>
        </div>
      )}
      <LeaveGuard active={details || password} what={what} />
    </>
  );
}

function ProfileSkeleton() {
  return (
    <>
      <output className="sr-only">Loading...</output>
      <div aria-hidden className="flex flex-col gap-9">
        {["h-72", "h-56", "h-64"].map((height) => (
          <div key={height} className="grid gap-x-10 gap-y-3 lg:grid-cols-[16rem_minmax(0,1fr)]">
            <div className="flex flex-col gap-2">
              <Skeleton className="h-5 w-28" />
              <Skeleton className="h-4 w-48" />
            </div>
            <Skeleton className={`${height} rounded-lg`} />
          </div>
        ))}
      </div>
    </>
  );
}
