import { channels } from "#contract/delivery.ts";
import { preferenceField } from "#contract/users.ts";
import type { SectionProps } from "#web/features/users/edit/user-fields.tsx";
import { ChannelIcon, channelLook } from "#web/domain/channel.tsx";
import { CheckCard } from "#web/ui/check-card.tsx";

export function PreferenceFields({ form, disabled }: SectionProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-semibold">Notification preferences</legend>
      <div className="grid gap-2 sm:grid-cols-3">
        {channels.map((channel) => (
          <CheckCard
            key={channel}
            {...form.register(preferenceField[channel])}
            disabled={disabled}
            icon={<ChannelIcon channel={channel} named />}
            label={channelLook[channel].label}
          />
        ))}
      </div>
      <p className="mt-1.5 text-sm text-ink-3">
        A channel that is off is never used for this person. Each change is kept on record with your name.
      </p>
    </fieldset>
  );
}
