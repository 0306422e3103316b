import { useState } from "react";
import { profileCalls } from "#contract/calls/profile.ts";
import { twoFactor, type Passkey } from "#contract/calls/two-factor.ts";
import { CancelledError } from "#web/api/call-errors.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useWrite } from "#web/api/use-write.ts";
import type { PasskeyDialogProps } from "#web/features/two-factor/passkey-dialog.tsx";
import { RecoveryCodes } from "#web/features/two-factor/recovery-codes.tsx";
import { Confirm } from "#web/ui/dialog/confirm.tsx";
import { lazyDialog } from "#web/ui/dialog/lazy-dialog.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";

const passkey = lazyDialog<PasskeyDialogProps>(() => import("#web/features/two-factor/passkey-dialog.tsx"));
const setUpApp = lazyDialog(() => import("#web/features/two-factor/set-up-app.tsx"));

export type FactorAction =
  | { type: "set-up-app" | "remove-app" | "add-passkey" | "new-codes" }
  | { type: "rename-passkey" | "remove-passkey"; passkey: Passkey };

type Props = {
  action: FactorAction | undefined;
  onAction: (action: FactorAction | undefined) => void;
  /** A factor was added, and its recovery codes were seen. */
  onAdded?: () => void;
};

/** The dialog for adding, renaming or removing a factor. After the first one, it shows the recovery codes. */
export function FactorDialogs({ action, onAction, onAdded }: Props) {
  const [codes, setCodes] = useState<string[]>();
  const close = () => onAction(undefined);
  const done = (made: string[] | null) => {
    close();
    if (made) setCodes(made);
    else onAdded?.();
  };
  if (codes) {
    return (
      <RecoveryCodes
        codes={codes}
        onClose={() => {
          setCodes(undefined);
          onAdded?.();
        }}
      />
    );
  }
  switch (action?.type) {
    case undefined:
      return null;
    case "set-up-app":
      return <setUpApp.Dialog open onOpenChange={close} onDone={done} />;
    case "add-passkey":
      return <passkey.Dialog open onOpenChange={close} onDone={done} />;
    case "rename-passkey":
      return <passkey.Dialog open passkey={action.passkey} onOpenChange={close} onDone={close} />;
    case "remove-app":
    case "remove-passkey":
      return <Remove passkey={"passkey" in action ? action.passkey : undefined} onClose={close} />;
    case "new-codes":
      return <NewCodes onClose={close} onDone={done} />;
  }
}

/** Asks before the app or a passkey is removed. */
function Remove({ passkey, onClose }: { passkey: Passkey | undefined; onClose: () => void }) {
  const options = { refreshes: [twoFactor.read, profileCalls.sessions] };
  const removeApp = useWrite(twoFactor.removeApp, options);
  const removePasskey = useWrite(twoFactor.removePasskey, options);

  async function remove() {
    try {
      const { message } = passkey
        ? await removePasskey.mutateAsync({ params: { id: passkey.id } })
        : await removeApp.mutateAsync({});
      toast({ title: passkey ? "Passkey removed" : "Authenticator app removed", description: message });
    } catch (error) {
      if (error instanceof CancelledError) return;
      toast({ title: "It was not removed", description: reasonOf(error), variant: "destructive" });
    }
    onClose();
  }

  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={
        passkey ? (
          <>
            Remove “<bdi translate="no">{passkey.name}</bdi>”?
          </>
        ) : (
          "Remove your authenticator app?"
        )
      }
      description={`You won't be able to sign in with it anymore. If it's your only one, two-factor authentication turns off. You'll be signed out everywhere else.`}
      confirmLabel="Remove"
      danger
      busy={removeApp.isPending || removePasskey.isPending}
      onConfirm={() => void remove()}
    />
  );
}

type NewCodesProps = { onClose: () => void; onDone: (codes: string[]) => void };

/** Asks before the recovery codes that someone has saved stop working. */
function NewCodes({ onClose, onDone }: NewCodesProps) {
  const renew = useWrite(twoFactor.newRecoveryCodes, { refreshes: [twoFactor.read] });
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title="Make new recovery codes?"
      description="The ones you saved before stop working."
      confirmLabel="Make new codes"
      busy={renew.isPending}
      onConfirm={() =>
        renew.mutate(
          {},
          {
            onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
            onError: (error) => {
              if (error instanceof CancelledError) return;
              toast({ title: "No codes were made", description: error.message, variant: "destructive" });
              onClose();
            },
          },
        )
      }
    />
  );
}
