import { zodResolver } from "@hookform/resolvers/zod";
import { useId } from "react";
import * as z from "zod";
import { currentPassword } from "#contract/calls/profile.ts";
import { twoFactor } from "#contract/calls/two-factor.ts";
import { call } from "#web/api/client.ts";
import { showFieldErrors } from "#web/api/field-errors.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useUser } from "#web/api/session.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { PasswordInput } from "#web/ui/form/password-input.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";

const resolver = zodResolver(z.object({ currentPassword }));

type Props = { open: boolean; onOpenChange: (open: boolean) => void; onConfirmed: () => void };

/** The password once more, with the reason why it is asked. */
export default function PasswordQuestion({ open, onOpenChange, onConfirmed }: Props) {
  const id = useId();
  const user = useUser();
  const form = useCheckedForm({ resolver, defaultValues: { currentPassword: "" } });
  const { errors, isSubmitting } = form.formState;

  async function submit(body: { currentPassword: string }) {
    try {
      await call(twoFactor.confirmPassword, { body });
      onConfirmed();
    } catch (error) {
      if (showFieldErrors(form, error)) return;
      const description = reasonOf(error);
      toast({ title: "We couldn't check your password", description, variant: "destructive" });
    }
  }

  return (
    <Dialog
      open={open}
      front
      onOpenChange={onOpenChange}
      title="Confirm it's you"
      description="This could give someone control of an account or a channel. We won't ask again for 10 minutes."
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button variant="ink" type="submit" form={id} busy={isSubmitting}>
            Confirm
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)}>
        <input
          type="text"
          name="username"
          autoComplete="username"
          value={user?.username ?? ""}
          readOnly
          hidden
        />
        <Field label="Current password" error={errors.currentPassword?.message} required>
          {(wiring) => (
            <PasswordInput
              {...wiring}
              {...form.register("currentPassword")}
              autoComplete="current-password"
              data-autofocus
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
