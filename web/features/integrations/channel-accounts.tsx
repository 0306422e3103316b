import { FlaskConical, Plus } from "lucide-react";
import { useState } from "react";
import { type Channel, channelMeaning } from "#contract/delivery.ts";
import type { Account, Provider } from "#contract/calls/integrations.ts";
import { AccountCard } from "#web/features/integrations/account-card.tsx";
import { AccountForm } from "#web/features/integrations/account-form.tsx";
import { SendTest } from "#web/features/integrations/send-test.tsx";
import { Shares } from "#web/features/integrations/shares.tsx";
import { Badge } from "#web/ui/feedback/badge.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { Card, CardHeader } from "#web/ui/page/card.tsx";

type Props = {
  channel: Channel;
  providers: readonly Provider[];
  accounts: readonly Account[];
  mayChange: boolean;
  /** The provider that is being connected. */
  adding: Provider | undefined;
  /** The account whose form is open. */
  editing: number | undefined;
  /** Opens one of the forms, or closes them. */
  onShow: (form: { open?: "new"; edit?: number }) => void;
};

/** A channel's accounts and how they share the work, or the Sandbox if there are none. */
export function ChannelAccounts(props: Props) {
  const { channel, providers, accounts, mayChange, adding, editing, onShow } = props;
  const real = accounts.filter(({ state }) => state !== "Sandbox");
  const serving = real.filter((account) => account.enabled);
  // A broken account opens automatically, but stays closed once someone has closed it.
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const isOpen = (account: Account) =>
    account.id === editing ||
    (editing === undefined &&
      !adding &&
      account.state === "Error" &&
      account.enabled &&
      !closed.has(account.id));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex flex-col gap-4">
        {serving.length > 1 && <Shares channel={channel} accounts={serving} />}
        {adding && (
          <Card key={adding.kind} className="border-edge">
            <CardHeader title={`Connect ${adding.label}`}>
              <Button variant="ghost" size="sm" onClick={() => onShow({ open: "new" })}>
                Choose another
              </Button>
            </CardHeader>
            <AccountForm channel={channel} provider={adding} onDone={() => onShow({})} />
          </Card>
        )}
        {real.map((account) => (
          <AccountCard
            key={account.id}
            account={account}
            provider={providers.find(({ kind }) => kind === account.kind)}
            mayChange={mayChange}
            open={isOpen(account)}
            onOpen={() => onShow({ edit: account.id })}
            onClose={() => {
              setClosed(new Set([...closed, account.id]));
              onShow({});
            }}
          />
        ))}
        {serving.length === 0 && (
          <SandboxCard
            channel={channel}
            onAdd={mayChange && !adding && real.length === 0 ? () => onShow({ open: "new" }) : undefined}
          />
        )}
      </div>
      {mayChange && real.length > 0 && <SendTest channel={channel} accounts={real} />}
    </div>
  );
}

function SandboxCard({ channel, onAdd }: { channel: Channel; onAdd: (() => void) | undefined }) {
  const { spoken, many } = channelMeaning[channel];
  return (
    <Card className="flex flex-wrap items-center gap-4 p-4">
      <span
        aria-hidden
        className="grid size-9 shrink-0 place-items-center rounded-md bg-quiet-soft text-quiet"
      >
        <FlaskConical className="size-4.5" />
      </span>
      <div className="min-w-48 flex-1">
        <h2 className="flex flex-wrap items-center gap-2 font-semibold">
          Sandbox <Badge>Simulated</Badge>
        </h2>
        <p className="mt-0.5 text-sm text-pretty text-ink-2">
          No {spoken} provider is connected, so {many} stay in Porchlight and reach no one.
        </p>
      </div>
      {onAdd && (
        <Button variant="ink" icon={<Plus aria-hidden />} onClick={onAdd}>
          Connect a provider
        </Button>
      )}
    </Card>
  );
}
