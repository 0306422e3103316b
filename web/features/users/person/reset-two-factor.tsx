import { ShieldOff } from "lucide-react";
import { useState } from "react";
import { twoFactor } from "#contract/calls/two-factor.ts";
import { users, type UserDetail } from "#contract/calls/users.ts";
import { CancelledError } from "#web/api/call-errors.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useWrite } from "#web/api/use-write.ts";
import { personName } from "#web/domain/avatar.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { Confirm } from "#web/ui/dialog/confirm.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";

/** For someone who has lost their phone and their recovery codes. */
export function ResetTwoFactor({ person }: { person: UserDetail }) {
  const [open, setOpen] = useState(false);
  const reset = useWrite(twoFactor.reset, { refreshes: [users.detail] });
  const onConfirm = async () => {
    try {
      const { message } = await reset.mutateAsync({ params: { id: person.id } });
      toast({ title: "Two-factor authentication reset", description: message });
    } catch (error) {
      if (error instanceof CancelledError) return;
      toast({
        title: "Two-factor authentication was not reset",
        description: reasonOf(error),
        variant: "destructive",
      });
    }
    setOpen(false);
  };
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-md border border-line px-3.5 py-3 text-sm">
      <p className="min-w-48 flex-1 text-ink-2">Lost phone and no recovery codes left?</p>
      <Button size="sm" icon={<ShieldOff aria-hidden />} onClick={() => setOpen(true)}>
        Reset two-factor
      </Button>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={
          <>
            Reset two-factor authentication for <bdi translate="no">{personName(person)}</bdi>?
          </>
        }
        description="Their authenticator app, passkeys and recovery codes stop working, and they're signed out everywhere. They then sign in with their password alone. Make sure it's really them asking. They get a notice, and the change is logged under your name."
        confirmLabel="Reset"
        danger
        busy={reset.isPending}
        onConfirm={() => void onConfirm()}
      />
    </div>
  );
}
