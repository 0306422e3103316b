import { useState } from "react";
import { useSession } from "#web/api/session.ts";
import { useAuthState } from "#web/features/auth/auth-state.ts";
import { LoginForm } from "#web/features/auth/login-form.tsx";
import { passkeysWorkHere } from "#web/features/auth/passkey-sign-in.ts";
import { SecondStep, type PendingSignIn } from "#web/features/auth/second-step.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";

type Props = { open: boolean; onOpenChange: (open: boolean) => void };

/**
 * Signing in over a page whose session is over, so that nothing on it is lost. It covers the page, because whoever is
 * here now may be someone else. Closing it gives the page up.
 */
export default function SignInAgain({ open, onOpenChange }: Props) {
  const session = useSession();
  const passkeysWork = passkeysWorkHere(useAuthState()?.passkeyOrigin);
  const [pending, setPending] = useState<PendingSignIn>();
  if (session.state !== "signed-in") return null;
  const { user, ended } = session;
  return (
    <Dialog
      open={open}
      front
      covers
      closable={false}
      onOpenChange={onOpenChange}
      title="Sign in again"
      description={
        <>
          <span>{ended}</span> <span>What you typed is still here.</span>
        </>
      }
      footer={
        <>
          <p className="mr-auto text-sm text-ink-2">
            <span>Not </span>
            <bdi translate="no">{user.firstName}</bdi>
            <span>? What was typed here is then lost.</span>
          </p>
          <Button onClick={() => onOpenChange(false)}>Leave this page</Button>
        </>
      }
    >
      <div className="mx-auto max-w-[23.75rem] py-2">
        {pending ? (
          <SecondStep {...pending} passkeysWork={passkeysWork} onBack={() => setPending(undefined)} />
        ) : (
          <LoginForm again={user.username} onSecondStep={setPending} passkeysWork={passkeysWork} />
        )}
      </div>
    </Dialog>
  );
}
