import { call } from "#web/api/client.ts";
import { showFieldErrors } from "#web/api/field-errors.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { loadSession, signedIn } from "#web/api/session.ts";
import { useFirstFocus } from "#web/features/auth/first-focus.ts";
import { passwordRules } from "#web/features/auth/lazy-rules.ts";
import type { OwnerOf } from "#web/features/auth/use-one-time-link.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { PasswordInput } from "#web/ui/form/password-input.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";

type Fields = { password: string; confirmPassword: string };
const resolver = passwordRules.resolver<Fields>((rules) => rules.setPasswordRules);

type Props = {
  token: string;
  owner: OwnerOf<"password">;
  /** The form was sent: what comes after signing in can load meanwhile. */
  onAttempt: () => void;
  /** True if the link itself failed, which is explained elsewhere. */
  onFailed: (error: unknown) => boolean;
};

export function SetPasswordForm({ token, owner, onAttempt, onFailed }: Props) {
  const form = useCheckedForm<Fields>({ resolver, defaultValues: { password: "", confirmPassword: "" } });
  const { errors, isSubmitting } = form.formState;
  useFirstFocus(() => form.setFocus("password"));

  async function submit({ password }: Fields) {
    onAttempt();
    try {
      const { passwordLink } = await passwordRules.load();
      const { user, message } = await call(passwordLink.use, { params: { token }, body: { password } });
      toast({ title: "Password set", description: message });
      // The link is used up: its URL shows nothing anymore, even with Back.
      window.history.replaceState(null, "", "/");
      if (user) signedIn(user);
      else await loadSession();
    } catch (error) {
      if (showFieldErrors(form, error) || onFailed(error)) return;
      const description = reasonOf(error);
      toast({ title: "The password was not set", description, variant: "destructive" });
    }
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-4.5"
      onInput={() => void passwordRules.load().catch(() => undefined)}
      onSubmit={(event) => void form.handleSubmit(submit)(event)}
    >
      {/* Tells the browser's password store whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={owner.username} readOnly hidden />
      <Field label="New password" hint={owner.passwordHint} error={errors.password?.message}>
        {(wiring) => (
          <PasswordInput
            {...wiring}
            {...form.register("password")}
            inputSize="lg"
            autoComplete="new-password"
          />
        )}
      </Field>
      <Field label="Confirm password" error={errors.confirmPassword?.message}>
        {(wiring) => (
          <PasswordInput
            {...wiring}
            {...form.register("confirmPassword")}
            inputSize="lg"
            autoComplete="new-password"
          />
        )}
      </Field>
      <Button type="submit" variant="ink" size="lg" busy={isSubmitting} className="w-full">
        Set password and sign in
      </Button>
    </form>
  );
}
