import { zodResolver } from "@hookform/resolvers/zod";
import { QRCodeSVG } from "qrcode.react";
import { useEffect, useEffectEvent, useId, useState } from "react";
import type { ReplyOf } from "#contract/endpoint.ts";
import { profileCalls } from "#contract/calls/profile.ts";
import { appCodeForm, twoFactor } from "#contract/calls/two-factor.ts";
import { call } from "#web/api/client.ts";
import { CancelledError } from "#web/api/call-errors.ts";
import { useSave } from "#web/domain/save/use-save.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { Spinner } from "#web/ui/feedback/spinner.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** It is on. The first factor comes with recovery codes. */
  onDone: (recoveryCodes: string[] | null) => void;
};

const resolver = zodResolver(appCodeForm);

/** Shows an authenticator app what it needs, and turns it on with the first code from it. */
export default function SetUpApp({ open, onOpenChange, onDone }: Props) {
  const id = useId();
  const [made, setMade] = useState<ReplyOf<typeof twoFactor.beginApp>>();
  const giveUp = useEffectEvent((error: Error) => {
    onOpenChange(false);
    if (error instanceof CancelledError) return;
    toast({
      title: "Two-factor authentication is not set up",
      description: error.message,
      variant: "destructive",
    });
  });
  useEffect(() => {
    let left = false;
    call(twoFactor.beginApp).then(
      (reply) => !left && setMade(reply),
      (error: Error) => !left && giveUp(error),
    );
    return () => {
      left = true;
    };
  }, []);
  const form = useCheckedForm({ resolver, defaultValues: { code: "" } });
  const saving = useSave({
    form,
    refreshes: [twoFactor.read, profileCalls.sessions],
    save: (body) => call(twoFactor.confirmApp, { body }),
    saved: () => ({
      title: "Authenticator app added",
      description: "You'll need a code from it when you sign in.",
    }),
    failed: (description) => ({ title: "The app was not added", description }),
    fieldsOnly: true,
    onSaved: ({ recoveryCodes }) => onDone(recoveryCodes),
  });

  useEffect(() => {
    if (made) form.setFocus("code");
  }, [made, form]);

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Set up an authenticator app"
      description="Any app for one-time codes works, such as Google Authenticator, Microsoft Authenticator or your password manager."
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button variant="ink" type="submit" form={id} busy={saving.saving} disabled={!made}>
            Turn on
          </Button>
        </>
      }
    >
      {made ? (
        <form id={id} {...saving.form} autoComplete="off" className="flex flex-col gap-5">
          <div className="flex flex-col items-center gap-5 sm:flex-row sm:items-start">
            {/* White in the dark as well: cameras need the contrast. */}
            <QRCodeSVG
              value={made.uri}
              size={176}
              marginSize={2}
              title="QR code for your authenticator app"
              className="shrink-0 rounded-md border border-line"
            />
            <div className="min-w-0 text-sm text-ink-2">
              <p>Scan the code with the app. If you can't, type this key into it instead:</p>
              <p
                translate="no"
                className="mt-2 rounded-md bg-sunk px-3 py-2 font-mono text-base break-words text-ink"
              >
                {made.secret.match(/.{1,4}/g)?.join(" ")}
              </p>
            </div>
          </div>
          <Field
            label="Code"
            hint="The 6 digits that the app shows now."
            error={form.formState.errors.code?.message}
            required
          >
            {(wiring) => (
              <Input
                {...wiring}
                {...form.register("code")}
                inputMode="numeric"
                autoComplete="one-time-code"
                className="max-w-48"
              />
            )}
          </Field>
        </form>
      ) : (
        <div className="grid h-56 place-items-center text-ink-3">
          <Spinner label="Loading..." className="size-6" />
        </div>
      )}
    </Dialog>
  );
}
