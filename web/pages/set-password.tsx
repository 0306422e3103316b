import { Link2Off } from "lucide-react";
import type { ReactNode } from "react";
import { usePasswordLink } from "#web/features/auth/password-link.ts";
import { SetPasswordForm } from "#web/features/auth/set-password-form.tsx";
import { Explained, SignInLayout } from "#web/features/auth/sign-in-layout.tsx";
import { fetchConsole } from "#web/pages/load-console.ts";
import { buttonClass } from "#web/ui/button.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { usePageTitle } from "#web/ui/page-title.ts";
import { Spinner } from "#web/ui/spinner.tsx";

/** Behind a one-time link: whose account it opens, and the form for its password. */
export default function SetPasswordPage({ token }: { token: string }) {
  usePageTitle("Set your password");
  const [link, diedOf] = usePasswordLink(token);
  return (
    <SignInLayout>
      {link.state === "loading" && (
        <div className="grid h-72 place-items-center text-ink-3">
          <Spinner label="Loading..." className="size-6" />
        </div>
      )}
      {link.state === "failed" && (
        <ErrorState
          title="We couldn’t check this link"
          detail={link.reason}
          onRetry={() => window.location.reload()}
        />
      )}
      {link.state === "dead" && <DeadLink reason={link.reason} />}
      {link.state === "good" && (
        <>
          <Explained heading={`Welcome, ${link.owner.firstName}`}>
            Choose a password for your account. Your username is{" "}
            <strong className="font-semibold break-all text-ink">{link.owner.username}</strong>.
          </Explained>
          <SetPasswordForm token={token} owner={link.owner} onAttempt={fetchConsole} onFailed={diedOf} />
          <p className="mt-5 text-sm text-ink-3">
            The link works once. Anyone signed in to this account elsewhere will have to sign in again.
          </p>
        </>
      )}
    </SignInLayout>
  );
}

function DeadLink({ reason }: { reason: ReactNode }) {
  return (
    <div role="alert">
      <span aria-hidden className="mb-4 grid size-11 place-items-center rounded-lg bg-sunk text-ink-3">
        <Link2Off className="size-5" />
      </span>
      <Explained heading="This link does not work">{reason}</Explained>
      <p className="text-ink-2">
        A link works once, for up to 24 hours. If you already set your password with it, sign in with that.
      </p>
      <a href="/auth" className={`${buttonClass({ size: "lg" })} mt-6 w-full`}>
        Go to sign in
      </a>
    </div>
  );
}
