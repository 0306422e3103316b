import { zodResolver } from "@hookform/resolvers/zod";
import type * as z from "zod";
import type { SignedIn } from "#contract/calls/auth.ts";
import { passwordForm, profileCalls } from "#contract/calls/profile.ts";
import { call } from "#web/api/client.ts";
import { recheckSession } from "#web/api/session.ts";
import { useSave } from "#web/domain/save/use-save.ts";
import { useAuthState } from "#web/features/auth/auth-state.ts";
import { useFirstFocus } from "#web/features/auth/first-focus.ts";
import { LogOutButton } from "#web/shell/log-out-button.tsx";
import { Explained, SignInLayout } from "#web/features/auth/sign-in-layout.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { usePageTitle } from "#web/ui/page/page-title.ts";
import { PasswordInput } from "#web/ui/form/password-input.tsx";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";

type Fields = z.output<typeof passwordForm>;
const resolver = zodResolver(passwordForm);

const fields = [
  { name: "currentPassword", label: "Current password", autoComplete: "current-password" },
  { name: "password", label: "New password", autoComplete: "new-password" },
  { name: "confirmPassword", label: "Confirm password", autoComplete: "new-password" },
] as const;

/** For someone whose password had expired when they signed in: nothing else works before they change it. */
export default function ExpiredPasswordPage({ user }: { user: SignedIn }) {
  usePageTitle("Change your password");
  const hint = useAuthState()?.passwordHint;
  const form = useCheckedForm<Fields>({
    resolver,
    defaultValues: { currentPassword: "", password: "", confirmPassword: "" },
  });
  const { errors } = form.formState;
  useFirstFocus(() => form.setFocus("currentPassword"));
  const saving = useSave({
    form,
    refreshes: [],
    save: (body) => call(profileCalls.changePassword, { body }),
    saved: ({ message }) => ({ title: "Password changed", description: message }),
    fieldsOnly: true,
    failed: (description) => ({ title: "The password was not changed", description }),
    onSaved: () => void recheckSession(),
  });
  return (
    <SignInLayout high>
      <Explained heading="Your password has expired">
        Passwords here have to be changed from time to time. Choose a new one to continue.
      </Explained>
      <form {...saving.form} className="flex flex-col gap-4.5">
        {/* For the browser's password store: whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={user.username} readOnly hidden />
        {fields.map(({ name, label, autoComplete }) => (
          <Field
            key={name}
            label={label}
            error={errors[name]?.message}
            hint={name === "password" && hint}
            required
          >
            {(wiring) => (
              <PasswordInput
                {...wiring}
                {...form.register(name)}
                inputSize="lg"
                autoComplete={autoComplete}
              />
            )}
          </Field>
        ))}
        <Button type="submit" variant="ink" size="lg" busy={saving.saving} className="w-full">
          Change Password
        </Button>
        <LogOutButton />
      </form>
    </SignInLayout>
  );
}
