import { Link } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import { channelMeaning } from "#contract/delivery.ts";
import type { ProviderState } from "#contract/integrations.ts";
import { buttonClass } from "#web/ui/button.tsx";
import { cx } from "#web/ui/class-names.ts";

/** The paused accounts of channels that still work, as rows of "Needs attention". A banner names the other channels. */
export function pausedRows(providers: readonly ProviderState[]) {
  return providers
    .filter(({ state }) => state !== "Error")
    .flatMap(({ channel, paused }) =>
      paused.map(({ id, name, reason }) => (
        <li key={`account-${id}`} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 text-sm">
          <CircleAlert aria-hidden className="size-5 shrink-0 self-start text-warn" />
          <div className="min-w-56 flex-1 max-sm:min-w-[calc(100%-2.25rem)]">
            <p className="font-semibold">
              <bdi>{name}</bdi> is paused
            </p>
            <p className="break-words text-ink-2">{reason}</p>
            <p className="text-ink-2">
              {channelMeaning[channel].label} goes out through your other accounts.
            </p>
          </div>
          <Link
            to="/integrations"
            search={channel === "push" ? {} : { tab: channel }}
            className={cx(buttonClass({ size: "sm" }), "max-sm:ml-9")}
          >
            Open Integrations<span className="sr-only"> for {name}</span>
          </Link>
        </li>
      )),
    );
}
