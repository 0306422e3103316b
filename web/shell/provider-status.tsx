import type { ProviderState } from "#contract/calls/integrations.ts";
import { useShellState } from "#web/shell/shell-state.ts";
import { cx } from "#web/ui/browser/class-names.ts";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { Tooltip } from "#web/ui/feedback/tooltip.tsx";

const dots: Record<ProviderState["state"], string> = {
  Connected: "bg-good ring-good-soft",
  "Not connected": "bg-quiet ring-quiet-soft",
  Sandbox: "bg-ink-3 ring-quiet-soft",
  Error: "bg-bad ring-bad-soft",
};

/** The push provider's real state, with the reason on hover and focus. */
export function ProviderStatus() {
  const { data, isPending } = useShellState();
  if (isPending) return <Skeleton className="mx-1 my-1.5 h-4" />;
  const provider = data?.providers.find((one) => one.channel === "push");
  if (!provider) return null;
  const words = provider.reason ? `${provider.state}: ${provider.reason}` : provider.state;
  return (
    <Tooltip side="top" content={words}>
      <button
        type="button"
        className="flex w-full items-center gap-2.5 rounded-sm px-1 py-1 text-sm text-ink-2"
      >
        <span aria-hidden className={cx("size-2 rounded-full ring-2", dots[provider.state])} />
        <span className="sr-only">Push provider: </span>
        {/* For the Sandbox, name and state would be the same word. */}
        <span className="truncate">{provider.state === "Sandbox" ? "Push" : provider.name}</span>
        <span className="ml-auto whitespace-nowrap">{provider.state}</span>
      </button>
    </Tooltip>
  );
}
