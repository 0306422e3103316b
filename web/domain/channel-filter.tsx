import { Send } from "lucide-react";
import { channels, type Channel } from "#contract/delivery.ts";
import { channelLook } from "#web/domain/channel.tsx";
import { FilterMenu } from "#web/ui/list/filter-menu.tsx";

type Props = { value: Channel | undefined; onChange: (channel: Channel | undefined) => void };

const options = channels.map((channel) => {
  const { label, Icon } = channelLook[channel];
  return { value: channel, label, icon: <Icon aria-hidden /> };
});

/** The filter of a list by channel. */
export function ChannelFilter({ value, onChange }: Props) {
  return (
    <FilterMenu
      label="Channel"
      all="Any channel"
      icon={<Send aria-hidden />}
      options={options}
      value={value}
      onChange={onChange}
    />
  );
}
