import { Link } from "@tanstack/react-router";
import { ArrowRight, Check } from "lucide-react";
import { integrations } from "#contract/calls/integrations.ts";
import type { Channel } from "#contract/delivery.ts";
import { channelsWithoutReceipts, type RunProgress } from "#contract/run-progress.ts";
import { listText } from "#contract/text/locale.ts";
import { useMay } from "#web/api/session.ts";
import { useRead } from "#web/api/use-read.ts";
import { accountsSearch } from "#web/domain/account-tabs.ts";
import { messagesOn } from "#web/features/notifications/progress.ts";
import { cx } from "#web/ui/browser/class-names.ts";

/** Why nothing is known of the messages of a channel, and where delivery reports are set up. */
export function WithoutReceipts({ progress }: { progress: RunProgress }) {
  const { channels } = channelsWithoutReceipts(progress);
  const may = useMay("integrations:read");
  const { data } = useRead(integrations.list, {}, { enabled: may && channels.length > 0 });
  if (!data) return null;
  return channels.map((channel) => {
    const accounts = data.accounts.filter(
      (one) => one.channel === channel && one.enabled && one.source !== "built-in",
    );
    const silent = accounts.filter(({ webhook }) => webhook !== null && webhook.lastEventAt === null);
    const known = silent.length > 0 ? silent : accounts;
    const names = [...new Set(known.map(({ provider }) => provider))];
    return (
      <Note
        key={channel}
        channel={channel}
        who={names.length > 0 ? listText(names) : "The provider"}
        count={progress.byChannel[channel]?.accepted ?? 0}
        reports={silent.length > 0 ? "not yet" : known.some(({ webhook }) => webhook) ? "late" : "never"}
      />
    );
  });
}

type NoteProps = { channel: Channel; who: string; count: number; reports: "not yet" | "late" | "never" };

const why: Record<NoteProps["reports"], string> = {
  "not yet": "It doesn't report to us yet",
  late: "It hasn't reported back",
  never: "It reports only what comes back",
};

function Note({ channel, who, count, reports }: NoteProps) {
  return (
    <p
      className={cx(
        "flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-5 py-2.5 text-sm",
        reports === "not yet" ? "bg-warn-soft" : "text-ink-2",
      )}
    >
      <strong className="inline-flex items-center gap-1.5 rounded-sm border border-line bg-card px-2 py-0.5 text-[0.8125rem] font-semibold text-ink">
        <Check aria-hidden className="size-3.5" />
        Sent, no receipts
      </strong>
      <span className="min-w-48 flex-1">
        {`${who} accepted ${count > 1 ? "all " : ""}${messagesOn(channel, count)}. ${why[reports]}, so we can't say whether ${count === 1 ? "it" : "they"} arrived.`}
      </span>
      {reports === "not yet" && (
        <Link
          to="/integrations"
          search={accountsSearch(channel)}
          className="inline-flex items-center gap-1.5 rounded-sm font-semibold underline-offset-4 hover:underline touch:min-h-11 print:hidden"
        >
          Set up delivery reports
          <ArrowRight aria-hidden className="size-4" />
        </Link>
      )}
    </p>
  );
}
