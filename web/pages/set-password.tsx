import { isolated } from "#contract/text/isolate.ts";
import { OneTimeLink } from "#web/features/auth/one-time-link.tsx";
import { SetPasswordForm } from "#web/features/auth/set-password-form.tsx";
import { Explained } from "#web/features/auth/sign-in-layout.tsx";
import { fetchConsole } from "#web/pages/load-console.ts";
import { usePageTitle } from "#web/ui/page/page-title.ts";

/** The page of a one-time link: whose account it is, and the form for the password. */
export default function SetPasswordPage({ token }: { token: string }) {
  usePageTitle("Set your password");
  return (
    <OneTimeLink
      purpose="password"
      token={token}
      deadHint="A link works once, for up to 24 hours. If you already set your password with it, sign in with that."
    >
      {(owner, isDeadLink) => (
        <>
          <Explained heading={`Welcome, ${isolated(owner.firstName)}`}>
            Choose a password for your account at <bdi translate="no">{owner.siteName}</bdi>. Your username is{" "}
            <strong className="font-semibold break-all text-ink">
              <bdi translate="no">{owner.username}</bdi>
            </strong>
            .
          </Explained>
          <SetPasswordForm token={token} owner={owner} onAttempt={fetchConsole} onFailed={isDeadLink} />
          <p className="mt-5 text-sm text-ink-3">
            The link works once. Anyone signed in to this account elsewhere will have to sign in again.
          </p>
        </>
      )}
    </OneTimeLink>
  );
}
