import type { Channel } from "#contract/delivery.ts";
import { listText } from "#contract/text/locale.ts";
import { channelLook } from "#web/domain/channel.tsx";
import { cx } from "#web/ui/browser/class-names.ts";

type Props = {
  /** Without a border, for rows that have no room for it. */
  bare?: boolean;
  /** The simulated channels of a run that also has real ones. */
  channels?: readonly Channel[];
};

/** Shown wherever a number or a message comes from the Sandbox: nothing was really sent. */
export function Simulated({ bare = false, channels = [] }: Props) {
  const names = channels.map((channel) => channelLook[channel].label);
  const labels = names.length > 0 ? listText(names) : "";
  return (
    <span
      title={`${labels === "" ? "" : `${labels}: `}Sent to the Sandbox. No one received it.`}
      className={cx(
        "text-[0.6875rem] leading-3.5 font-semibold tracking-wide whitespace-nowrap text-ink-2",
        !bare && "rounded-[4px] border border-dashed border-edge px-1 py-px",
      )}
    >
      {labels !== "" && `${bare ? "PARTLY" : labels} `}SIMULATED
    </span>
  );
}
