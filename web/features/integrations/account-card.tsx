import { CircleAlert, Pencil } from "lucide-react";
import { useState } from "react";
import { isolated } from "#contract/text/isolate.ts";
import { integrations, type Account, type Provider } from "#contract/calls/integrations.ts";
import { shell } from "#contract/calls/shell.ts";
import { CancelledError } from "#web/api/call-errors.ts";
import { useWrite } from "#web/api/use-write.ts";
import { ChannelIcon } from "#web/domain/channel.tsx";
import { AccountForm } from "#web/features/integrations/account-form.tsx";
import { accountDetail } from "#web/features/integrations/account-values.ts";
import { ConnectionStatus } from "#web/features/integrations/connection-status.tsx";
import { FirstReport, isStepLeft } from "#web/features/integrations/first-report.tsx";
import { TestConnection } from "#web/features/integrations/test-connection.tsx";
import { WebhookAddress } from "#web/features/integrations/webhook-address.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { Card } from "#web/ui/page/card.tsx";
import { Switch } from "#web/ui/form/switch.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { When } from "#web/ui/time/when.tsx";

type Props = {
  account: Account;
  /** What its form asks for; undefined where it cannot be changed here. */
  provider: Provider | undefined;
  mayChange: boolean;
  open: boolean;
  onOpen: () => void;
  onClose: () => void;
};

/** One account: how it stands, a test, and for administrators its settings. */
export function AccountCard({ account, provider, mayChange, open, onOpen, onClose }: Props) {
  const { id, name, enabled, state, reason, source } = account;
  const [testing, setTesting] = useState(false);
  const check = useWrite(integrations.check, { refreshes: [integrations.list, shell.state] });
  const update = useWrite(integrations.update, { refreshes: [integrations.list, shell.state] });
  const editable = mayChange && source === "console" && provider !== undefined;
  const formShown = editable && open;
  const failing = enabled && state === "Error";
  const stepLeft = isStepLeft(account);
  const turn = (on: boolean) =>
    update.mutate(
      { params: { id }, body: { enabled: on } },
      {
        onSuccess: () =>
          toast({ title: "Settings Updated", description: `${isolated(name)} is ${on ? "on" : "off"}.` }),
        onError: (error) => {
          if (error instanceof CancelledError) return;
          toast({ title: "Error", description: error.message, variant: "destructive" });
        },
      },
    );
  return (
    <Card className={failing || stepLeft ? "border-[color-mix(in_oklab,var(--warn)_55%,var(--line))]" : ""}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3 p-4">
        <ChannelIcon channel={account.channel} named className="size-9" />
        <div className="min-w-48 flex-1">
          <h2 className="flex flex-wrap items-center gap-2 font-semibold">
            <span className="min-w-0 break-words">{name}</span>
            <ConnectionStatus account={account} checking={check.isPending || testing} />
          </h2>
          <p className="mt-0.5 text-sm break-words text-ink-2">{accountDetail(account)}</p>
        </div>
        <div className="flex flex-wrap items-center gap-2 max-sm:w-full">
          {editable && (
            <Switch
              label="Enabled"
              checked={enabled}
              disabled={update.isPending}
              onChange={(event) => turn(event.target.checked)}
              className="gap-3 max-sm:basis-full sm:mr-2"
            />
          )}
          {!formShown && enabled && (
            <TestConnection busy={check.isPending} test={() => check.mutateAsync({ params: { id } })} />
          )}
          {editable && !formShown && (
            <Button icon={<Pencil aria-hidden />} onClick={onOpen}>
              Edit
            </Button>
          )}
        </div>
      </div>
      {enabled && state !== "Connected" && (
        <div className="px-4 pb-4">
          <p
            role={failing ? "alert" : "status"}
            className={`flex items-start gap-2.5 rounded-md px-3.5 py-3 text-sm break-words ${failing ? "bg-warn-soft text-ink" : "bg-sunk text-ink-2"}`}
          >
            <CircleAlert
              aria-hidden
              className={`mt-0.5 size-4 shrink-0 ${failing ? "text-warn" : "text-ink-3"}`}
            />
            <span className="min-w-0">
              {failing && <strong className="font-semibold">{name} isn't accepting messages. </strong>}
              {reason}
              {failing && (
                <span className="block text-ink-2">
                  No messages failed. They wait until this is fixed or another account takes them.
                </span>
              )}
            </span>
          </p>
        </div>
      )}
      {enabled && account.bounceMailbox && <BounceMailbox mailbox={account.bounceMailbox} />}
      {mayChange && enabled && account.webhook && !stepLeft && (
        <WebhookAddress id={account.id} name={name} webhook={account.webhook} />
      )}
      {mayChange && stepLeft && <FirstReport account={account} provider={provider} />}
      {formShown && (
        <div className="border-t border-line">
          <AccountForm
            channel={account.channel}
            provider={provider}
            account={account}
            onDone={onClose}
            onTesting={setTesting}
          />
        </div>
      )}
    </Card>
  );
}

/** Whether the mailbox that bounces come to is read. */
function BounceMailbox({ mailbox: { problem, readAt } }: { mailbox: NonNullable<Account["bounceMailbox"]> }) {
  return (
    <p className="border-t border-line px-4 py-3 text-sm break-words">
      <span className="font-semibold">Bounce mailbox</span>{" "}
      {problem === null ? (
        <span className="text-ink-2">Last read {readAt && <When at={readAt} as="ago" />}</span>
      ) : (
        <span className="text-warn">We can't read it. {problem}</span>
      )}
    </p>
  );
}
