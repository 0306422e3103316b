import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect } from "react";
import type * as z from "zod";
import { passwordForm, profileCalls, type Profile } from "#contract/calls/profile.ts";
import { call } from "#web/api/client.ts";
import { useSave } from "#web/domain/save/use-save.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { PasswordInput } from "#web/ui/form/password-input.tsx";
import { When } from "#web/ui/time/when.tsx";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";

type Fields = z.output<typeof passwordForm>;
const resolver = zodResolver(passwordForm);
const empty: Fields = { currentPassword: "", password: "", confirmPassword: "" };

type Props = { profile: Profile; onUnsaved: (unsaved: boolean) => void };

/** Your own password. Changing it signs out every other browser. */
export function PasswordForm({ profile, onUnsaved }: Props) {
  const form = useCheckedForm<Fields>({ resolver, defaultValues: empty });
  const { errors, isDirty } = form.formState;
  const saving = useSave({
    form,
    refreshes: [profileCalls.read, profileCalls.sessions],
    save: (body) => call(profileCalls.changePassword, { body }),
    saved: ({ message }) => ({ title: "Password changed", description: message }),
    fieldsOnly: true,
    failed: (description) => ({ title: "The password was not changed", description }),
    onSaved: () => form.reset(empty),
  });
  useEffect(() => onUnsaved(isDirty), [isDirty, onUnsaved]);

  return (
    <form {...saving.form}>
      {/* For the browser's password store: whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={profile.username} readOnly hidden />
      <fieldset disabled={saving.saving} className="min-w-0">
        <div className="grid gap-4.5 px-4 py-5 sm:grid-cols-2 md:px-5">
          <Field
            label="Current password"
            error={errors.currentPassword?.message}
            required
            className="sm:col-span-2 sm:max-w-[calc(50%-0.5625rem)]"
          >
            {(wiring) => (
              <PasswordInput
                {...wiring}
                {...form.register("currentPassword")}
                autoComplete="current-password"
              />
            )}
          </Field>
          <Field label="New password" error={errors.password?.message} hint={profile.passwordHint} required>
            {(wiring) => (
              <PasswordInput {...wiring} {...form.register("password")} autoComplete="new-password" />
            )}
          </Field>
          <Field label="Confirm password" error={errors.confirmPassword?.message} required>
            {(wiring) => (
              <PasswordInput {...wiring} {...form.register("confirmPassword")} autoComplete="new-password" />
            )}
          </Field>
        </div>
        <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2 border-t border-line px-4 py-3 md:px-5">
          {profile.passwordChangedAt && (
            <p className="mr-auto text-sm text-ink-3">
              Last changed <When at={profile.passwordChangedAt} as="sentence" />
            </p>
          )}
          <Button type="submit" variant="ink" busy={saving.saving}>
            Change Password
          </Button>
        </div>
      </fieldset>
    </form>
  );
}
