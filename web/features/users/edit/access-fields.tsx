import { useWatch } from "react-hook-form";
import { channelMeaning } from "#contract/delivery.ts";
import type { SectionProps } from "#web/features/users/edit/user-fields.tsx";
import { credentialsChannels } from "#web/features/users/edit/user-form.ts";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { Field } from "#web/ui/field.tsx";
import { PasswordInput } from "#web/ui/password-input.tsx";

/** The way in: a password, or a link by which the person chooses one. */
export function AccessFields({ form, stored, disabled }: SectionProps) {
  const { control, register, formState } = form;
  const [email, phone, receiveEmail, receiveSms, sends] = useWatch({
    control,
    name: ["email", "phone", "receiveEmail", "receiveSms", "sendCredentials"],
  });
  const channels = credentialsChannels({ email, phone, receiveEmail, receiveSms });
  const none = channels.length === 0;
  const asked = !stored && (none || !sends);
  return (
    <div className="flex flex-col gap-4 border-t border-line pt-5">
      <Field
        label="Password"
        required={asked}
        error={formState.errors.password?.message}
        hint={
          stored
            ? stored.hasPassword
              ? "Leave it blank to keep the current one."
              : "They have none yet. Leave it blank, or send credentials."
            : asked
              ? undefined
              : "Not needed: the link lets them choose one."
        }
      >
        {(wiring) => (
          <PasswordInput
            {...wiring}
            {...register("password")}
            disabled={disabled}
            autoComplete="new-password"
          />
        )}
      </Field>
      <Checkbox
        {...register("sendCredentials", { deps: "password" })}
        disabled={disabled || none}
        label="Send credentials"
        hint={
          none
            ? "The link needs somewhere to go: an email address or a phone number above, with that channel on."
            : `Sends a link by ${channels.map((channel) => channelMeaning[channel].spoken).join(" and ")}. It works once, within 24 hours, and lets them choose a password. No password is ever sent.`
        }
      />
    </div>
  );
}
