import { Link } from "@tanstack/react-router";
import { ArrowRight, Check, CircleAlert } from "lucide-react";
import type { Account, Provider } from "#contract/calls/integrations.ts";
import { type Channel, channelMeaning, channels } from "#contract/delivery.ts";
import { ChannelIcon } from "#web/domain/channel.tsx";
import { accountsSearch } from "#web/domain/account-tabs.ts";
import { isStepLeft } from "#web/features/integrations/first-report.tsx";
import { cx } from "#web/ui/browser/class-names.ts";

type Props = {
  /** The channel whose tab it was opened from comes first. */
  first: Channel | undefined;
  providers: readonly Provider[];
  accounts: readonly Account[];
};

const hints: Record<Channel, string> = {
  email: "One account is enough. Add a second to share the load.",
  sms: "US numbers must be registered with the carriers first.",
  push: "Free for tenants. They turn it on themselves.",
};

/** Every service that an account can be set up for. The whole card leads to its form. */
export function ProviderCards({ first, providers, accounts }: Props) {
  const order = [...new Set([...(first ? [first] : []), ...channels])];
  return (
    <div className="flex flex-col gap-7">
      {order.map((channel) => {
        const offered = providers.filter((one) => one.channels.includes(channel));
        if (offered.length === 0) return null;
        return (
          <section key={channel} aria-labelledby={`connect-${channel}`}>
            <div className="mb-3 flex flex-wrap items-center gap-x-2.5 gap-y-1">
              <ChannelIcon channel={channel} named />
              <h2 id={`connect-${channel}`} className="font-semibold">
                {channelMeaning[channel].label}
              </h2>
              <p className="text-sm text-ink-2">{hints[channel]}</p>
            </div>
            <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
              {offered.map((provider) => (
                <li key={provider.kind} className="flex">
                  <ProviderCard
                    channel={channel}
                    provider={provider}
                    accounts={accounts.filter((one) => one.channel === channel && one.kind === provider.kind)}
                  />
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

type CardProps = { channel: Channel; provider: Provider; accounts: readonly Account[] };

function ProviderCard({ channel, provider: { kind, label, what, cost, steps }, accounts }: CardProps) {
  const stands = standing(accounts.filter(({ enabled }) => enabled));
  const effort = steps === 0 ? "nothing to set up" : steps === 1 ? "1 step" : `${steps} steps`;
  return (
    <Link
      to="/integrations"
      search={{ ...accountsSearch(channel), open: "new", kind }}
      className={cx(
        "group flex flex-1 flex-col rounded-lg border bg-card p-4 shadow-card hover:border-ink focus-visible:border-ink",
        stands === "One step left" || stands === "Error" ? "border-warn" : "border-line",
      )}
    >
      <span className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-semibold">{label}</span>
        <span
          className={cx(
            "flex items-center gap-1 text-sm font-semibold [&_svg]:size-3.5",
            stands === "Connected" && "text-good",
            (stands === "One step left" || stands === "Error") && "text-warn",
            stands === undefined && "text-ink-2 group-hover:text-ink group-focus-visible:text-ink",
          )}
        >
          {stands === "Connected" && <Check aria-hidden />}
          {(stands === "One step left" || stands === "Error") && <CircleAlert aria-hidden />}
          {stands ?? "Connect"}
          {stands === undefined && <ArrowRight aria-hidden />}
        </span>
      </span>
      <span className="flex flex-1 flex-col justify-between gap-2 pt-1 text-sm text-ink-2">
        <span>{what}</span>
        <span className="text-ink-3">{`${cost} · ${effort}`}</span>
      </span>
    </Link>
  );
}

function standing(accounts: readonly Account[]): "Connected" | "One step left" | "Error" | undefined {
  if (accounts.some(({ state }) => state === "Error")) return "Error";
  if (accounts.some(isStepLeft)) return "One step left";
  return accounts.some(({ state }) => state === "Connected") ? "Connected" : undefined;
}
