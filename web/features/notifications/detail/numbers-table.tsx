import { ChevronDown } from "lucide-react";
import { type Channel, channels } from "#contract/delivery.ts";
import type { RunProgress } from "#contract/run-progress.ts";
import { numberText } from "#contract/text/locale.ts";
import {
  barParts,
  channelText,
  isRunning,
  type MessageRow,
  messageRows,
  onSeveralChannels,
  turnedOff,
} from "#web/features/notifications/progress.ts";
import { Simulated } from "#web/domain/simulated.tsx";
import { channelLook } from "#web/domain/channel.tsx";

/** The bar's legend, which counts people, below it each channel's messages, and a table of all of them. */
export function NumbersTable({ progress }: { progress: RunProgress }) {
  const rows = messageRows(progress);
  const columns = channels
    .filter((channel) => progress.byChannel[channel])
    .map((channel) => ({
      name: channelLook[channel].label,
      simulated: progress.simulatedChannels.includes(channel),
      of: (counts: MessageRow["counts"]) => counts[channel] ?? 0,
    }));
  // Real and simulated messages are not added up.
  if (columns.length > 1 && progress.simulatedChannels.length === 0) {
    const sum = (counts: MessageRow["counts"]) => Object.values(counts).reduce((all, one) => all + one, 0);
    columns.push({ name: "All", simulated: false, of: sum });
  }
  if (rows.length === 0) return null;
  const legend = barParts(progress.outcomes).filter((part) => part.count > 0);
  const several = onSeveralChannels(progress) ? channels.filter((one) => progress.byChannel[one]) : [];
  // With one channel, the people's outcomes say it.
  const off = several.length > 0 ? turnedOff(progress) : [];
  return (
    <details className="group mt-3 text-sm">
      <summary className="flex cursor-pointer list-none flex-wrap items-center gap-x-4 gap-y-1 rounded-sm text-ink-2 touch:min-h-11 [&::-webkit-details-marker]:hidden">
        <span className="flex min-w-0 flex-col gap-1.5 tabular">
          <span>{legend.map(({ label }) => label).join(" · ")}</span>
          {several.length > 0 && (
            <span className="flex flex-wrap gap-x-5 gap-y-1">
              {several.map((channel) => (
                <ChannelFigures key={channel} channel={channel} text={channelText(progress, channel)} />
              ))}
              {off.length > 0 && <span className="text-ink-3">{off.join(" · ")}</span>}
            </span>
          )}
        </span>
        {progress.simulated && !isRunning(progress) && <Simulated channels={progress.simulatedChannels} />}
        <span className="ml-auto inline-flex items-center gap-1 font-medium text-ink">
          Numbers by channel
          <ChevronDown aria-hidden className="size-4 transition-transform group-open:rotate-180" />
        </span>
      </summary>
      <table className="mt-3 w-full text-left tabular">
        <thead>
          <tr className="border-b border-line text-[0.8125rem] text-ink-2">
            <th scope="col" className="py-2 font-medium">
              Messages
            </th>
            {columns.map(({ name, simulated }) => (
              <th key={name} scope="col" className="py-2 pl-3 text-right font-medium">
                {name}
                {simulated && (
                  <span className="block">
                    <Simulated bare />
                  </span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, counts }) => (
            <tr key={label} className="border-b border-line last:border-0">
              <th scope="row" className="py-2 font-medium">
                {label}
              </th>
              {columns.map(({ name, of }) => (
                <td key={name} className="py-2 pl-3 text-right">
                  {numberText(of(counts))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function ChannelFigures({ channel, text }: { channel: Channel; text: string }) {
  const { Icon, label } = channelLook[channel];
  return (
    <span className="inline-flex items-center gap-1.5">
      <Icon aria-hidden className="size-4 shrink-0" />
      <strong className="font-semibold text-ink">{label}</strong> <span>{text || "nothing sent"}</span>
    </span>
  );
}
