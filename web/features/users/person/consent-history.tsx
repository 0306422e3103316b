import { useState } from "react";
import { channels } from "#contract/delivery.ts";
import { type ConsentChange, preferenceField, type UserDetail } from "#contract/calls/users.ts";
import { PanelSection } from "#web/features/users/person/panel-section.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { ChannelIcon, channelLook } from "#web/domain/channel.tsx";
import { When } from "#web/ui/time/when.tsx";

const SHOWN_FIRST = 4;

/** The current preference for each channel, and where every change came from. */
export function ConsentHistory({ person }: { person: UserDetail }) {
  const [all, setAll] = useState(false);
  const { consents } = person;
  const shown = all ? consents : consents.slice(0, SHOWN_FIRST);
  return (
    <PanelSection title="Notification preferences">
      <ul className="grid grid-cols-3 gap-2">
        {channels.map((channel) => {
          const on = person[preferenceField[channel]];
          return (
            <li
              key={channel}
              className="flex flex-wrap items-center gap-2.5 rounded-md border border-line px-3 py-2.5 text-sm"
            >
              <ChannelIcon channel={channel} named className={on ? undefined : "grayscale"} />
              <span>
                <span className="block font-semibold">{channelLook[channel].label}</span>
                <span className="block text-ink-2">{on ? "On" : "Off"}</span>
              </span>
            </li>
          );
        })}
      </ul>
      {consents.length > 0 && (
        <ul aria-label="Changes of preferences" className="flex flex-col gap-2.5 text-sm">
          {shown.map((change) => (
            <Change key={`${change.at} ${change.channel}`} change={change} />
          ))}
        </ul>
      )}
      {consents.length > SHOWN_FIRST && !all && (
        <Button size="sm" variant="ghost" className="self-start" onClick={() => setAll(true)}>
          {`Show all ${consents.length} changes`}
        </Button>
      )}
    </PanelSection>
  );
}

function Change({ change: { channel, allowed, sentence, at } }: { change: ConsentChange }) {
  return (
    <li className="flex flex-wrap justify-between gap-x-4">
      <span className="min-w-0">
        <span className="font-medium">{`${channelLook[channel].label} turned ${allowed ? "on" : "off"}`}</span>
        <span className="block break-words text-ink-2">{sentence}</span>
      </span>
      <When at={at} className="text-ink-2 tabular" />
    </li>
  );
}
