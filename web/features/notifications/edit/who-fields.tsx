import { useController } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { channels } from "#contract/delivery.ts";
import type { EditForm } from "#web/features/notifications/edit/edit-form.ts";
import { RecipientsField } from "#web/features/notifications/edit/recipients-field.tsx";
import { ChannelIcon, channelLook } from "#web/domain/channel.tsx";
import { CheckCard } from "#web/ui/check-card.tsx";
import { Field } from "#web/ui/field.tsx";

/** On which channels, and to whom. */
export function WhoFields({ form, disabled }: { form: UseFormReturn<EditForm>; disabled: boolean }) {
  const { control, formState } = form;
  const chosen = useController({ control, name: "channels" }).field;
  const recipients = useController({ control, name: "recipients" }).field;
  const { errors } = formState;
  return (
    <>
      <Field group label="Type" required error={errors.channels?.message}>
        {({ id, "aria-describedby": described, "aria-invalid": invalid }) => (
          <fieldset
            aria-labelledby={`${id}-label`}
            aria-describedby={described}
            className="grid gap-2 sm:grid-cols-3"
          >
            {channels.map((channel, index) => (
              <CheckCard
                key={channel}
                icon={<ChannelIcon channel={channel} named />}
                label={channelLook[channel].label}
                checked={chosen.value.includes(channel)}
                disabled={disabled}
                aria-invalid={index === 0 ? invalid : undefined}
                onChange={(event) => {
                  const on = event.target.checked;
                  chosen.onChange(
                    channels.filter((one) => (one === channel ? on : chosen.value.includes(one))),
                  );
                }}
              />
            ))}
          </fieldset>
        )}
      </Field>
      <Field label="Recipients" required error={errors.recipients?.message}>
        {(wiring) => (
          <RecipientsField
            {...wiring}
            value={recipients.value}
            onChange={recipients.onChange}
            disabled={disabled}
          />
        )}
      </Field>
    </>
  );
}
