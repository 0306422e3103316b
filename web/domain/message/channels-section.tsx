import { people } from "#contract/text/count-text.ts";
import { useController } from "react-hook-form";
import { channelMeaning, channels, type Channel } from "#contract/delivery.ts";
import { shell } from "#contract/calls/shell.ts";
import { numberText } from "#contract/text/locale.ts";
import { useRead } from "#web/api/use-read.ts";
import { useMessage } from "#web/domain/message/message-form.tsx";
import { ChannelIcon } from "#web/domain/channel.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { CheckCard } from "#web/ui/form/check-card.tsx";
import { Field } from "#web/ui/form/field.tsx";

type Props = {
  label?: string;
  /** Which of a channel's names its card shows. */
  named?: "choice" | "label";
};

/** The channels, each with the number of people it would reach, selected or not. */
export function ChannelsSection({ label = "Channels", named = "choice" }: Props) {
  const { form, reach, preview } = useMessage();
  const { field, fieldState } = useController({ control: form.control, name: "channels" });
  const parts = preview.preview?.sms?.worst.parts ?? 0;
  const turnedOn: readonly Channel[] = useRead(shell.state).data?.channels ?? channels;
  // One that was chosen before it was turned off can be taken off, but not chosen again.
  const offered = channels.filter((channel) => turnedOn.includes(channel) || field.value.includes(channel));

  const toggle = (channel: Channel, on: boolean) =>
    field.onChange(channels.filter((one) => (one === channel ? on : field.value.includes(one))));

  const detailOf = (channel: Channel) => {
    if (!turnedOn.includes(channel)) return "Turned off in Settings";
    const state = reach.reach?.byChannel[channel];
    if (!state) return undefined;
    const costs = channel === "sms" && parts > 1;
    if (costs) return `${numberText(state.willGet)} · up to ${parts} parts`;
    // A card only has room for "9,999 people".
    return state.willGet < 10_000 ? people(state.willGet) : numberText(state.willGet);
  };

  const chooseAll = () => field.onChange(channels.filter((channel) => offered.includes(channel)));
  const isMissing = (channel: Channel) => turnedOn.includes(channel) && !field.value.includes(channel);
  return (
    <Field
      group
      label={label}
      required
      error={fieldState.error?.message}
      aside={
        offered.filter((channel) => isMissing(channel)).length > 1 && (
          <button
            type="button"
            onClick={chooseAll}
            className="rounded-sm text-sm font-semibold underline-offset-4 hover:underline touch:-my-3 touch:min-h-11"
          >
            All channels
          </button>
        )
      }
    >
      {({ id, ...wiring }) => (
        <fieldset aria-labelledby={`${id}-label`} className="grid gap-2.5 sm:grid-cols-3">
          {offered.length === 0 && (
            <p className="text-sm text-ink-2 sm:col-span-3">All channels are turned off in Settings.</p>
          )}
          {offered.map((channel) => (
            <CheckCard
              key={channel}
              {...wiring}
              icon={<ChannelIcon channel={channel} named />}
              label={channelMeaning[channel][named]}
              className={cx("gap-2.5! px-2.5!", fieldState.error && "border-bad!")}
              detail={
                <>
                  <span className={reach.loading ? "cursor-progress" : undefined}>{detailOf(channel)}</span>
                  {turnedOn.includes(channel) && reach.reach?.byChannel[channel].simulated && (
                    <span className="max-sm:before:text-ink-3 max-sm:before:content-['_·_'] sm:block">
                      Sandbox
                    </span>
                  )}
                </>
              }
              checked={field.value.includes(channel)}
              onChange={(event) => toggle(channel, event.target.checked)}
              onBlur={field.onBlur}
            />
          ))}
        </fieldset>
      )}
    </Field>
  );
}
