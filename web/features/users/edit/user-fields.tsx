import { Link } from "@tanstack/react-router";
import { useWatch, type UseFormReturn } from "react-hook-form";
import { roles, type CurrentUser } from "#contract/calls/auth.ts";
import { channels } from "#contract/delivery.ts";
import { allowsMore, principalOf } from "#contract/permissions.ts";
import { preferenceField, type UserDetail } from "#contract/calls/users.ts";
import { AccessFields } from "#web/features/users/edit/access-fields.tsx";
import { GroupsField } from "#web/features/users/edit/groups-field.tsx";
import { DetailFields } from "#web/features/users/edit/detail-fields.tsx";
import { HomeFields } from "#web/features/users/edit/home-fields.tsx";
import { useAddressNotes } from "#web/features/users/edit/address-notes.tsx";
import { useProposedUsername } from "#web/features/users/edit/use-proposed-username.ts";
import { asksForRequest, emptyForm, type UserForm } from "#web/features/users/edit/user-form.ts";
import { roleLimit } from "#web/features/users/who-may-change.ts";
import { Checkbox } from "#web/ui/form/checkbox.tsx";
import { CheckCard } from "#web/ui/form/check-card.tsx";
import { ChannelIcon, channelLook } from "#web/domain/channel.tsx";
import { phoneExample } from "#web/domain/phone-number.ts";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { PasswordInput } from "#web/ui/form/password-input.tsx";
import { roleLook } from "#web/domain/role-badge.tsx";
import { Select } from "#web/ui/form/select.tsx";

export type SectionProps = {
  form: UseFormReturn<UserForm>;
  /** Undefined for a new person. */
  stored: UserDetail | undefined;
};

type Props = SectionProps & { actor: CurrentUser; focusOn: "email" | "phone" | undefined };

export function UserFields({ actor, focusOn, ...section }: Props) {
  const focused = (field: typeof focusOn) => ({ "data-autofocus": focusOn === field || undefined });
  const { form, stored } = section;
  const { register, formState } = form;
  const { errors } = formState;
  const limit = roleLimit(actor, stored);
  const notes = useAddressNotes(section);
  useProposedUsername(section);
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="First name" required error={errors.firstName?.message}>
          {(wiring) => (
            <Input {...wiring} {...register("firstName")} autoComplete="off" {...focused(undefined)} />
          )}
        </Field>
        <Field label="Last name" required error={errors.lastName?.message}>
          {(wiring) => <Input {...wiring} {...register("lastName")} autoComplete="off" />}
        </Field>
        <Field label="Username" required error={errors.username?.message}>
          {(wiring) => (
            <Input
              {...wiring}
              {...register("username")}
              autoComplete="off"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
            />
          )}
        </Field>
        <Field label="Role" required hint={limit} error={errors.role?.message}>
          {(wiring) => (
            // Your own role is shown, but cannot be changed.
            <Select {...wiring} {...register("role")} aria-disabled={stored?.id === actor.id || undefined}>
              {[...roles].reverse().map((role) => (
                <option
                  key={role}
                  value={role}
                  disabled={
                    (stored?.id === actor.id && role !== stored.role) ||
                    allowsMore(role, principalOf(actor.role))
                  }
                >
                  {roleLook[role].label}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <div className="flex flex-col gap-2">
          <Field
            label="Email"
            required={stored?.email !== null}
            hint={notes.email}
            error={errors.email?.message}
          >
            {(wiring) => (
              <Input
                {...wiring}
                {...register("email")}
                type="email"
                autoComplete="off"
                {...focused("email")}
              />
            )}
          </Field>
          <Vouch {...section} actor={actor} of="email" />
        </div>
        <div className="flex flex-col gap-2">
          <Field label="Phone" hint={notes.phone} error={errors.phone?.message}>
            {(wiring) => (
              <Input
                {...wiring}
                {...register("phone")}
                type="tel"
                autoComplete="off"
                placeholder={phoneExample()}
                {...focused("phone")}
              />
            )}
          </Field>
          <Vouch {...section} actor={actor} of="phone" />
        </div>
      </div>
      {(stored?.otherContacts || formState.dirtyFields.otherContacts) && (
        <Field
          label="Other contacts"
          hint="Separated by commas. Messages don't go to these."
          error={errors.otherContacts?.message}
        >
          {(wiring) => <Input {...wiring} {...register("otherContacts")} autoComplete="off" />}
        </Field>
      )}
      <HomeFields {...section} />
      <DetailFields {...section} />
      <PreferenceFields {...section} />
      <GroupsField {...section} />
      {stored?.id === actor.id ? <OwnPassword {...section} /> : <AccessFields {...section} />}
    </>
  );
}

const vouching = {
  email: {
    confirmed: "addressConfirmed",
    field: "knowsEmail",
    label: "I know that this email address is theirs",
  },
  phone: {
    confirmed: "phoneConfirmed",
    field: "knowsPhone",
    label: "I know that this phone number is theirs",
  },
} as const;

type VouchProps = SectionProps & { actor: CurrentUser; of: keyof typeof vouching };

/** What someone entered for themselves is confirmed by whoever knows it, not by saving something else. */
function Vouch({ form, stored, actor, of }: VouchProps) {
  const { confirmed, field, label } = vouching[of];
  if (!stored || stored.id === actor.id || stored[confirmed] || form.formState.dirtyFields[of]) return null;
  return <Checkbox {...form.register(field)} label={label} />;
}

function OwnPassword({ form }: SectionProps) {
  return (
    <div className="flex flex-col gap-4 border-t border-line pt-5">
      <Field
        label="Current password"
        error={form.formState.errors.currentPassword?.message}
        hint="Only needed to change your own email or phone."
      >
        {(wiring) => (
          <PasswordInput {...wiring} {...form.register("currentPassword")} autoComplete="current-password" />
        )}
      </Field>
      <p className="text-sm text-ink-2">
        Change your own password on{" "}
        <Link to="/profile" className="underline underline-offset-2">
          your profile
        </Link>
        .
      </p>
    </div>
  );
}

function PreferenceFields({ form, stored }: SectionProps) {
  const now = useWatch({ control: form.control });
  const asks = asksForRequest({ ...emptyForm, ...now }, stored);
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-semibold">Notification preferences</legend>
      <div className="grid gap-2 sm:grid-cols-3">
        {channels.map((channel) => (
          <CheckCard
            key={channel}
            {...form.register(preferenceField[channel])}
            icon={<ChannelIcon channel={channel} named />}
            label={channelLook[channel].label}
          />
        ))}
      </div>
      <p className="mt-1.5 text-sm text-ink-3">
        We never use a channel that is off. Changes are logged under your name.
      </p>
      {asks && (
        <Field
          label="Who asked to turn it on again, how and when?"
          required
          className="mt-4"
          hint="They turned it off themselves. Turn it on only if they ask."
          error={form.formState.errors.consentRequest?.message}
        >
          {(wiring) => (
            <Input
              {...wiring}
              {...form.register("consentRequest")}
              autoComplete="off"
              placeholder="Called the office on May 3"
            />
          )}
        </Field>
      )}
    </fieldset>
  );
}
