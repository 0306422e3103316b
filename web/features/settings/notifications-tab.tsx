import type * as z from "zod";
import { channelMeaning, channels } from "#contract/delivery.ts";
import { channelSwitch, settingFields } from "#contract/calls/settings.ts";
import { ChannelIcon } from "#web/domain/channel.tsx";
import {
  settingLabel,
  SettingsForm,
  useSettingsForm,
  type SettingsTab,
} from "#web/features/settings/settings-form.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { Section } from "#web/ui/page/section.tsx";
import { Switch } from "#web/ui/form/switch.tsx";
import { Textarea } from "#web/ui/form/textarea.tsx";

const schema = settingFields.pick({
  enableEmail: true,
  enableSms: true,
  enablePush: true,
  defaultEmailSubject: true,
  emailSignature: true,
  emailFooter: true,
  trackOpens: true,
  trackClicks: true,
  defaultSmsPrefix: true,
  deliveryMonths: true,
});
type NotificationSettings = z.output<typeof schema>;

export function useNotificationsForm(all: NotificationSettings): SettingsTab<NotificationSettings> {
  return useSettingsForm(schema, all, {
    saved: () => ({
      title: "Settings Updated",
      description: "They apply to everything you send from now on.",
    }),
  });
}

type Props = {
  tab: SettingsTab<NotificationSettings>;
  mayChange: boolean;
  /** People's own devices reach this server. */
  publicAddress: boolean;
};

export function NotificationsTab({ tab, mayChange, publicAddress }: Props) {
  const { register, formState } = tab.form;
  const { errors } = formState;
  return (
    <SettingsForm tab={tab} mayChange={mayChange}>
      <Section
        title="Channels"
        hint="Nothing new goes out on a channel that is off, sign-in links included. Messages that are already waiting still go out."
      >
        <ul className="divide-y divide-line">
          {channels.map((channel) => (
            <li key={channel} className="flex items-center gap-3 px-4 py-3 md:px-5">
              <ChannelIcon channel={channel} named />
              <Switch
                {...register(channelSwitch[channel])}
                label={channelMeaning[channel].choice}
                className="flex-1"
              />
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Email" hint="Added to every email.">
        <div className="flex flex-col gap-5 p-4 md:p-5">
          <Field
            label={settingLabel.defaultEmailSubject}
            hint="For email templates without a subject. All other emails use the notification's title."
            error={errors.defaultEmailSubject?.message}
            required
          >
            {(wiring) => <Input {...wiring} {...register("defaultEmailSubject")} />}
          </Field>
          <Field
            label={settingLabel.emailSignature}
            hint="Below the message."
            error={errors.emailSignature?.message}
          >
            {(wiring) => <Textarea {...wiring} {...register("emailSignature")} rows={3} />}
          </Field>
          <Field
            label={settingLabel.emailFooter}
            hint="In small print at the end, above the unsubscribe link. Your address belongs here."
            error={errors.emailFooter?.message}
          >
            {(wiring) => <Textarea {...wiring} {...register("emailFooter")} rows={3} />}
          </Field>
        </div>
      </Section>
      <Section
        title="Tracking"
        hint="Applies to emails sent through SMTP. Opens are an estimate: many mail programs block images, and some load them before anyone reads the email."
      >
        <ul className="divide-y divide-line *:px-4 *:py-3 md:*:px-5">
          <li>
            <Switch
              {...register("trackOpens")}
              label={settingLabel.trackOpens}
              hint="Adds an invisible image to each email."
            />
          </li>
          <li>
            <Switch
              {...register("trackClicks")}
              label={settingLabel.trackClicks}
              hint="Links in the message lead through this server. Security scanners follow links, too. Links to unsubscribe or sign in stay as they are."
            />
          </li>
          {!publicAddress && (
            <li className="text-sm text-ink-2">
              Nothing is tracked at the moment, because this server's address only opens on the computer that
              runs Porchlight. Ask whoever runs the server to set its public address (PORCHLIGHT_URL).
            </li>
          )}
        </ul>
      </Section>
      <Section title="Text messages" hint="Text messages don't show a sender name, so say who they're from.">
        <div className="p-4 md:p-5">
          <Field
            label={settingLabel.defaultSmsPrefix}
            hint="Starts every text message, for example “Maple Court:”. It counts toward the length."
            error={errors.defaultSmsPrefix?.message}
            className="sm:max-w-sm"
          >
            {(wiring) => <Input {...wiring} {...register("defaultSmsPrefix")} />}
          </Field>
        </div>
      </Section>
      <Section
        title="Delivery details"
        hint="Who got each message, and every attempt. Older months can move from the database to files on the server."
      >
        <div className="p-4 md:p-5">
          <Field
            label={settingLabel.deliveryMonths}
            hint="0 keeps everything. Otherwise at least 3 full months. Figures, messages and the audit log always stay. Older messages can't be retried, and tracked links in them stop working."
            error={errors.deliveryMonths?.message}
            required
            className="sm:max-w-sm"
          >
            {(wiring) => (
              <Input
                {...wiring}
                {...register("deliveryMonths", { valueAsNumber: true })}
                type="number"
                inputMode="numeric"
              />
            )}
          </Field>
        </div>
      </Section>
    </SettingsForm>
  );
}
