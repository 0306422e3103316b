import { Link } from "@tanstack/react-router";
import type { UseFormReturn } from "react-hook-form";
import { roles } from "#contract/auth.ts";
import type { CurrentUser } from "#contract/auth.ts";
import type { UserDetail } from "#contract/users.ts";
import { AccessFields } from "#web/features/users/edit/access-fields.tsx";
import { GroupsField } from "#web/features/users/edit/groups-field.tsx";
import { HomeFields } from "#web/features/users/edit/home-fields.tsx";
import { PreferenceFields } from "#web/features/users/edit/preference-fields.tsx";
import type { UserForm } from "#web/features/users/edit/user-form.ts";
import { roleLimit } from "#web/features/users/who-may-change.ts";
import { Field } from "#web/ui/field.tsx";
import { Input } from "#web/ui/input.tsx";
import { roleLook } from "#web/domain/role-badge.tsx";
import { Select } from "#web/ui/select.tsx";

export type SectionProps = {
  form: UseFormReturn<UserForm>;
  /** Undefined for a new person. */
  stored: UserDetail | undefined;
  disabled: boolean;
};

export function UserFields({ actor, ...section }: SectionProps & { actor: CurrentUser }) {
  const { form, stored, disabled } = section;
  const { register, formState } = form;
  const { errors } = formState;
  const limit = roleLimit(actor, stored);
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="First name" required error={errors.firstName?.message}>
          {(wiring) => (
            <Input
              {...wiring}
              {...register("firstName")}
              disabled={disabled}
              autoComplete="off"
              data-autofocus
            />
          )}
        </Field>
        <Field label="Last name" required error={errors.lastName?.message}>
          {(wiring) => <Input {...wiring} {...register("lastName")} disabled={disabled} autoComplete="off" />}
        </Field>
        <Field label="Username" required error={errors.username?.message}>
          {(wiring) => (
            <Input
              {...wiring}
              {...register("username")}
              disabled={disabled}
              autoComplete="off"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
            />
          )}
        </Field>
        <Field label="Role" required hint={limit} error={errors.role?.message}>
          {(wiring) => (
            // Its own role stays readable, but cannot be chosen otherwise.
            <Select {...wiring} {...register("role")} aria-disabled={stored?.id === actor.id || undefined}>
              {[...roles].reverse().map((role) => (
                <option
                  key={role}
                  value={role}
                  disabled={
                    disabled ||
                    (stored?.id === actor.id && role !== stored.role) ||
                    (role === "admin" && actor.role !== "admin")
                  }
                >
                  {roleLook[role].label}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Email" required={stored?.email !== null} error={errors.email?.message}>
          {(wiring) => (
            <Input {...wiring} {...register("email")} type="email" disabled={disabled} autoComplete="off" />
          )}
        </Field>
        <Field label="Phone" error={errors.phone?.message}>
          {(wiring) => (
            <Input
              {...wiring}
              {...register("phone")}
              type="tel"
              disabled={disabled}
              autoComplete="off"
              placeholder="(415) 555-0123"
            />
          )}
        </Field>
      </div>
      <HomeFields {...section} />
      <PreferenceFields {...section} />
      <GroupsField {...section} />
      {stored?.id === actor.id ? (
        <p className="border-t border-line pt-5 text-sm text-ink-2">
          Your own password is changed on{" "}
          <Link to="/profile" className="underline underline-offset-2">
            your profile
          </Link>
          , which asks for the present one.
        </p>
      ) : (
        <AccessFields {...section} />
      )}
    </>
  );
}
