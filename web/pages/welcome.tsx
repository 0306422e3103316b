import { Link, Navigate, useNavigate } from "@tanstack/react-router";
import { dashboard } from "#contract/calls/dashboard.ts";
import { settings } from "#contract/calls/settings.ts";
import { useUser } from "#web/api/session.ts";
import { useRead } from "#web/api/use-read.ts";
import { useStoredLogo } from "#web/domain/company-logo.ts";
import { FirstRunForm } from "#web/features/settings/first-run/first-run-form.tsx";
import { UserMenu } from "#web/shell/user-menu.tsx";
import { ReadStates } from "#web/ui/feedback/read-states.tsx";
import { SpinnerPage } from "#web/ui/feedback/spinner.tsx";
import { LampMark } from "#web/ui/page/brand.tsx";
import { buttonClass } from "#web/ui/page/button.tsx";
import { usePageTitle } from "#web/ui/page/page-title.ts";

/** Once, after the first account is created, or later from the dashboard's first steps: who tenants hear from. */
export function WelcomePage() {
  usePageTitle("Welcome");
  const steps = useRead(dashboard.read, {}, { fresh: true });
  const list = useRead(settings.list);
  const logo = useStoredLogo();
  const person = useUser();
  const navigate = useNavigate();
  const states = { failed: "Error loading settings", skeleton: <SpinnerPage /> };
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-15 shrink-0 items-center gap-2 border-b border-line bg-paper px-4 sm:px-8 lg:px-[clamp(2rem,4vw,3.5rem)]">
        <p className="mr-auto flex items-center gap-2.5 font-semibold tracking-tight">
          <LampMark />
          Porchlight
        </p>
        <Link to="/" className={buttonClass({ variant: "ghost" })}>
          Skip for now
        </Link>
        <UserMenu />
      </header>
      <main id="main" tabIndex={-1} className="flex flex-1 flex-col outline-none">
        <ReadStates read={steps} {...states}>
          {({ firstSteps }) =>
            !firstSteps || firstSteps.introduced ? (
              <Navigate to="/" replace />
            ) : (
              <ReadStates read={list} {...states}>
                {(stored) => (
                  <ReadStates read={logo} {...states}>
                    {({ value }) =>
                      person && (
                        <FirstRunForm
                          person={person}
                          stored={{ ...stored, companyLogo: String(value) }}
                          canLoadSample={firstSteps.canLoadSample}
                          onDone={() => void navigate({ to: "/" })}
                        />
                      )
                    }
                  </ReadStates>
                )}
              </ReadStates>
            )
          }
        </ReadStates>
      </main>
    </div>
  );
}
