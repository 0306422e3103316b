import { useState } from "react";
import { reasonOf } from "#web/api/reason-of.ts";
import { OneTimeLink } from "#web/features/auth/one-time-link.tsx";
import { Explained } from "#web/features/auth/sign-in-layout.tsx";
import { confirmAddress, type OwnerOf } from "#web/features/auth/use-one-time-link.ts";
import { Button, buttonClass } from "#web/ui/page/button.tsx";
import { usePageTitle } from "#web/ui/page/page-title.ts";
import { toast } from "#web/ui/feedback/toast-store.ts";

const spoken = { email: "email address", phone: "phone number" };

type Props = { token: string };

/** The page of a one-time link that confirms an email address or a phone number. It requires a click, because mail scanners follow links. */
export default function ConfirmEmailPage({ token }: Props) {
  usePageTitle("Confirm your address");
  return (
    <OneTimeLink
      purpose="confirmation"
      token={token}
      deadHint="A link works once, for up to 24 hours. If you already confirmed with it, you're all set."
    >
      {(owner, isDeadLink) => <Confirm token={token} owner={owner} onFailed={isDeadLink} />}
    </OneTimeLink>
  );
}

type ConfirmProps = Props & { owner: OwnerOf<"confirmation">; onFailed: (error: unknown) => boolean };

function Confirm({ token, owner: { siteName, username, field, address }, onFailed }: ConfirmProps) {
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<string>();

  async function confirm() {
    setBusy(true);
    try {
      setDone(await confirmAddress(token));
      // The link has been used up, so not even Back should lead to it.
      window.history.replaceState(null, "", "/");
    } catch (error) {
      if (onFailed(error)) return;
      const description = reasonOf(error);
      toast({ title: `The ${spoken[field]} was not confirmed`, description, variant: "destructive" });
    }
    setBusy(false);
  }

  if (done !== undefined) {
    return (
      <output className="block">
        <Explained heading="Thank you">{done}</Explained>
        <a href="/" className={`${buttonClass({ variant: "ink", size: "lg" })} w-full`}>
          Continue
        </a>
      </output>
    );
  }
  return (
    <>
      <Explained heading={`Confirm your ${spoken[field]}`}>
        At <bdi translate="no">{siteName}</bdi>, someone with the username{" "}
        <strong className="font-semibold break-all text-ink">
          <bdi translate="no">{username}</bdi>
        </strong>{" "}
        entered the {spoken[field]}{" "}
        <strong className="font-semibold break-all text-ink">
          <bdi translate="no">{address}</bdi>
        </strong>
        .
      </Explained>
      <Button variant="ink" size="lg" className="w-full" busy={busy} onClick={() => void confirm()}>
        Yes, that was me
      </Button>
      <p className="mt-5 text-sm text-ink-3">If it wasn't you, close this page. Nothing will change.</p>
    </>
  );
}
