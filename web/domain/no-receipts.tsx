import { channelMeaning } from "#contract/delivery.ts";
import type { ScheduleRun } from "#contract/calls/schedule-replies.ts";
import { listText } from "#contract/text/locale.ts";
import { Tooltip } from "#web/ui/feedback/tooltip.tsx";

type Props = ScheduleRun["noReceipts"] & {
  /** In a row, where it explains itself on hover only. */
  bare?: boolean;
};

const look = "text-[0.75rem] leading-3.5 whitespace-nowrap text-ink-3";

/** Stands beside the status where a provider took the messages and reported no arrival. Otherwise it renders nothing. */
export function NoReceipts({ channels, all, bare = false }: Props) {
  if (channels.length === 0) return null;
  const by = listText(channels.map((one) => channelMeaning[one].spoken));
  const text = all ? "no receipts" : `no receipts by ${by}`;
  const why =
    "The provider accepted these messages and has reported no arrival. Some never do: a mail server, or a provider whose webhook isn't set up.";
  if (bare) {
    return (
      <span title={why} className={look}>
        {text}
      </span>
    );
  }
  return (
    <Tooltip content={why}>
      <button
        type="button"
        className={`${look} cursor-help rounded-sm underline decoration-dotted underline-offset-4 touch:min-h-11`}
      >
        <span>{text}</span>
        <span className="sr-only">. {why}</span>
      </button>
    </Tooltip>
  );
}
