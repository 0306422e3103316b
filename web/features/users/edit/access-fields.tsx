import { useWatch } from "react-hook-form";
import { channelMeaning } from "#contract/delivery.ts";
import { useMay } from "#web/api/session.ts";
import type { SectionProps } from "#web/features/users/edit/user-fields.tsx";
import { credentialsChannels } from "#web/features/users/edit/user-form.ts";
import { Checkbox } from "#web/ui/form/checkbox.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { PasswordInput } from "#web/ui/form/password-input.tsx";

/** How the person signs in: with a password that someone who may sets for them, or with a link to choose one. */
export function AccessFields({ form, stored }: SectionProps) {
  const { control, register, formState } = form;
  const [email, phone, receiveEmail, receiveSms, sends] = useWatch({
    control,
    name: ["email", "phone", "receiveEmail", "receiveSms", "sendCredentials"],
  });
  const channels = credentialsChannels({ email, phone, receiveEmail, receiveSms });
  const none = channels.length === 0;
  const maySetPassword = useMay("accounts:write");
  const asked = !stored && (none || !sends);
  return (
    <div className="flex flex-col gap-4 border-t border-line pt-5">
      {maySetPassword && (
        <Field
          label="Password"
          required={asked}
          error={formState.errors.password?.message}
          hint={
            stored
              ? stored.hasPassword
                ? "Leave blank to keep the current one."
                : "They don't have one yet. Leave blank, or send credentials."
              : asked
                ? undefined
                : "Not needed. The link lets them choose one."
          }
        >
          {(wiring) => <PasswordInput {...wiring} {...register("password")} autoComplete="new-password" />}
        </Field>
      )}
      <Checkbox
        {...register("sendCredentials")}
        disabled={none}
        label="Send credentials"
        aria-invalid={!maySetPassword && formState.errors.password ? true : undefined}
        hint={
          !maySetPassword && formState.errors.password
            ? "Send credentials so they can choose a password. Only an administrator can set one."
            : none
              ? "To send a link, enter an email address or phone number above and keep that channel on."
              : `Sends a link by ${channels.map((channel) => channelMeaning[channel].spoken).join(" and ")}. It works once, expires after 24 hours, and lets them choose a password. We never send passwords.`
        }
      />
    </div>
  );
}
