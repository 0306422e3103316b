import { zodResolver } from "@hookform/resolvers/zod";
import { useId } from "react";
import { profileCalls } from "#contract/calls/profile.ts";
import { passkeyForm, twoFactor, type Passkey } from "#contract/calls/two-factor.ts";
import { call } from "#web/api/client.ts";
import { useDiscardQuestion } from "#web/domain/save/use-discard-question.tsx";
import { useSave } from "#web/domain/save/use-save.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";

export type PasskeyDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The one to rename; without one, the browser makes a new one. */
  passkey?: Passkey | undefined;
  /** With a first factor come recovery codes. */
  onDone: (recoveryCodes: string[] | null) => void;
};

const resolver = zodResolver(passkeyForm);

/** A passkey's name; for a new one, the browser then asks for a finger, a face or a PIN. */
export default function PasskeyDialog({ open, onOpenChange, passkey, onDone }: PasskeyDialogProps) {
  const id = useId();
  const form = useCheckedForm({ resolver, defaultValues: { name: passkey?.name ?? "" } });
  const saving = useSave({
    form,
    refreshes: [twoFactor.read, profileCalls.sessions],
    save: async ({ name }) => {
      if (!passkey) return addPasskey(name);
      await call(twoFactor.renamePasskey, { params: { id: passkey.id }, body: { name } });
      return { recoveryCodes: null };
    },
    saved: () =>
      passkey
        ? { title: "Passkey renamed" }
        : { title: "Passkey added", description: "You can sign in with it from now on." },
    failed: (description) => ({
      title: passkey ? "The passkey was not renamed" : "The passkey was not added",
      description,
    }),
    fieldsOnly: true,
    onSaved: ({ recoveryCodes }) => onDone(recoveryCodes),
  });
  const { close, question } = useDiscardQuestion({
    unsaved: saving.unsaved,
    busy: saving.saving,
    onClose: () => onOpenChange(false),
  });
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={passkey ? "Rename passkey" : "Add a passkey"}
      description={
        passkey
          ? undefined
          : "Your device or password manager keeps it, and asks for your fingerprint, face or PIN when you sign in."
      }
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button variant="ink" type="submit" form={id} busy={saving.saving}>
            {passkey ? "Save" : "Continue"}
          </Button>
        </>
      }
    >
      <form id={id} {...saving.form} autoComplete="off">
        <Field
          label="Name"
          hint="To tell your passkeys apart, like “Work laptop”."
          error={form.formState.errors.name?.message}
          required
        >
          {(wiring) => <Input {...wiring} {...form.register("name")} data-autofocus />}
        </Field>
      </form>
      {question}
    </Dialog>
  );
}

/** Has the browser make a passkey, and adds it. Throws what the person can read. */
async function addPasskey(name: string) {
  const optionsJSON = (await call(twoFactor.passkeyOptions)) as unknown as Parameters<
    typeof startRegistration
  >[0]["optionsJSON"];
  const { startRegistration } = await import("@simplewebauthn/browser");
  const response = await startRegistration({ optionsJSON }).catch((error: unknown) => {
    const known = error instanceof Error && error.name === "InvalidStateError";
    throw new Error(
      known
        ? "This device already has a passkey for your account."
        : "No passkey was created. You or the browser cancelled it, or it took too long.",
    );
  });
  return call(twoFactor.addPasskey, { body: { name, response: { ...response } } });
}
