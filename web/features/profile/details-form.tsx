import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect, useState, type ReactNode } from "react";
import type { Resolver } from "react-hook-form";
import type * as z from "zod";
import { profileCalls, profileForm, type Profile } from "#contract/calls/profile.ts";
import { shell } from "#contract/calls/shell.ts";
import { personFields } from "#contract/calls/users.ts";
import { call } from "#web/api/client.ts";
import { userChanged } from "#web/api/session.ts";
import { ConflictNotice } from "#web/domain/save/save-dialog.tsx";
import { useSave } from "#web/domain/save/use-save.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { PasswordInput } from "#web/ui/form/password-input.tsx";
import { roleLook } from "#web/domain/role-badge.tsx";
import { nationalPhone } from "#web/domain/phone-number.ts";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";

type Fields = z.output<typeof profileForm>;
// The form only holds text. The call also accepts null.
const rules = zodResolver(profileForm) as unknown as Resolver<Fields, unknown, Fields>;
/** An email address can be missing, but not removed. */
const rulesWithEmail = zodResolver(profileForm.extend({ email: personFields.email })) as unknown as Resolver<
  Fields,
  unknown,
  Fields
>;

type Props = { profile: Profile; onUnsaved: (unsaved: boolean) => void };

/** Your own name, email and phone, below what only others can change. */
export function DetailsForm({ profile, onUnsaved }: Props) {
  const form = useCheckedForm<Fields, unknown, Fields>({
    resolver: profile.email === null ? rules : rulesWithEmail,
    // Set once, so that a later answer doesn't overwrite what is being typed.
    defaultValues: fieldsOf(profile),
  });
  const [stored, setStored] = useState(profile);
  const { errors, isDirty, dirtyFields } = form.formState;
  const needsPassword = dirtyFields.email === true || dirtyFields.phone === true;
  const saving = useSave({
    form,
    // The banner above every screen names an address that is not confirmed.
    refreshes: [profileCalls.read, shell.state],
    save: (filled) => {
      const { phone, ...others } = filled;
      // A number that wasn't touched isn't read anew, whichever country is chosen meanwhile.
      const changed = phone === fieldsOf(stored).phone ? {} : { phone };
      return call(profileCalls.save, { body: { ...others, ...changed, updatedAt: baseOf(stored, profile) } });
    },
    saved: () => ({ title: "Profile saved", description: "Your details are up to date." }),
    fieldsOnly: true,
    failed: (description) => ({ title: "The profile was not saved", description }),
    onSaved(saved) {
      setStored(saved);
      form.reset(fieldsOf(saved));
      userChanged(saved);
    },
    versions: {
      stored: { ...stored, updatedAt: baseOf(stored, profile) },
      setStored,
      read: () => call(profileCalls.read),
      formOf: fieldsOf,
    },
  });
  useEffect(() => onUnsaved(isDirty), [isDirty, onUnsaved]);

  return (
    <form {...saving.form}>
      <dl className="flex flex-wrap gap-x-10 gap-y-3 border-b border-line px-4 py-4 text-sm md:px-5">
        <Fact label="Username">
          <bdi translate="no">{profile.username}</bdi>
        </Fact>
        <Fact label="Role">{roleLook[profile.role].label}</Fact>
        {profile.propertyUnit && (
          <Fact label="Property/Unit">
            <bdi translate="no">{profile.propertyUnit}</bdi>
          </Fact>
        )}
      </dl>
      <fieldset disabled={saving.saving} className="min-w-0">
        {saving.conflict && (
          <div className="px-4 pt-5 md:px-5">
            <ConflictNotice what="your details" {...saving.conflict} />
          </div>
        )}
        <div className="grid gap-4.5 px-4 py-5 sm:grid-cols-2 md:px-5">
          <Field label="First name" error={errors.firstName?.message} required>
            {(wiring) => <Input {...wiring} {...form.register("firstName")} autoComplete="given-name" />}
          </Field>
          <Field label="Last name" error={errors.lastName?.message} required>
            {(wiring) => <Input {...wiring} {...form.register("lastName")} autoComplete="family-name" />}
          </Field>
          <Field label="Email" error={errors.email?.message} required={profile.email !== null}>
            {(wiring) => <Input {...wiring} {...form.register("email")} type="email" autoComplete="email" />}
          </Field>
          <Field label="Phone" error={errors.phone?.message}>
            {(wiring) => <Input {...wiring} {...form.register("phone")} type="tel" autoComplete="tel" />}
          </Field>
          {needsPassword && (
            <Field
              label="Current password"
              hint="Needed to change your email or phone."
              error={errors.currentPassword?.message}
              required
            >
              {(wiring) => (
                <PasswordInput
                  {...wiring}
                  {...form.register("currentPassword", { shouldUnregister: true })}
                  autoComplete="current-password"
                />
              )}
            </Field>
          )}
        </div>
        <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-3 md:px-5">
          {isDirty && (
            <>
              <output className="mr-auto text-sm text-ink-3">Not saved yet</output>
              <Button onClick={() => form.reset(fieldsOf(profile))}>Undo</Button>
            </>
          )}
          <Button type="submit" variant="ink" busy={saving.saving}>
            Save Changes
          </Button>
        </div>
      </fieldset>
    </form>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-ink-3">{label}</dt>
      <dd className="font-medium break-words">{children}</dd>
    </div>
  );
}

/** The time of the version that the form shows. Preferences on the same page move it without changing what is here. */
function baseOf(stored: Profile, latest: Profile): string {
  const fields = fieldsOf(stored);
  const same = Object.entries(fieldsOf(latest)).every(
    ([name, value]) => fields[name as keyof Fields] === value,
  );
  return same && latest.updatedAt > stored.updatedAt ? latest.updatedAt : stored.updatedAt;
}

function fieldsOf({ firstName, lastName, email, phone }: Profile): Fields {
  return { firstName, lastName, email: email ?? "", phone: phone === null ? "" : nationalPhone(phone) };
}
