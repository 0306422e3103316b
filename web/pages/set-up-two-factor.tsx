import { Fingerprint, Smartphone } from "lucide-react";
import { useState } from "react";
import { twoFactor } from "#contract/calls/two-factor.ts";
import { recheckSession } from "#web/api/session.ts";
import { useRead } from "#web/api/use-read.ts";
import { LogOutButton } from "#web/shell/log-out-button.tsx";
import { Explained, SignInLayout } from "#web/features/auth/sign-in-layout.tsx";
import { FactorDialogs, type FactorAction } from "#web/features/two-factor/factor-dialogs.tsx";
import { passkeyObstacle } from "#web/features/two-factor/passkey-obstacle.ts";
import { Button } from "#web/ui/page/button.tsx";
import { usePageTitle } from "#web/ui/page/page-title.ts";

/** For an administrator who needs a second factor and has none: nothing else works before. */
export default function SetUpTwoFactorPage() {
  usePageTitle("Set up two-factor authentication");
  const [action, setAction] = useState<FactorAction>();
  const { data } = useRead(twoFactor.read);
  const obstacle = data && passkeyObstacle(data.passkeyOrigin);

  return (
    <SignInLayout>
      <Explained
        heading={
          <>
            Set up <span className="whitespace-nowrap">two-factor</span> authentication
          </>
        }
        focused
      >
        Administrators need a second step to sign in, so that a stolen password isn't enough. Choose one to
        continue. You can add others on your profile.
      </Explained>
      <div className="flex flex-col gap-3">
        <Button
          variant="ink"
          size="lg"
          icon={<Smartphone aria-hidden />}
          onClick={() => setAction({ type: "set-up-app" })}
        >
          Use an authenticator app
        </Button>
        <Button
          size="lg"
          icon={<Fingerprint aria-hidden />}
          disabled={!data || obstacle !== undefined}
          onClick={() => setAction({ type: "add-passkey" })}
        >
          Use a passkey
        </Button>
        {obstacle && <p className="text-sm text-ink-3">{obstacle}</p>}
        <LogOutButton />
      </div>
      <FactorDialogs action={action} onAction={setAction} onAdded={() => void recheckSession()} />
    </SignInLayout>
  );
}
