import { audience, type Reach } from "#contract/calls/audience.ts";
import { channelMeaning, type Channel } from "#contract/delivery.ts";
import { sharesMessage } from "#contract/delivery-reasons.ts";
import { numberText } from "#contract/text/locale.ts";
import { useReadList } from "#web/api/use-read.ts";
import { ChannelIcon, channelLook } from "#web/domain/channel.tsx";
import { useMessage } from "#web/domain/message/message-form.tsx";
import { leftOutPhrase } from "#web/domain/message/reach-text.ts";

/** How many people each selected channel reaches and, below, how many it leaves out for each reason. */
export function ReachByChannel({ reach, channels }: { reach: Reach; channels: readonly Channel[] }) {
  const asked = useMessage().reach.audience;
  const { data } = useReadList(audience.leftOut, { body: asked }, { fresh: true });
  return (
    <ul className="space-y-2.5 pt-1">
      {channels.map((channel) => {
        const { willGet } = reach.byChannel[channel];
        const share = reach.people > 0 ? (willGet / reach.people) * 100 : 0;
        return (
          <li key={channel}>
            <div className="flex items-center gap-2.5">
              <ChannelIcon channel={channel} named className="size-6! [&_svg]:size-3.5" />
              <span className="min-w-28">
                <strong className="font-semibold tabular">{numberText(willGet)}</strong> by{" "}
                {channelMeaning[channel].spoken}
              </span>
              <span aria-hidden className="h-1 min-w-8 flex-1 overflow-hidden rounded-full bg-line">
                <span
                  className={`block h-full rounded-full ${channelLook[channel].fill}`}
                  style={{ width: `${share}%` }}
                />
              </span>
            </div>
            {data?.rows
              .filter((group) => group.channel === channel)
              .map((group) => (
                <p
                  key={group.reason + group.sentence}
                  className={`mt-1 flex gap-2.5 ${group.reason === "opted-out" || sharesMessage(group.reason) ? "text-ink-2" : "text-warn"}`}
                >
                  <span className="w-6 shrink-0 text-right font-semibold tabular">
                    {numberText(group.people)}
                  </span>
                  <span className="min-w-0 break-words">{leftOutPhrase(group)}</span>
                </p>
              ))}
          </li>
        );
      })}
    </ul>
  );
}
