import { CircleAlert } from "lucide-react";
import { shell } from "#contract/shell.ts";
import type { ProviderState } from "#contract/shell.ts";
import type { Channel, RunProgress } from "#contract/delivery.ts";
import { useRead } from "#web/api/use-read.ts";
import { useWrite } from "#web/api/use-write.ts";
import { countOf, messagesOn } from "#web/features/notifications/progress.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { toast } from "#web/ui/toast-store.ts";

/** Says why part of this notification waits, and asks the provider again on request. */
export function PausedProviders({ progress }: { progress: RunProgress }) {
  const providers = useRead(shell.state).data?.providers ?? [];
  const channels = [...new Set(progress.reasons.map(({ channel }) => channel))];
  return channels.map((channel) => {
    const waiting = countOf(progress, "provider-paused", channel);
    const provider = providers.find((one) => one.channel === channel && one.state === "Error");
    return waiting > 0 && <Paused key={channel} channel={channel} waiting={waiting} provider={provider} />;
  });
}

type Props = { channel: Channel; waiting: number; provider: ProviderState | undefined };

function Paused({ channel, waiting, provider }: Props) {
  const check = useWrite(shell.checkProvider, { refreshes: [shell.state] });
  const ask = async (id: number) => {
    try {
      const now = await check.mutateAsync({ params: { id } });
      if (now.state === "Error") {
        toast({
          variant: "destructive",
          title: `${now.name} still takes no messages`,
          description: now.reason,
        });
      } else {
        toast({ title: `${now.name} works again`, description: "What was waiting goes out now." });
      }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      toast({ variant: "destructive", title: "The provider could not be asked", description: why });
    }
  };
  return (
    <Banner
      tone="warn"
      icon={<CircleAlert />}
      title={`${messagesOn(channel, waiting)} of this notification ${waiting === 1 ? "is" : "are"} waiting.`}
      action={
        provider && (
          <Button size="sm" busy={check.isPending} onClick={() => void ask(provider.id)}>
            Check again
          </Button>
        )
      }
    >
      {provider && `${provider.name}: ${provider.reason} `}
      {waiting === 1 ? "It goes" : "They go"} when the key works again; nothing is lost and nothing needs to
      be sent twice.
    </Banner>
  );
}
