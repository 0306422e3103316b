import { useWatch } from "react-hook-form";
import { shell } from "#contract/calls/shell.ts";
import type { LinkChannel } from "#contract/delivery.ts";
import { useMay } from "#web/api/session.ts";
import { useRead } from "#web/api/use-read.ts";
import type { SectionProps } from "#web/features/users/edit/user-fields.tsx";
import { credentialsChannels, linkText } from "#web/features/users/edit/user-form.ts";
import { Checkbox } from "#web/ui/form/checkbox.tsx";
import { Field, FieldError } from "#web/ui/form/field.tsx";
import { PasswordInput } from "#web/ui/form/password-input.tsx";
import { Segmented } from "#web/ui/form/segmented.tsx";

const NOWHERE = "To send a link, enter an email address or phone number above and keep that channel on.";

/** How a person signs in: with a password that someone who may sets for them, or with a link to choose one. */
export function AccessFields({ form, stored }: SectionProps) {
  const [email, phone, receiveEmail, receiveSms] = useWatch({
    control: form.control,
    name: ["email", "phone", "receiveEmail", "receiveSms"],
  });
  const channels = credentialsChannels({ email, phone, receiveEmail, receiveSms });
  return (
    <div className="flex flex-col gap-4 border-t border-line pt-5">
      {stored ? (
        <StoredAccess form={form} stored={stored} channels={channels} />
      ) : (
        <FirstAccess form={form} channels={channels} />
      )}
    </div>
  );
}

/** What sending does, or why nothing would be sent. */
function useLinkText(channels: readonly LinkChannel[]): string {
  const { data } = useRead(shell.state);
  return channels.length === 0 ? NOWHERE : linkText(channels, data?.providers ?? []);
}

const ways = [
  { value: "link", label: "Send an invitation" },
  { value: "password", label: "Set a password" },
] as const;

/** A new person's: an invitation, or for those who may, a password. */
function FirstAccess({ form, channels }: Pick<SectionProps, "form"> & { channels: LinkChannel[] }) {
  const maySetPassword = useMay("accounts:write");
  const invited = useWatch({ control: form.control, name: "sendCredentials" });
  const text = useLinkText(channels);
  const error = form.formState.errors.password?.message;
  return (
    <>
      <div className="flex flex-col items-start gap-1.5">
        <p aria-hidden className="text-sm font-semibold">
          How they sign in
        </p>
        {maySetPassword && (
          <Segmented
            label="How they sign in"
            segments={ways}
            value={invited ? "link" : "password"}
            onChange={(way) => form.setValue("sendCredentials", way === "link", { shouldDirty: true })}
          />
        )}
        {invited && channels.length > 0 && <p className="text-sm text-ink-3">{text}</p>}
        {invited && channels.length === 0 && (
          <div tabIndex={-1} data-invalid={error ? true : undefined} className="outline-none">
            {error ? <FieldError message={text} /> : <p className="text-sm text-ink-3">{text}</p>}
          </div>
        )}
      </div>
      {!invited && (
        <Field label="Password" required error={error}>
          {(wiring) => (
            <PasswordInput {...wiring} {...form.register("password")} autoComplete="new-password" />
          )}
        </Field>
      )}
    </>
  );
}

function StoredAccess({
  form,
  stored,
  channels,
}: SectionProps & { stored: NonNullable<SectionProps["stored"]>; channels: LinkChannel[] }) {
  const maySetPassword = useMay("accounts:write");
  const text = useLinkText(channels);
  return (
    <>
      {maySetPassword && (
        <Field
          label="Password"
          error={form.formState.errors.password?.message}
          hint={
            stored.hasPassword
              ? "Leave blank to keep the current one."
              : "They don't have one yet. Leave blank, or send credentials."
          }
        >
          {(wiring) => (
            <PasswordInput {...wiring} {...form.register("password")} autoComplete="new-password" />
          )}
        </Field>
      )}
      <Checkbox
        {...form.register("sendCredentials")}
        disabled={channels.length === 0}
        label="Send credentials"
        hint={text}
      />
    </>
  );
}
