import { Link } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import { channelMeaning, noAccount, type Channel } from "#contract/delivery.ts";
import type { ProviderState } from "#contract/calls/integrations.ts";
import { numberText } from "#contract/text/locale.ts";
import { accountsSearch } from "#web/domain/account-tabs.ts";
import { buttonClass } from "#web/ui/page/button.tsx";
import { cx } from "#web/ui/browser/class-names.ts";

/**
 * Accounts as rows of "Needs attention": those of channels in which messages wait for one, then those that are paused
 * while others of their channel send.
 */
export function accountRows(providers: readonly ProviderState[]) {
  const held = providers.filter(({ state, waiting }) => state !== "Connected" && waiting > 0);
  return [
    ...held.map(({ channel, name, state, reason, waiting }) =>
      // What waits was meant for an account that was removed since.
      state === "Sandbox" ? (
        <AccountRow
          key={`held-${channel}`}
          channel={channel}
          title={sentence(noAccount(channel))}
          then={waitingText(waiting)}
        />
      ) : (
        <AccountRow
          key={`held-${channel}`}
          channel={channel}
          name={name}
          title="isn't connected"
          reason={reason}
          then={waitingText(waiting)}
        />
      ),
    ),
    ...providers
      .filter(({ state }) => state === "Connected")
      .flatMap(({ channel, paused }) =>
        paused.map(({ id, name, reason }) => (
          <AccountRow
            key={`account-${id}`}
            channel={channel}
            name={name}
            title="is paused"
            reason={reason}
            then={`${channelMeaning[channel].label} goes out through your other accounts.`}
          />
        )),
      ),
  ];
}

const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

const waitingText = (waiting: number) =>
  waiting === 1 ? "1 message is waiting for it." : `${numberText(waiting)} messages are waiting for it.`;

type Row = { channel: Channel; name?: string; title: string; reason?: string; then: string };

function AccountRow({ channel, name, title, reason, then }: Row) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 text-sm">
      <CircleAlert aria-hidden className="size-5 shrink-0 self-start text-warn" />
      <div className="min-w-56 flex-1 max-sm:min-w-[calc(100%-2.25rem)]">
        <p className="font-semibold">
          {name !== undefined && <bdi translate="no">{name}</bdi>} {title}
        </p>
        {reason !== undefined && <p className="break-words text-ink-2">{reason}</p>}
        <p className="text-ink-2">{then}</p>
      </div>
      <Link
        to="/integrations"
        search={accountsSearch(channel)}
        className={cx(buttonClass({ size: "sm" }), "max-sm:ml-9")}
      >
        Open Integrations<span className="sr-only"> for {name ?? channelMeaning[channel].spoken}</span>
      </Link>
    </li>
  );
}
